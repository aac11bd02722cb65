/// Percent-encoding, as URLs have it (RFC 3986, section 2.1).
public enum PercentEncoding {
  /// Escapes every byte of the text that is not an unreserved character.
  public static func encoded(_ text: some StringProtocol) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  /// A percent sign that begins no escape stands for itself.
  public static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2, let high = ASCII.hexadecimalValue(rest[rest.startIndex]),
        let low = ASCII.hexadecimalValue(rest[rest.startIndex + 1])
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(high << 4 | low))
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
