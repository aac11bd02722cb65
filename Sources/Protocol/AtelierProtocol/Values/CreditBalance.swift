/// An account's credits, and where they come from.
public struct CreditBalance: Codable, Sendable, Equatable {
  /// The account that the balance belongs to.
  public var account: AccountID
  /// True when the account needs credits; false for `owner`, and for every account if the operator has turned metering
  /// off.
  public var metered: Bool
  /// The account's tier.
  public var tier: Tier
  /// True when no usage limits apply to the account; its credits are counted nevertheless.
  public var unlimited: Bool
  /// Credits that can be spent; null for an account that is not metered.
  @Nullable public var available: Int?
  /// Credits held for generations that have not ended.
  public var held: Int
  /// Credits of the allocation that ``level`` refers to, as they were granted; null if there is no allocation.
  @Nullable public var allocation: Int?
  /// How much of the allocation is left, to show to the person; absent if there is no allocation.
  public var level: Level?
  /// The grants that the credits come from, in the order in which they are spent; without those that are used up or
  /// expired.
  public var buckets: [Bucket]
  /// When the allocation of the next period is granted; absent if there is none.
  public var resetAt: Timestamp?
  /// Credits owed because a payment was refunded whose credits were already spent. Until they are repaid, requests that
  /// cost credits are refused.
  public var shortfall: Int

  /// The level is computed from `available` and `allocation`.
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

  /// The balance of an account that is not metered, such as the machine's own.
  public static func unmetered(_ account: AccountID, tier: Tier = .owner) -> CreditBalance {
    CreditBalance(account: account, metered: false, tier: tier, unlimited: true, available: nil, allocation: nil)
  }
}

extension CreditBalance {
  /// A grant: credits that were given together and expire together.
  public struct Bucket: Codable, Sendable, Equatable {
    /// The id of the grant.
    public var id: String
    /// Where the credits come from.
    public var kind: CreditKind
    /// The number of credits granted.
    public var amount: Int
    /// Credits of the grant that can be spent.
    public var available: Int
    /// Credits of the grant that are held for generations that have not ended.
    public var held: Int
    /// When the credits were granted.
    public var createdAt: Timestamp
    /// When the remaining credits expire; absent if they never do.
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

extension CreditBalance {
  /// How much of the allocation is left.
  public enum Level: String, Codable, Sendable, CaseIterable {
    /// More than 50 %.
    case green
    /// 20 % to 50 %.
    case yellow
    /// Less than 20 %.
    case red

    /// - Parameters:
    ///   - available: credits that can be spent; may be more than the allocation, when others were bought.
    ///   - allocation: credits that were given.
    /// - Returns: nil when nothing was given: there is no part of nothing.
    public init?(available: Int, allocation: Int) {
      guard allocation > 0 else { return nil }
      // Divided rather than multiplied: exact for whole numbers, and no number of credits overflows.
      if available > allocation / 2 {
        self = .green
      } else if available > (allocation - 1) / 5 {
        self = .yellow
      } else {
        self = .red
      }
    }
  }
}
