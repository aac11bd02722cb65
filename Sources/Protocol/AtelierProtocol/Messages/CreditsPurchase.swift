import JSON

/// Verifies the shop's signature of a purchase and grants its credits.
///
/// When the answer arrives, the credits are durable: finish the shop's transaction only then. To restore a purchase,
/// send it again; nothing is granted twice.
public struct CreditsPurchase: RequestMessage {
  public static let method = "credits/purchase"
  public static let errors: [ErrorKind] = [.invalidReceipt, .permissionDenied, .storageFull]

  /// The account that made the purchase. Default: the connection's account.
  public var account: AccountID?
  /// The purchase, as the shop signed it.
  public var proof: PurchaseProof

  public init(account: AccountID? = nil, proof: PurchaseProof) {
    self.account = account
    self.proof = proof
  }

  private enum CodingKeys: CodingKey { case account }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    account = try members.decodeIfPresent(AccountID.self, forKey: .account)
    proof = try PurchaseProof(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(account, forKey: .account)
    try proof.encode(to: encoder)
  }

  /// What the purchase granted.
  public struct Result: Codable, Sendable, Equatable {
    /// The account that has the credits.
    public var account: AccountID
    /// The product that was bought.
    public var product: ProductID
    /// The shop's id of the purchase.
    public var transactionId: String
    /// Credits granted by this request.
    public var granted: Int
    /// True when the purchase had been submitted before.
    public var alreadyGranted: Bool
    /// Why these are fewer credits than the product gives; absent if they are not.
    public var reason: ReducedGrant?
    /// The account's balance.
    public var balance: CreditBalance
    /// The account's usage limits from here on; empty if it has none.
    public var limits: [AccountGet.Limit]

    public init(
      account: AccountID, product: ProductID, transactionId: String, granted: Int, alreadyGranted: Bool = false,
      reason: ReducedGrant? = nil, balance: CreditBalance, limits: [AccountGet.Limit] = []
    ) {
      self.account = account
      self.product = product
      self.transactionId = transactionId
      self.granted = granted
      self.alreadyGranted = alreadyGranted
      self.reason = reason
      self.balance = balance
      self.limits = limits
    }
  }
}
