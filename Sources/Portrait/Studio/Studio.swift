/// Makes headshots: finds the face, says which pixels it needs, and turns them into a finished picture.
///
/// Holds the three networks and their memory, about 20 MB; not to be used from two tasks at once,
/// so one for each worker.
///
/// ```swift
/// let studio = try Studio()
/// let face = try studio.locateFace(in: overview)
/// let plan = try studio.plan(for: face, photoWidth: photo.width, photoHeight: photo.height)
/// let headshot = try studio.headshot(region: cut(photo, plan), plan: plan, options: options)
/// ```
public final class Studio {
  private let locator: FaceLocator
  private let segmenter: PersonSegmenter

  /// Loads the networks embedded in the binary, each recognised by its SHA-256.
  /// - Throws: ``PortraitError/modelsUnusable(_:)``.
  public init() throws(PortraitError) {
    locator = try FaceLocator()
    segmenter = try PersonSegmenter()
  }

  /// Finds the face the photo is about.
  /// - Parameter overview: the whole photo, upright, sRGB; 1280 pixels on the longer side are plenty.
  /// - Throws: ``PortraitError/noFace``, ``PortraitError/severalFaces(count:)``, ``PortraitError/faceCutOff``,
  ///   ``PortraitError/malformedImage``.
  public func locateFace(in overview: PixelImage) throws(PortraitError) -> FaceLocation {
    guard overview.isWellFormed else { throw .malformedImage }
    return try locator.locate(in: overview)
  }

  /// Says which part of the photo the headshot needs, and how small it may be scaled.
  /// - Parameters:
  ///   - photoWidth: of the upright photo in full, in pixels.
  ///   - photoHeight: likewise.
  /// - Throws: ``PortraitError/faceTooSmall(pixels:)``; ``PortraitError/noFace`` when the location can be no face;
  ///   ``PortraitError/malformedImage`` for sides that are not positive.
  public func plan(
    for face: FaceLocation, photoWidth: Int, photoHeight: Int
  ) throws(PortraitError) -> HeadshotPlan {
    try CropPlanner.plan(for: face, photoWidth: photoWidth, photoHeight: photoHeight)
  }

  /// Makes the headshot. The same input always gives the same bytes.
  /// - Parameters:
  ///   - region: the photo's ``HeadshotPlan/region``, scaled to the plan's size.
  ///   - progress: called between stages with the part done, 0…1; what it throws ends the work and is thrown on,
  ///     so a caller that wants to stop throws ``PortraitError/cancelled``.
  /// - Throws: ``PortraitError/malformedImage``, ``PortraitError/cannotTurnHead(asked:found:)``, and what
  ///   `progress` throws.
  public func headshot(
    region: PixelImage, plan: HeadshotPlan, options: HeadshotOptions,
    progress: (HeadshotStage, Double) throws(PortraitError) -> Void = { _, _ in }
  ) throws(PortraitError) -> Headshot {
    guard region.isWellFormed, region.width == plan.scaledWidth, region.height == plan.scaledHeight else {
      throw .malformedImage
    }
    try HeadPose.check(found: plan.face.yaw, asked: options.angle)
    return try HeadshotMaker(segmenter: segmenter, plan: plan, options: options).headshot(
      of: region, progress: progress)
  }
}
