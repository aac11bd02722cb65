/// A way to more credits, offered where there are not enough (REQUIREMENTS 6.5).
public struct UpgradeOption: Codable, Sendable, Equatable {
  public var id: ProductID
  public var kind: CreditProduct.Kind
  /// For a button.
  public var title: String
  /// Credits it gives: of a subscription, for each period.
  public var credits: Int
  /// What it costs: a subscription, for each period.
  public var price: Price

  public init(id: ProductID, kind: CreditProduct.Kind, title: String, credits: Int, price: Price) {
    self.id = id
    self.kind = kind
    self.title = title
    self.credits = credits
    self.price = price
  }

  /// The offer of `product`.
  public init(_ product: CreditProduct) {
    self.init(
      id: product.id, kind: product.kind, title: product.title, credits: product.credits, price: product.price)
  }
}

extension UpgradeOption: SchemaDescribed {
  public static let summary = "A way to more credits, offered where there are not enough (REQUIREMENTS 6.5)."

  public static let members = [
    "title": "For a button.",
    "credits": "Credits it gives: of a subscription, for each period.",
    "price": "What it costs: a subscription, for each period.",
  ]
}
