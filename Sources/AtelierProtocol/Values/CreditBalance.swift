/// What an account has to spend, and from where (REQUIREMENTS 6.6).
public struct CreditBalance: Codable, Sendable, Equatable {
  public var account: AccountID
  /// False for an account that nothing is counted for: it may do without credits.
  public var metered: Bool
  public var tier: Tier
  /// True when the limits on how often do not apply; credits are counted all the same.
  public var unlimited: Bool
  /// Credits that can be spent; null for an account that is not metered.
  @Nullable public var available: Int?
  /// Credits set aside for what runs.
  public var held: Int
  /// Credits of the allocation ``level`` refers to, as it was given; null where there is none.
  @Nullable public var allocation: Int?
  /// How much of the allocation is left, for a hint; absent where there is no allocation.
  public var level: Level?
  /// Where the credits come from, the next to be spent first; used up or expired ones are left out.
  public var buckets: [Bucket]
  /// When a new period brings its allocation.
  public var resetAt: Timestamp?
  /// Credits owed after a store took a purchase back that was spent already; nothing is made until they are settled.
  public var shortfall: Int

  /// The level is that of `available` in `allocation`.
  public init(
    account: AccountID, metered: Bool = true, tier: Tier, unlimited: Bool = false, available: Int?, held: Int = 0,
    allocation: Int?, buckets: [Bucket] = [], resetAt: Timestamp? = nil, shortfall: Int = 0
  ) {
    self.account = account
    self.metered = metered
    self.tier = tier
    self.unlimited = unlimited
    self.available = available
    self.held = held
    self.allocation = allocation
    self.buckets = buckets
    self.resetAt = resetAt
    self.shortfall = shortfall
    level = if let available, let allocation { Level(available: available, allocation: allocation) } else { nil }
  }

  /// The balance of an account that is not metered, such as the machine's own (REQUIREMENTS 6.3).
  public static func unmetered(_ account: AccountID) -> CreditBalance {
    CreditBalance(account: account, metered: false, tier: .owner, unlimited: true, available: nil, allocation: nil)
  }
}

extension CreditBalance: SchemaDescribed {
  public static let summary = "What an account has to spend, and from where (REQUIREMENTS 6.6)."

  public static let members = [
    "metered": "False for an account that nothing is counted for: it may do without credits.",
    "unlimited": "True when the limits on how often do not apply; credits are counted all the same.",
    "available": "Credits that can be spent; null for an account that is not metered.",
    "held": "Credits set aside for what runs.",
    "allocation": "Credits of the allocation `level` refers to, as it was given; null where there is none.",
    "level": "How much of the allocation is left, for a hint; absent where there is no allocation.",
    "buckets": "Where the credits come from, the next to be spent first; used up or expired ones are left out.",
    "resetAt": "When a new period brings its allocation.",
    "shortfall":
      "Credits owed after a store took a purchase back that was spent already; nothing is made until they are settled.",
  ]
}
