/// Makes headshots: finds the face, says which pixels it needs, and turns them into a finished picture.
///
/// Holds the three networks and their memory, about 20 MB; not to be used from two tasks at once, so one for each worker.
///
/// ```swift
/// let studio = try Studio()
/// let face = try studio.locateFace(in: overview)
/// let plan = try studio.plan(for: face, photoWidth: photo.width, photoHeight: photo.height)
/// let headshot = try studio.headshot(region: cut(photo, plan), plan: plan, options: options)
/// ```
public final class Studio {
  private let locator: FaceLocator

  /// Loads the networks embedded in the binary, each recognised by its SHA-256.
  /// - Throws: ``PortraitError/modelsUnusable(_:)``.
  public init() throws(PortraitError) {
    locator = try FaceLocator()
  }

  /// Finds the face the photo is about.
  /// - Parameter overview: the whole photo, upright, sRGB; 1280 pixels on the longer side are plenty.
  /// - Throws: ``PortraitError/noFace``, ``PortraitError/severalFaces(count:)``, ``PortraitError/malformedImage``.
  public func locateFace(in overview: PixelImage) throws(PortraitError) -> FaceLocation {
    guard overview.isWellFormed else { throw .malformedImage }
    return try locator.locate(in: overview)
  }
}
