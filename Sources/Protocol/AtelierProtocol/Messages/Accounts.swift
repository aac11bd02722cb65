/// Returns an account's tier, balance, usage limits and running generations.
public struct AccountGet: RequestMessage {
  public static let method = "account/get"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account. Default: the connection's account, otherwise `owner`.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  /// The account and its state.
  public struct Result: Codable, Sendable, Equatable {
    /// The account that the answer is about.
    public var account: AccountID
    /// The account's tier.
    public var tier: Tier
    /// True when no usage limits apply to the account; its credits are counted nevertheless.
    public var unlimited: Bool
    /// When the account was first used; absent for `owner`.
    public var createdAt: Timestamp?
    /// The identity providers with which the person has signed in, such as `apple`.
    public var signedInWith: [String]
    /// When the subscription ends unless it is renewed; absent without a subscription.
    public var premiumUntil: Timestamp?
    /// A UUID that stands for the account and never changes. Pass it to the App Store as `appAccountToken`, or to
    /// Google Play as the obfuscated account id, so that a purchase names the account.
    public var appAccountToken: String
    /// The account's balance.
    public var balance: CreditBalance
    /// The account's usage limits; empty if it has none.
    public var limits: [Limit]
    /// When requests are accepted again, if a limit for all recipes is reached and the time is known.
    public var cooldownUntil: Timestamp?
    /// The account's generations that have not ended, oldest first.
    public var running: [GenerationID]
    /// The version of the terms of use that the person has accepted last; absent for none.
    public var consent: Consent?

    public init(
      account: AccountID, tier: Tier, unlimited: Bool = false, createdAt: Timestamp? = nil,
      signedInWith: [String] = [], premiumUntil: Timestamp? = nil, appAccountToken: String, balance: CreditBalance,
      limits: [Limit] = [], cooldownUntil: Timestamp? = nil, running: [GenerationID] = [], consent: Consent? = nil
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
      self.consent = consent
    }
  }

  /// A usage limit and its current count.
  public struct Limit: Codable, Sendable, Equatable {
    /// What is counted: the requests within a `minute`, an `hour` or a `day`, or `concurrent` generations; more may be
    /// added.
    public var scope: String
    /// The recipe that the limit is for; absent if it is for all recipes together.
    public var recipe: Recipe?
    /// The highest count allowed.
    public var limit: Int
    /// The current count.
    public var used: Int
    /// When a request may be accepted again, if the limit is reached and the time is known.
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

/// Sets an account's tier, or lifts its limits, for example for a subscription that the host sells.
///
/// Only on a trusted connection, as `credits/grant`. `premium` grants a month's credits at its start and each month from
/// then on. A month belongs to a payment: `premium` that begins again within a month that was granted continues the months
/// and grants nothing for this one. A purchased subscription continues whatever is set.
public struct AccountSet: RequestMessage {
  public static let method = "account/set"
  public static let errors: [ErrorKind] = [.permissionDenied, .idempotencyMismatch, .storageFull]

  /// The account to change. One that was never used exists from here on.
  public var account: AccountID
  /// The tier: `guest`, `free` or `premium`. Default: unchanged.
  public var tier: Tier?
  /// True lifts the usage limits; credits are needed nevertheless. Default: unchanged.
  public var unlimited: Bool?
  /// When the period of `premium` that was paid for began, or will begin. Default: now.
  public var start: Timestamp?
  /// False: an account that was never used exists from here on without the credits of a guest, and is not given them later.
  /// It changes nothing of an account that was used. Default: true.
  public var welcome: Bool?
  /// Identifies this change, for all accounts: the same key never changes anything twice, and with other params it is
  /// refused. Use the id of the event that reports the change.
  @Limited<IdempotencyKeyLength> public var idempotencyKey: String?

  public init(
    account: AccountID, tier: Tier? = nil, unlimited: Bool? = nil, start: Timestamp? = nil, welcome: Bool? = nil,
    idempotencyKey: String? = nil
  ) {
    self.account = account
    self.tier = tier
    self.unlimited = unlimited
    self.start = start
    self.welcome = welcome
    self.idempotencyKey = idempotencyKey
  }

  /// The account after the change.
  public struct Result: Codable, Sendable, Equatable {
    /// The account that was changed.
    public var account: AccountID
    /// The account's tier now.
    public var tier: Tier
    /// Credits granted by this request.
    public var granted: Int
    /// Why these are fewer credits than the tier gives; absent if they are not.
    public var reason: ReducedGrant?
    /// True when the same change had been made before: nothing was changed now.
    public var alreadySet: Bool
    /// The account's balance.
    public var balance: CreditBalance
    /// The account's usage limits from here on; empty if it has none.
    public var limits: [AccountGet.Limit]

    public init(
      account: AccountID, tier: Tier, granted: Int, reason: ReducedGrant? = nil, alreadySet: Bool = false,
      balance: CreditBalance, limits: [AccountGet.Limit] = []
    ) {
      self.account = account
      self.tier = tier
      self.granted = granted
      self.reason = reason
      self.alreadySet = alreadySet
      self.balance = balance
      self.limits = limits
    }
  }
}
