import AtelierProtocol

/// A purchase that a store has signed and that has been verified, as the ledger records it.
public struct Purchase: Sendable, Equatable {
  /// Identifies the purchase permanently, whichever account submits it again.
  public var source: String
  public var account: AccountID
  public var product: ProductID
  public var kind: CreditProduct.Kind
  /// Credits per unit; for a subscription, per month.
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
