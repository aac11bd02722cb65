/// A picture fit to be sent to a provider (REQUIREMENTS 2.4).
public struct PreparedImage: Sendable, Equatable {
  public var image: EncodedImage
  public var original: ImageInfo
  /// What was done; empty when `image` is the input, byte for byte.
  public var changes: [ImageChange]

  public init(image: EncodedImage, original: ImageInfo, changes: [ImageChange]) {
    self.image = image
    self.original = original
    self.changes = changes
  }
}
