/// Returns an account's balance: the credits it can spend, and where they come from.
public struct CreditsBalance: RequestMessage {
  public static let method = "credits/balance"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account. Default: the connection's account, otherwise `owner`.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = CreditBalance
}

/// Lists the products that give credits.
public struct CreditsProducts: RequestMessage, Parameterless {
  public static let method = "credits/products"

  public init() {}

  /// The products for sale.
  public struct Result: Codable, Sendable, Equatable {
    /// The products, in the order in which to show them; empty if nothing is for sale.
    public var products: [CreditProduct]

    public init(products: [CreditProduct]) {
      self.products = products
    }
  }
}

/// The available or held credits of a metered account have changed.
public struct CreditsChanged: NotificationMessage {
  public static let method = "credits/changed"

  /// The account whose credits have changed.
  public var account: AccountID
  /// Credits that can be spent.
  public var available: Int
  /// Credits held for generations that have not ended.
  public var held: Int

  public init(account: AccountID, available: Int, held: Int) {
    self.account = account
    self.available = available
    self.held = held
  }
}
