/// `account/get`: who an account is to the service, and what it has to spend.
public struct AccountGet: RequestMessage {
  public static let method = "account/get"

  /// Whose. Default: the account of `initialize`, else `owner`.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  /// What is known of the account.
  public struct Result: Codable, Sendable, Equatable {
    public var account: AccountID
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
    public var credits: CreditBalance

    public init(
      account: AccountID, tier: Tier, unlimited: Bool = false, createdAt: Timestamp? = nil,
      signedInWith: [String] = [], premiumUntil: Timestamp? = nil, appAccountToken: String, credits: CreditBalance
    ) {
      self.account = account
      self.tier = tier
      self.unlimited = unlimited
      self.createdAt = createdAt
      self.signedInWith = signedInWith
      self.premiumUntil = premiumUntil
      self.appAccountToken = appAccountToken
      self.credits = credits
    }
  }
}

extension AccountGet: SchemaDescribed {
  public static let summary = "Who an account is to the service, and what it has to spend."

  public static let members = [
    "account": "Whose. Default: the account of `initialize`, else `owner`."
  ]
}

extension AccountGet.Result: SchemaDescribed {
  public static let summary = "What is known of the account."

  public static let members = [
    "unlimited": "True when the limits on how often do not apply; credits are counted all the same.",
    "createdAt": "When it was first seen; absent where it never was.",
    "signedInWith": "The names of those who vouched for the person, such as `apple`.",
    "premiumUntil": "When the subscription ends unless it renews; absent without one.",
    "appAccountToken":
      "A UUID that stands for the account, the same for good: what a host gives to the App Store as "
      + "`appAccountToken`, or to Google Play as the obfuscated account id, so that a purchase says whose it is.",
  ]
}

/// `account/signIn`: says who the person behind an account is, as the host has made sure of.
///
/// The first time an identity is seen, its account becomes `free` and is given that tier's credits, once for good; what
/// a guest has left stays. An identity that belongs to an account already answers with that one: it
/// is the account to use from now on. Idempotent.
public struct AccountSignIn: RequestMessage {
  public static let method = "account/signIn"

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
    public var tier: Tier
    /// Credits that were given for it now; 0 where they had been given before.
    public var granted: Int
    /// True when the identity was not known before.
    public var isNew: Bool
    public var credits: CreditBalance

    public init(account: AccountID, tier: Tier, granted: Int, isNew: Bool, credits: CreditBalance) {
      self.account = account
      self.tier = tier
      self.granted = granted
      self.isNew = isNew
      self.credits = credits
    }
  }
}

extension AccountSignIn: SchemaDescribed {
  public static let summary =
    "Says who the person behind an account is, as the host has made sure of. The first time an identity is seen, its "
    + "account becomes `free` and is given that tier's credits, once for good; what a guest has left stays. An "
    + "identity that belongs to an account already answers with that one: it is the account to use from now on. "
    + "Idempotent."

  public static let members = [
    "account": "The account the person has used so far.",
    "identity": "Who the person is.",
  ]
}

extension AccountSignIn.Result: SchemaDescribed {
  public static let summary = "The account to go on with."

  public static let members = [
    "account": "The account to use from now on: the identity's own, where it had one already.",
    "granted": "Credits that were given for it now; 0 where they had been given before.",
    "isNew": "True when the identity was not known before.",
  ]
}
