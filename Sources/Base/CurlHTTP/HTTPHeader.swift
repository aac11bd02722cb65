/// One header field of a request or a response.
public struct HTTPHeader: Sendable, Equatable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPHeader {
  /// Whether the name is a token (RFC 9110, 5.6.2) and the value one line without control characters, so that no field
  /// can inject another.
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

  /// In libcurl's format: without the semicolon, libcurl treats a field with an empty value as a request to remove it.
  var line: String { value.allSatisfy { $0 == " " || $0 == "\t" } ? "\(name);" : "\(name): \(value)" }
}
