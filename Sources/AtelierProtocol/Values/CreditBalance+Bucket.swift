extension CreditBalance {
  /// Credits that came together and expire together.
  public struct Bucket: Codable, Sendable, Equatable {
    /// Names the grant, for as long as the ledger is kept.
    public var id: String
    public var kind: CreditKind
    /// Credits that were granted.
    public var amount: Int
    /// Credits of it that can be spent.
    public var available: Int
    /// Credits of it that are set aside for what runs.
    public var held: Int
    public var createdAt: Timestamp
    /// When what is left of it is gone; absent when never.
    public var expiresAt: Timestamp?

    public init(
      id: String, kind: CreditKind, amount: Int, available: Int, held: Int = 0, createdAt: Timestamp,
      expiresAt: Timestamp? = nil
    ) {
      self.id = id
      self.kind = kind
      self.amount = amount
      self.available = available
      self.held = held
      self.createdAt = createdAt
      self.expiresAt = expiresAt
    }
  }
}

extension CreditBalance.Bucket: SchemaDescribed {
  public static let summary = "Credits that came together and expire together."

  public static let members = [
    "id": "Names the grant, for as long as the ledger is kept.",
    "amount": "Credits that were granted.",
    "available": "Credits of it that can be spent.",
    "held": "Credits of it that are set aside for what runs.",
    "expiresAt": "When what is left of it is gone; absent when never.",
  ]
}
