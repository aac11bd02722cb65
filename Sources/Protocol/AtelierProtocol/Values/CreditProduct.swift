/// Credits that can be bought. The operator configures the products.
public struct CreditProduct: Codable, Sendable, Equatable {
  /// The service's id of the product.
  public var id: ProductID
  /// How the product is sold.
  public var kind: Kind
  /// A short title, for a button.
  public var title: String
  /// The credits of the product; of a subscription, for each period.
  public var credits: Int
  /// The price; of a subscription, for each period.
  public var price: Price
  /// The period of a subscription; absent for a bundle.
  public var period: Period?
  /// Where the product is sold.
  public var platforms: Platforms

  public init(
    id: ProductID, kind: Kind, title: String, credits: Int, price: Price, period: Period? = nil,
    platforms: Platforms = Platforms()
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.credits = credits
    self.price = price
    self.period = period
    self.platforms = platforms
  }

  /// How a product is sold.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// Credits for every period. What is left at the end of a period expires.
    case subscription
    /// Credits granted once, which never expire.
    case bundle
  }

  /// After how long a subscription is renewed.
  public enum Period: String, Codable, Sendable, CaseIterable {
    /// A calendar month.
    case month
  }
}

/// A price to show. Do not calculate with it: a shop may charge another amount in another country.
public struct Price: Codable, Sendable, Equatable {
  /// The amount in decimal digits, such as `9.99`; a string, because a binary fraction would not be exact.
  public var amount: String
  /// The currency code of ISO 4217, such as `USD`.
  public var currency: String

  public init(amount: String, currency: String) {
    self.amount = amount
    self.currency = currency
  }
}
