/// The headers of one message, line by line.
struct HeaderBlock {
  private(set) var contentLength: Int?

  /// Longer messages than this exist only in broken headers; skipping so far would swallow the whole stream.
  private static let largestPlausibleLength = 1 << 40

  /// - Parameter line: without its end, not empty.
  /// - Returns: what is wrong with it, as a sentence.
  mutating func add(_ line: ArraySlice<UInt8>) -> String? {
    guard let colon = line.firstIndex(of: ASCII.colon) else { return "A header line has no colon." }
    let name = String(decoding: Self.trimmed(line[..<colon]), as: UTF8.self).lowercased()
    let value = Self.trimmed(line[(colon + 1)...])
    switch name {
    case "content-length": return add(length: value)
    case "content-type": return check(contentType: String(decoding: value, as: UTF8.self).lowercased())
    default: return nil
    }
  }

  private mutating func add(length value: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: value.prefix(40), as: UTF8.self)
    guard !value.isEmpty, value.allSatisfy(ASCII.isDigit), let length = Int(text),
      length <= Self.largestPlausibleLength
    else { return "The Content-Length \(JSONValue.string(text).serializedText) is not a number of bytes." }
    if let contentLength, contentLength != length { return "A message has two different Content-Length headers." }
    contentLength = length
    return nil
  }

  private func check(contentType: String) -> String? {
    guard let range = contentType.firstRange(of: "charset=") else { return nil }
    let charset = contentType[range.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" && $0 != " " }
    // LSP 3.17 asks to accept "utf8" as well.
    return charset == "utf-8" || charset == "utf8"
      ? nil : "Messages must be UTF-8; the Content-Type names another charset."
  }

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop(while: ASCII.isWhitespace)
    while let last = bytes.last, ASCII.isWhitespace(last) { bytes.removeLast() }
    return bytes
  }
}
