/// Who an account is to the service, what it has to spend, and which limits it has.
public struct AccountGet: RequestMessage {
  public static let method = "account/get"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, by the rule for accounts.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  /// What is known of the account.
  public struct Result: Codable, Sendable, Equatable {
    /// The account asked about.
    public var account: AccountID
    /// What it is entitled to.
    public var tier: Tier
    /// True when the limits on how often do not apply; credits are counted all the same.
    public var unlimited: Bool
    /// When it was first seen; absent where it never was.
    public var createdAt: Timestamp?
    /// The names of those who vouched for the person, such as `apple`.
    public var signedInWith: [String]
    /// When the subscription ends unless it renews; absent without one.
    public var premiumUntil: Timestamp?
    /// A UUID that stands for the account, the same for good: what a host gives to the App Store as `appAccountToken`,
    /// or to Google Play as the obfuscated account id, so that a purchase says whose it is.
    public var appAccountToken: String
    /// What the account has to spend.
    public var balance: CreditBalance
    /// Limits on how often it may ask; none for an account without limits.
    public var limits: [Limit]
    /// Until when its requests are refused.
    public var cooldownUntil: Timestamp?
    /// Its generations that have not ended, oldest first.
    public var running: [GenerationID]

    public init(
      account: AccountID, tier: Tier, unlimited: Bool = false, createdAt: Timestamp? = nil,
      signedInWith: [String] = [], premiumUntil: Timestamp? = nil, appAccountToken: String, balance: CreditBalance,
      limits: [Limit] = [], cooldownUntil: Timestamp? = nil, running: [GenerationID] = []
    ) {
      self.account = account
      self.tier = tier
      self.unlimited = unlimited
      self.createdAt = createdAt
      self.signedInWith = signedInWith
      self.premiumUntil = premiumUntil
      self.appAccountToken = appAccountToken
      self.balance = balance
      self.limits = limits
      self.cooldownUntil = cooldownUntil
      self.running = running
    }
  }

  /// One limit and how much of it is used.
  public struct Limit: Codable, Sendable, Equatable {
    /// What is counted, such as `minute`, `day` or `concurrent`.
    public var scope: String
    /// The recipe it is for; absent when it is for all.
    public var recipe: Recipe?
    /// The most there may be.
    public var limit: Int
    /// How many there are.
    public var used: Int
    /// When there may be more again.
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

/// Says who the person behind an account is, as the host has made sure of.
///
/// The first time an identity is seen, its account becomes `free` and is given that tier's credits, once for
/// good; what a guest has left stays. An identity that belongs to an account already answers with that one: it is
/// the account to use from now on. Idempotent.
public struct AccountSignIn: RequestMessage {
  public static let method = "account/signIn"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account the person has used so far.
  public var account: AccountID
  /// Who the person is.
  public var identity: Identity

  public init(account: AccountID, identity: Identity) {
    self.account = account
    self.identity = identity
  }

  /// The account to go on with.
  public struct Result: Codable, Sendable, Equatable {
    /// The account to use from now on: the identity's own, where it had one already.
    public var account: AccountID
    /// What it is entitled to now.
    public var tier: Tier
    /// Credits that were given for it now; 0 where they had been given before.
    public var granted: Int
    /// True when the identity was not known before.
    public var isNew: Bool
    /// What the account has to spend.
    public var balance: CreditBalance

    public init(account: AccountID, tier: Tier, granted: Int, isNew: Bool, balance: CreditBalance) {
      self.account = account
      self.tier = tier
      self.granted = granted
      self.isNew = isNew
      self.balance = balance
    }
  }
}
