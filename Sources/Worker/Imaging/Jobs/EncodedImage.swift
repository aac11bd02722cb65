/// An encoded picture.
public struct EncodedImage: Sendable, Equatable {
  public var bytes: [UInt8]
  public var format: ImageFormat
  public var width: Int
  public var height: Int

  /// The media type, as sent in the protocol and to providers.
  public var mimeType: String { format.mimeType }

  public init(bytes: [UInt8], format: ImageFormat, width: Int, height: Int) {
    self.bytes = bytes
    self.format = format
    self.width = width
    self.height = height
  }
}
