/// What an account has to spend, and from where.
public struct CreditBalance: Codable, Sendable, Equatable {
  /// Whose balance it is.
  public var account: AccountID
  /// False for an account that nothing is counted for: it may do without credits.
  public var metered: Bool
  /// What the account is entitled to.
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

  /// The balance of an account that is not metered, such as the machine's own.
  public static func unmetered(_ account: AccountID) -> CreditBalance {
    CreditBalance(account: account, metered: false, tier: .owner, unlimited: true, available: nil, allocation: nil)
  }
}

extension CreditBalance {
  /// Credits that came together and expire together.
  public struct Bucket: Codable, Sendable, Equatable {
    /// Names the grant, for as long as the ledger is kept.
    public var id: String
    /// Where the credits come from.
    public var kind: CreditKind
    /// Credits that were granted.
    public var amount: Int
    /// Credits of it that can be spent.
    public var available: Int
    /// Credits of it that are set aside for what runs.
    public var held: Int
    /// When they were granted.
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

extension CreditBalance {
  /// How much of the allocation is left: green > 50 %, yellow 20 to 50 %, red < 20 %.
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

/// Where credits come from: the one of a guest, signing in for the first time, a month of a subscription, a
/// bundle that never expires, what came back after its source had expired, or whoever runs the service.
public enum CreditKind: String, Codable, Sendable, CaseIterable {
  /// The one credit of a guest.
  case guest
  /// What signing in for the first time gives.
  case free
  /// A month of a subscription; gone when the next one begins.
  case period
  /// Bought; never expires.
  case bundle
  /// Given back after what they were taken from had expired.
  case makegood
  /// Granted by whoever runs the service.
  case `operator`
}

/// What an account is entitled to.
public enum Tier: String, Codable, Sendable, CaseIterable {
  /// Nobody has signed in: 1 credit in its life.
  case guest
  /// Signed in: 4 credits in its life.
  case free
  /// Subscribed: credits for every month.
  case premium
  /// The machine's own account: unmetered.
  case owner
}

/// What a generation did to its account's credits.
public struct Credits: Codable, Sendable, Equatable {
  /// Credits set aside when it was accepted.
  public var held: Int
  /// Credits spent: one for each picture that was delivered and is charged for.
  public var charged: Int
  /// Credits given back.
  public var released: Int
  /// What the account had left then; null where no credits were set aside, as for an account that is not metered.
  @Nullable public var balanceAfter: Int?

  public init(held: Int = 0, charged: Int = 0, released: Int = 0, balanceAfter: Int?) {
    self.held = held
    self.charged = charged
    self.released = released
    self.balanceAfter = balanceAfter
  }
}
