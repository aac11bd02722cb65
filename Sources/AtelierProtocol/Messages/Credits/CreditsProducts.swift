/// `credits/products`: what credits can be bought as.
public struct CreditsProducts: RequestMessage, Parameterless {
  public static let method = "credits/products"

  public init() {}

  /// Everything that is sold here.
  public struct Result: Codable, Sendable, Equatable {
    /// In the order in which they are to be shown; none where nothing is sold.
    public var products: [CreditProduct]

    public init(products: [CreditProduct]) {
      self.products = products
    }
  }
}

extension CreditsProducts: SchemaDescribed {
  public static let summary = "What credits can be bought as."
}

extension CreditsProducts.Result: SchemaDescribed {
  public static let summary = "Everything that is sold here."

  public static let members = [
    "products": "In the order in which they are to be shown; none where nothing is sold."
  ]
}
