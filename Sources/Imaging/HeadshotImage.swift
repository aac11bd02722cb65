/// A headshot made on this machine.
public struct HeadshotImage: Sendable, Equatable {
  /// 1024 × 1024 pixels, JPEG, sRGB, no metadata.
  public var image: EncodedImage
  public var original: ImageInfo
  public var warnings: [ImagingWarning]

  public init(image: EncodedImage, original: ImageInfo, warnings: [ImagingWarning]) {
    self.image = image
    self.original = original
    self.warnings = warnings
  }
}
