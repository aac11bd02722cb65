/// What an account has and may.
public struct AccountStatus: Codable, Sendable, Equatable {
  public var account: AccountID
  public var tier: Tier
  public var credits: CreditBalance
  /// Limits that apply now; none for an account that is not metered.
  public var limits: [Limit]
  /// Until when its requests are refused.
  public var cooldownUntil: Timestamp?
  /// Its generations that have not ended, oldest first.
  public var running: [GenerationID]

  public init(
    account: AccountID, tier: Tier, credits: CreditBalance, limits: [Limit], cooldownUntil: Timestamp? = nil,
    running: [GenerationID]
  ) {
    self.account = account
    self.tier = tier
    self.credits = credits
    self.limits = limits
    self.cooldownUntil = cooldownUntil
    self.running = running
  }

  /// One limit and how much of it is used.
  public struct Limit: Codable, Sendable, Equatable {
    /// What is counted, such as `minute`, `day` or `concurrent`.
    public var scope: String
    /// The recipe it is for; absent when for all.
    public var recipe: Recipe?
    public var limit: Int
    public var used: Int
    /// When it is free again.
    public var resetsAt: Timestamp?

    public init(scope: String, recipe: Recipe? = nil, limit: Int, used: Int, resetsAt: Timestamp? = nil) {
      self.scope = scope
      self.recipe = recipe
      self.limit = limit
      self.used = used
      self.resetsAt = resetsAt
    }
  }
}

extension AccountStatus: SchemaDescribed {
  public static let summary = "What an account has and may."

  public static let members = [
    "limits": "Limits that apply now; none for an account that is not metered.",
    "cooldownUntil": "Until when its requests are refused.",
    "running": "Its generations that have not ended, oldest first.",
  ]
}

extension AccountStatus.Limit: SchemaDescribed {
  public static let summary = "One limit and how much of it is used."

  public static let members = [
    "scope": "What is counted, such as `minute`, `day` or `concurrent`.",
    "recipe": "The recipe it is for; absent when for all.",
    "resetsAt": "When it is free again.",
  ]
}
