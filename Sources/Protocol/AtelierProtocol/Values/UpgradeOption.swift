/// A product to offer when there are not enough credits.
public struct UpgradeOption: Codable, Sendable, Equatable {
  /// The id of the product in `credits/products`.
  public var id: ProductID
  /// How the product is sold.
  public var kind: CreditProduct.Kind
  /// A short title, for a button.
  public var title: String
  /// The credits of the product; of a subscription, for each period.
  public var credits: Int
  /// The price; of a subscription, for each period.
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
