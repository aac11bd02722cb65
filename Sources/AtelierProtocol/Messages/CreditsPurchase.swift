import JSON

/// `credits/purchase`: gives the credits of a purchase, once a store's signature has proved it.
///
/// The credits are durable before the answer, so that the host finishes the store's transaction only then. The same
/// purchase sent again gives nothing more: that is how purchases are restored.
public struct CreditsPurchase: RequestMessage {
  public static let method = "credits/purchase"

  /// Who bought it. Default: the account of `initialize`, else `owner`.
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
    public var account: AccountID
    /// What was bought.
    public var product: ProductID
    /// The store's name for the purchase.
    public var transactionId: String
    /// Credits that were given for it now; 0 where they had been given before.
    public var granted: Int
    /// True when it had been submitted before: nothing was given now.
    public var alreadyGranted: Bool
    public var credits: CreditBalance

    public init(
      account: AccountID, product: ProductID, transactionId: String, granted: Int, alreadyGranted: Bool = false,
      credits: CreditBalance
    ) {
      self.account = account
      self.product = product
      self.transactionId = transactionId
      self.granted = granted
      self.alreadyGranted = alreadyGranted
      self.credits = credits
    }
  }
}

extension CreditsPurchase: SchemaDescribed {
  public static let summary =
    "Gives the credits of a purchase, once a store's signature has proved it. The credits are durable before the "
    + "answer, so that the host finishes the store's transaction only then. The same purchase sent again gives nothing "
    + "more: that is how purchases are restored."

  public static let members = [
    "account": "Who bought it. Default: the account of `initialize`, else `owner`.",
    "platform": "The store.",
    "signedTransaction": "With `apple`: the signed transaction (JWS) as StoreKit gives it.",
    "purchaseData": "With `google`: the purchase's JSON exactly as Play Billing gives it, byte for byte.",
    "signature": "With `google`: the signature of `purchaseData`, in base64.",
  ]

  public static let keywords: JSONObject = [
    "oneOf": [
      [
        "required": ["platform", "signedTransaction"],
        "properties": ["platform": ["const": "apple"], "purchaseData": false, "signature": false],
      ],
      [
        "required": ["platform", "purchaseData", "signature"],
        "properties": ["platform": ["const": "google"], "signedTransaction": false],
      ],
    ]
  ]
}

extension CreditsPurchase.Result: SchemaDescribed {
  public static let summary = "What the purchase gave."

  public static let members = [
    "product": "What was bought.",
    "transactionId": "The store's name for the purchase.",
    "granted": "Credits that were given for it now; 0 where they had been given before.",
    "alreadyGranted": "True when it had been submitted before: nothing was given now.",
  ]
}
