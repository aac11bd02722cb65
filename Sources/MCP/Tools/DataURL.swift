import Encodings

/// The content of a `data:` URL (RFC 2397), in which some hosts hand over a picture of the chat.
struct DataURL: Sendable, Equatable {
  private static let scheme = "data:"

  var bytes: [UInt8]

  /// Whether `text` is meant as such a URL, whatever follows its scheme.
  static func begins(_ text: String) -> Bool { text.prefix(scheme.utf8.count).lowercased() == scheme }

  /// Reads base64 of either alphabet, padded or not, with line breaks and escapes, and plain escaped bytes.
  /// - Returns: nil when the URL is none, or has no content.
  init?(_ text: String) {
    guard Self.begins(text), let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let parameters = text[..<comma].lowercased()
    let content = PercentEncoding.decoded(text.utf8[text.utf8.index(after: comma)...])
    guard let content else { return nil }
    if parameters.hasSuffix(";base64") {
      let digits = content.filter { !ASCII.isWhitespace($0) }
      guard let decoded = Base64.decodedLeniently(digits.span) else { return nil }
      bytes = decoded.bytes
    } else {
      bytes = content
    }
    if bytes.isEmpty { return nil }
  }
}

/// Percent-encoding, as URLs have it.
enum PercentEncoding {
  /// - Returns: nil when a percent sign begins no escape.
  static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(ASCII.hexadecimalValue), let low = rest.next().flatMap(ASCII.hexadecimalValue)
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
