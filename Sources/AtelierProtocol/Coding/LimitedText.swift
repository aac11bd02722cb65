import JSONRPC

/// A required text that must keep to a rule; reading any other is refused with what is expected.
///
/// The counterpart of ``Limited`` for a member that must be there. The rule is checked when the value is read from the
/// wire, not when it is set in the program.
@propertyWrapper
public struct LimitedText<Rule: ValueRule>: Sendable, Equatable where Rule.Value == String {
  public var wrappedValue: String

  public init(wrappedValue: String) { self.wrappedValue = wrappedValue }
}

extension LimitedText: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try Rule.read(from: decoder)
    guard Rule.allows(text) else { throw JSONExpectation(Rule.expected) }
    wrappedValue = text
  }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
