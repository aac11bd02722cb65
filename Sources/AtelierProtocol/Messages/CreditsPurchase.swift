import JSON

/// Gives the credits of a purchase, once a store's signature has proved it.
///
/// The credits are durable before the answer, so that the host finishes the store's transaction only then. The
/// same purchase sent again gives nothing more: that is how purchases are restored.
public struct CreditsPurchase: RequestMessage {
  public static let method = "credits/purchase"
  public static let errors: [ErrorKind] = [.invalidReceipt, .permissionDenied, .storageFull]

  /// The account that bought it, by the rule for accounts.
  public var account: AccountID?
  /// What the store says of it.
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

  /// What the purchase gave.
  public struct Result: Codable, Sendable, Equatable {
    /// Who has the credits.
    public var account: AccountID
    /// What was bought.
    public var product: ProductID
    /// The store's name for the purchase.
    public var transactionId: String
    /// Credits that were given for it now; 0 where they had been given before.
    public var granted: Int
    /// True when it had been submitted before: nothing was given now.
    public var alreadyGranted: Bool
    /// What the account has to spend.
    public var balance: CreditBalance

    public init(
      account: AccountID, product: ProductID, transactionId: String, granted: Int, alreadyGranted: Bool = false,
      balance: CreditBalance
    ) {
      self.account = account
      self.product = product
      self.transactionId = transactionId
      self.granted = granted
      self.alreadyGranted = alreadyGranted
      self.balance = balance
    }
  }
}
