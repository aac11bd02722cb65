/// What something costs. To be shown, not to be reckoned with: a store may ask for another amount where it sells.
public struct Price: Codable, Sendable, Equatable {
  /// In decimal digits, such as `9.99`: a text, because no binary fraction is exactly that.
  public var amount: String
  /// As ISO 4217 writes it, such as `USD`.
  public var currency: String

  public init(amount: String, currency: String) {
    self.amount = amount
    self.currency = currency
  }
}

extension Price: SchemaDescribed {
  public static let summary =
    "What something costs. To be shown, not to be reckoned with: a store may ask for another amount where it sells."

  public static let members = [
    "amount": "In decimal digits, such as `9.99`: a text, because no binary fraction is exactly that.",
    "currency": "As ISO 4217 writes it, such as `USD`.",
  ]
}
