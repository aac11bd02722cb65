import JSONRPC

/// An optional member whose value must keep to a rule; reading any other value is refused with what is expected.
///
/// The rule is checked when the value is read from the wire, not when it is set in the program.
@propertyWrapper
public struct Limited<Rule: ValueRule>: Sendable, Equatable {
  public var wrappedValue: Rule.Value?

  public init(wrappedValue: Rule.Value?) { self.wrappedValue = wrappedValue }
}

extension Limited: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try Rule.read(from: decoder)
    guard Rule.allows(value) else { throw JSONExpectation(Rule.expected) }
    wrappedValue = value
  }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// Synthesised coding asks for a wrapper as for a required member; these make it the optional member that it is.
extension KeyedDecodingContainer {
  public func decode<Rule>(_ type: Limited<Rule>.Type, forKey key: Key) throws -> Limited<Rule> {
    try decodeIfPresent(type, forKey: key) ?? Limited(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  public mutating func encode<Rule>(_ value: Limited<Rule>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}
