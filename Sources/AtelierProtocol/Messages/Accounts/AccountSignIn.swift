/// `account/signIn`: says who the person behind an account is, as the host has made sure of.
///
/// The first time an identity is seen, its account becomes `free` and is given that tier's credits, once for good; what
/// a guest has left stays (REQUIREMENTS 6.2). An identity that belongs to an account already answers with that one: it
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
