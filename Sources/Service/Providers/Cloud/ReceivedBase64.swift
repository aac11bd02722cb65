import Encodings
import JSON

/// Base64 as providers send it (RFC 4648, sections 4 and 5): either alphabet, with or without padding, broken into lines,
/// or within a `data:` URL. Anything else is rejected: truncated or corrupted text is not an image.
struct ReceivedBase64: Sendable, Equatable {
  private let text: ArraySlice<UInt8>

  /// - Parameter text: a slice of the received bytes, which is not copied.
  init(_ text: ArraySlice<UInt8>) { self.text = text }

  init(_ text: String) { self.text = Array(text.utf8)[...] }

  var string: String { String(decoding: text, as: UTF8.self) }

  /// The text where it is a link instead, which the colon alone tells from base64.
  var link: String? {
    let scheme = text.drop { Self.isBlank($0) }.prefix(8).map { $0 | 0x20 }
    return ["http://", "https://"].contains { scheme.starts(with: $0.utf8) } ? string.trimmed : nil
  }

  /// - Returns: nil when the text is not base64. Only what is in strict base64 as it stands counts as strict.
  func decoded() -> Base64.Decoded? {
    if let decoded = Base64.decodedLeniently(text.span) { return decoded }
    guard let plain = Self.plain(text), var decoded = Base64.decodedLeniently(plain.span) else { return nil }
    decoded.isStrict = false
    return decoded
  }

  /// The base64 alone: without the beginning of a `data:` URL, and without the blanks that may stand in it.
  /// - Returns: nil for a `data:` URL in another encoding.
  private static func plain(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let text = text.drop { isBlank($0) }
    guard DataURL.begins(text) else { return text.filter { !isBlank($0) } }
    return DataURL(text).flatMap { $0.isBase64 ? $0.digits : nil }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
