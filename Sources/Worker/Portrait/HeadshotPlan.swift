/// The part of the photo that a headshot needs, and its scale.
///
/// The caller cuts `region` out of the upright photo, at `scale` or larger, and passes it to
/// ``Studio/headshot(region:plan:options:progress:)``.
public struct HeadshotPlan: Sendable, Equatable {
  /// The part that is needed, in pixels of the whole upright photo; always inside it.
  public var region: PixelRectangle
  /// The scale that suffices, at most 1: each pixel of the headshot is one of the region.
  public var scale: Double
  /// The square that becomes the headshot, in pixels of the photo.
  public var square: CropSquare
  /// The face's upright box, in pixels of the photo.
  public var faceBox: Rectangle
  /// The upright boxes of other people's faces, in pixels of the photo.
  public var otherBoxes: [Rectangle]
  /// The face that the plan was made for.
  public var face: FaceLocation
  /// The warnings known so far: those of the face, `low_resolution`, `tight_crop`.
  public var warnings: [PortraitWarning]
  /// The shape and size of the headshot.
  public var shape = PictureShape.square
}
