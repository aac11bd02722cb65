/// A member that is always there and `null` when there is no value.
@propertyWrapper
public struct Nullable<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws { wrappedValue = try Value?(from: decoder) }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
