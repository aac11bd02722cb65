import AtelierProtocol
import JSON

/// A JSON object that a shop signed, parsed more strictly than JSON requires.
struct SignedDocument: Codable {
  /// 9999-12-31T23:59:59.999Z in milliseconds; certificates and the protocol cannot represent later times.
  private static let latest: Int64 = 253_402_300_799_999

  private let members: JSONObject

  /// - Throws: `malformed` unless `bytes` are exactly one object without repeated member names.
  init(_ bytes: [UInt8]) throws(ReceiptRefusal) {
    guard let members = JSONObject(signed: bytes) else { throw ReceiptRefusal(.malformed) }
    self.members = members
  }

  /// What ``value`` gave to a decoder.
  init(from decoder: any Decoder) throws { members = try decoder.singleValueContainer().decode(JSONObject.self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(members)
  }

  /// The whole object.
  var value: JSONValue { .object(members) }

  /// Whether there is a member of this name that is not null.
  func has(_ name: String) -> Bool { value(name) != nil }

  /// The member's value; nil when it is absent or null.
  func value(_ name: String) -> JSONValue? {
    guard let value = members[name], !value.isNull else { return nil }
    return value
  }

  /// - Throws: `malformed` when it is anything but a string.
  func text(_ name: String) throws(ReceiptRefusal) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw ReceiptRefusal(.malformed) }
    return text
  }

  /// - Throws: `malformed` when it is anything but an integer.
  func integer(_ name: String) throws(ReceiptRefusal) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let integer = value.int64 else { throw ReceiptRefusal(.malformed) }
    return integer
  }

  /// A time in milliseconds since 1970, the format of both shops.
  /// - Throws: `malformed` when it is anything else, or outside the years 1970 to 9999.
  func time(_ name: String) throws(ReceiptRefusal) -> Timestamp? {
    guard let milliseconds = try integer(name) else { return nil }
    guard (0...Self.latest).contains(milliseconds) else { throw ReceiptRefusal(.malformed) }
    return Timestamp(milliseconds: milliseconds)
  }

  /// A shop's identifier: 1 to `maximumLength` visible ASCII characters.
  /// - Throws: `malformed` when it is anything else.
  func identifier(_ name: String, maximumLength: Int = 128) throws(ReceiptRefusal) -> String? {
    guard let text = try text(name) else { return nil }
    guard (1...maximumLength).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw ReceiptRefusal(.malformed)
    }
    return text
  }

  /// The purchased quantity; 1 if the shop states none.
  /// - Throws: `wrong_quantity`; `malformed` when it is not an integer.
  func quantity(isSubscription: Bool) throws(ReceiptRefusal) -> Int {
    let quantity = try integer("quantity") ?? 1
    guard (1...(isSubscription ? 1 : 1000)).contains(quantity) else { throw ReceiptRefusal(.wrongQuantity) }
    return Int(quantity)
  }
}

extension Optional {
  /// The value of a required member.
  /// - Throws: `malformed` when it is absent.
  func required() throws(ReceiptRefusal) -> Wrapped {
    guard let self else { throw ReceiptRefusal(.malformed) }
    return self
  }
}
