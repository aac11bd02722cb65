/// Which part of the photo a headshot needs, and at what size.
///
/// The caller cuts `region` out of the upright photo, scales it to `scaledWidth` × `scaledHeight` and gives it to
/// ``Studio/headshot(region:plan:options:progress:)``.
public struct HeadshotPlan: Sendable, Equatable {
  /// The needed part, in pixels of the whole upright photo; always inside it.
  public var region: PixelRectangle
  /// The factor by which the region is scaled, at most 1.
  public var scale: Double
  /// The region's width after scaling, in pixels.
  public var scaledWidth: Int
  /// The region's height after scaling, in pixels.
  public var scaledHeight: Int
  /// The square that becomes the headshot, in pixels of the scaled region.
  public var crop: CropSquare
  /// The face's upright box, in pixels of the scaled region.
  public var faceInRegion: Rectangle
  /// The upright boxes of other people's faces, likewise; some may lie outside.
  public var othersInRegion: [Rectangle]
  /// The face this plan was made for.
  public var face: FaceLocation
  /// What is known already: those of the face, `low_resolution`, `tight_crop`.
  public var warnings: [PortraitWarning]
}
