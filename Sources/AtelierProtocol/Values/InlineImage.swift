/// A picture inside a message, kept as the base64 text it came as until its bytes are asked for.
public struct InlineImage: Hashable, Sendable {
  /// Checked: it is base64 (RFC 4648 section 4) of at least one byte.
  public let base64: String
  /// What the host says it is; only the bytes decide (REQUIREMENTS 2.1).
  public var mimeType: String?
  /// How many bytes the picture has.
  public let byteCount: Int

  /// - Returns: nil when the text is not base64, or empty.
  public init?(base64: String, mimeType: String? = nil) {
    guard let byteCount = Base64.decodedCount(base64), byteCount > 0 else { return nil }
    (self.base64, self.mimeType, self.byteCount) = (base64, mimeType, byteCount)
  }

  /// The encoded picture.
  public func decoded() -> [UInt8] { Base64.decoded(base64) ?? [] }
}
