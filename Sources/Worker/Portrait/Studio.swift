/// Makes headshots: finds the face, plans which pixels it needs, and makes the finished picture from them.
///
/// It holds the weights of the networks that every photo needs, 4 MB. Do not use it from two tasks at once: each worker has
/// its own.
///
/// ```swift
/// let studio = try Studio()
/// let face = try studio.locateFace(in: overview)
/// photo.turn(quarterTurns: face.quarterTurns)
/// let plan = try studio.plan(for: face, photoWidth: photo.width, photoHeight: photo.height)
/// let region = PhotoRegion(image: cut(photo, plan.region), area: Rectangle(plan.region))
/// let headshot = try studio.headshot(region: region, plan: plan, options: options)
/// ```
public final class Studio {
  private let locator: FaceLocator
  private let segmenter: PersonSegmenter
  private let secondary = SecondarySegmenter()

  /// Loads the embedded networks that every photo needs.
  /// - Throws: ``PortraitError/modelsUnusable(_:)``.
  public init() throws(PortraitError) {
    locator = try FaceLocator()
    segmenter = try PersonSegmenter()
  }

  /// Finds the main face of the photo, also of one that lies on its side: see ``FaceLocation/quarterTurns``.
  /// - Parameters:
  ///   - overview: the whole photo, sRGB, as upright as is known; 1000 pixels on the longer side are plenty.
  ///   - choosesOne: false for ``PictureShape/Placement/wholeFrame``, which leaves nobody out.
  /// - Throws: ``PortraitError/noFace``, ``PortraitError/severalFaces(count:)``, ``PortraitError/faceCutOff``,
  ///   ``PortraitError/malformedImage``.
  public func locateFace(in overview: PixelImage, choosesOne: Bool = true) throws(PortraitError) -> FaceLocation {
    guard overview.isWellFormed else { throw .malformedImage }
    return try locator.locate(in: overview, choosesOne: choosesOne)
  }

  /// Plans which part of the photo the headshot needs, and how far it can be scaled down.
  /// - Parameters:
  ///   - photoWidth: of the upright photo in full, in pixels.
  ///   - photoHeight: likewise.
  ///   - shape: of the finished picture.
  /// - Throws: ``PortraitError/faceTooSmall(pixels:)``; ``PortraitError/noFace`` when the location can be no face;
  ///   ``PortraitError/malformedImage`` for sides that are not positive.
  public func plan(
    for face: FaceLocation, photoWidth: Int, photoHeight: Int, shape: PictureShape = .square
  ) throws(PortraitError) -> HeadshotPlan {
    try CropPlanner.plan(for: face, photoWidth: photoWidth, photoHeight: photoHeight, shape: shape)
  }

  /// Makes the headshot. The same input always gives the same bytes.
  /// - Parameters:
  ///   - region: the photo's ``HeadshotPlan/region``, at least at the plan's scale.
  ///   - networks: the operator's, which are asked as well. One that fails is left out, and says so itself.
  ///   - progress: called between stages with the part done, 0…1; what it throws ends the work and is thrown on,
  ///     so a caller that wants to stop throws ``PortraitError/cancelled``.
  /// - Throws: ``PortraitError/malformedImage``, ``PortraitError/cannotTurnHead(asked:found:)``, and what
  ///   `progress` throws.
  public func headshot(
    region: PhotoRegion, plan: HeadshotPlan, options: HeadshotOptions, networks: [PersonNetwork] = [],
    progress: (HeadshotStage, Double) throws(PortraitError) -> Void = { _, _ in }
  ) throws(PortraitError) -> Headshot {
    let composition = try composition(
      region: region, plan: plan, options: options, networks: networks, progress: progress)
    return Headshot(image: composition.image, opacity: composition.opacity, warnings: composition.warnings)
  }

  /// As ``headshot(region:plan:options:networks:progress:)``, with the matte.
  func composition(
    region: PhotoRegion, plan: HeadshotPlan, options: HeadshotOptions, networks: [PersonNetwork] = [],
    progress: (HeadshotStage, Double) throws(PortraitError) -> Void = { _, _ in }
  ) throws(PortraitError) -> HeadshotMaker.Composition {
    guard region.shows(plan.region) else { throw .malformedImage }
    if let asked = options.angle { try HeadPose.check(found: plan.face.yaw, asked: asked) }
    let maker = HeadshotMaker(
      segmenter: segmenter, secondary: secondary, networks: networks, plan: plan, options: options)
    var composition = try maker.composition(of: region, progress: progress)
    if HeadPose.isNoticeable(plan.face.yaw, asked: options.angle) {
      composition.warnings.append(.turnedHead(plan.face.yaw))
    }
    return composition
  }
}
