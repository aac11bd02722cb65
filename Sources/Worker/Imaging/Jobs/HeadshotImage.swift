/// A headshot made on this machine.
public struct HeadshotImage: Sendable, Equatable {
  /// sRGB, no metadata.
  public var image: EncodedImage
  public var original: ImageInfo
  public var warnings: [ImagingWarning]
  /// The part of the person in each pixel as a gray level of 8 bits, if the job asked for it; as large as the image.
  public var matte: EncodedImage?
  /// The prepared photo, if the job asked for it.
  public var prepared: PreparedImage?

  public init(
    image: EncodedImage, original: ImageInfo, warnings: [ImagingWarning], prepared: PreparedImage? = nil
  ) {
    self.image = image
    self.original = original
    self.warnings = warnings
    self.prepared = prepared
  }
}
