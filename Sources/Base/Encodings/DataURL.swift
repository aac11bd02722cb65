/// A URL that holds its content itself (RFC 2397): `data:image/png;base64,…`.
public struct DataURL: Sendable, Equatable {
  /// What follows the comma, without percent escapes: base64 where the URL says so, else the bytes themselves.
  public var content: [UInt8]
  public var isBase64: Bool

  /// Whether `text` is meant as such a URL, whatever follows its scheme.
  public static func begins(_ text: some Sequence<UInt8>) -> Bool {
    text.prefix(5).map { $0 | 0x20 }.elementsEqual("data:".utf8)
  }

  /// - Returns: nil when the URL is none, or lacks its comma.
  public init?(_ text: ArraySlice<UInt8>) {
    guard Self.begins(text), let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let parameters = text[..<comma].filter { !ASCII.isWhitespace($0) }.map { $0 | 0x20 }
    isBase64 = parameters.suffix(7).elementsEqual(";base64".utf8.map { $0 | 0x20 })
    content = PercentEncoding.decoded(text[text.index(after: comma)...])
  }

  /// The bytes that the URL stands for. Base64 may be of either alphabet, with or without padding, and have blanks in it.
  /// - Returns: nil when the content is not base64 although the URL says so.
  public var bytes: [UInt8]? { isBase64 ? Base64.decodedLeniently(digits.span)?.bytes : content }

  /// The content without blanks.
  public var digits: [UInt8] { content.filter { !ASCII.isWhitespace($0) } }
}
