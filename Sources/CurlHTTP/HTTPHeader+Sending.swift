extension HTTPHeader {
  /// Whether the name is a token (RFC 9110, 5.6.2) and the value one line without control characters, so that no field
  /// can smuggle in another.
  var canBeSent: Bool {
    !name.isEmpty && name.utf8.allSatisfy(Self.isOfToken)
      && value.utf8.allSatisfy { $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7F) }
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// As libcurl wants it: without the semicolon it takes a field with no value as an order to leave the field out.
  var line: String { value.allSatisfy { $0 == " " || $0 == "\t" } ? "\(name);" : "\(name): \(value)" }
}
