import AtelierProtocol

/// A purchase that a store has signed and somebody has verified, as the ledger counts it.
public struct Purchase: Sendable, Equatable {
  /// Names it for good: whoever submits it again, it is the same.
  public var source: String
  public var account: AccountID
  public var product: ProductID
  public var kind: CreditProduct.Kind
  /// Credits for each: of a subscription, for a month.
  public var credits: Int
  /// How many were bought at once.
  public var quantity: Int
  public var purchasedAt: Timestamp
  /// When a subscription ends unless it renews; nil for a bundle.
  public var expiresAt: Timestamp?

  public init(
    source: String, account: AccountID, product: ProductID, kind: CreditProduct.Kind, credits: Int, quantity: Int,
    purchasedAt: Timestamp, expiresAt: Timestamp?
  ) {
    self.source = source
    self.account = account
    self.product = product
    self.kind = kind
    self.credits = credits
    self.quantity = quantity
    self.purchasedAt = purchasedAt
    self.expiresAt = expiresAt
  }
}

/// What a submitted purchase came to.
public enum PurchaseOutcome: Sendable, Equatable {
  /// It was counted now.
  /// - granted: credits that came of it now; 0 for a subscription whose time has not begun.
  case counted(granted: Int, CreditBalance)
  /// The same account submitted it before.
  case countedBefore(CreditBalance)
  /// It was counted for another account.
  case ofAnotherAccount
  /// It was counted and then taken back by the store.
  case refunded
}
