/// Credits that can be bought; which there are is configuration.
public struct CreditProduct: Codable, Sendable, Equatable {
  /// The service's own name for it.
  public var id: ProductID
  /// How it is sold.
  public var kind: Kind
  /// For a button.
  public var title: String
  /// Credits it gives: of a subscription, for each period.
  public var credits: Int
  /// What it costs: a subscription, for each period.
  public var price: Price
  /// How often a subscription renews; absent for a bundle.
  public var period: Period?
  /// What the stores call it.
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

  /// How something is sold.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// Credits for every period, which do not roll over.
    case subscription
    /// Credits once, which never expire.
    case bundle
  }

  /// How long a subscription runs until it renews.
  public enum Period: String, Codable, Sendable, CaseIterable {
    /// A calendar month.
    case month
  }

  /// The product's names in the stores that sell it.
  public struct Platforms: Codable, Sendable, Equatable {
    /// The product id in the App Store; absent where it is not sold there.
    public var apple: String?
    /// The product id in Google Play; absent where it is not sold there.
    public var google: String?

    public init(apple: String? = nil, google: String? = nil) {
      self.apple = apple
      self.google = google
    }
  }
}

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

/// A way to more credits, offered where there are not enough.
public struct UpgradeOption: Codable, Sendable, Equatable {
  /// What it is called in `credits/products`.
  public var id: ProductID
  /// How it is sold.
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
