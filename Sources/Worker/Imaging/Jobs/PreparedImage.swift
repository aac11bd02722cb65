/// A picture prepared to be sent to a provider.
public struct PreparedImage: Sendable, Equatable {
  public var image: EncodedImage
  public var original: ImageInfo
  /// The changes made; empty when `image` is the input, byte for byte.
  public var changes: [ImageChange]
  public var warnings: [ImagingWarning]

  public init(image: EncodedImage, original: ImageInfo, changes: [ImageChange], warnings: [ImagingWarning] = []) {
    self.image = image
    self.original = original
    self.changes = changes
    self.warnings = warnings
  }
}
