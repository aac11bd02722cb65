import JSONRPC

/// A required whole number that must keep to a rule; reading any other is refused with what is expected.
///
/// The counterpart of ``Limited`` for a member that must be there. The rule is checked when the value is read from the
/// wire, not when it is set in the program.
@propertyWrapper
public struct LimitedInteger<Rule: ValueRule>: Sendable, Equatable where Rule.Value == Int {
  public var wrappedValue: Int

  public init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

extension LimitedInteger: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try Rule.read(from: decoder)
    guard Rule.allows(value) else { throw JSONExpectation(Rule.expected) }
    wrappedValue = value
  }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
