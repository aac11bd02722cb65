/// Signs in the person behind an account, whose identity the host has verified or an identity token proves.
///
/// When an identity is new, its account becomes `free` and is granted the credits of that tier, once only; the credits
/// that a guest has left remain. When the identity already belongs to an account, the answer names that account, and a
/// guest's account is merged into it: with its history, with what it paid for, and with the credits that are left.
/// Idempotent.
public struct AccountSignIn: RequestMessage {
  public static let method = "account/signIn"
  public static let errors: [ErrorKind] = [
    .permissionDenied, .invalidIdentity, .notFinished, .providerUnavailable, .storageFull,
  ]

  /// The account that the person has used so far. Generations of a guest that is merged must have ended.
  public var account: AccountID
  /// The identity of the person, which the host has verified; this or `identityToken`. A service that was started with
  /// `--account` takes a token only.
  public var identity: Identity?
  /// An OpenID Connect identity token (a signed JWT) of an issuer in the configuration. The service verifies it; its issuer
  /// becomes the `provider` of the identity, its `sub` the `subject`.
  public var identityToken: SecretText?
  /// The nonce that the host sent with the sign-in: the token must contain it.
  @Limited<NameLength> public var nonce: String?
  /// True: an account that has other identities is merged as well, because both are the same person's. Default: false, and
  /// such an account stays as it is.
  public var link: Bool?

  public init(
    account: AccountID, identity: Identity? = nil, identityToken: SecretText? = nil, nonce: String? = nil,
    link: Bool? = nil
  ) {
    self.account = account
    self.identity = identity
    self.identityToken = identityToken
    self.nonce = nonce
    self.link = link
  }

  /// The account to continue with.
  public struct Result: Codable, Sendable, Equatable {
    /// The account to use from now on: the one that the identity already belonged to, otherwise the one in the request.
    public var account: AccountID
    /// The account's tier now.
    public var tier: Tier
    /// Credits granted by this request; 0 if they had been granted before.
    public var granted: Int
    /// True when the identity was new.
    public var isNew: Bool
    /// True when the account in the request was merged into this one now. Requests that still name it act for this one.
    public var merged: Bool
    /// The account's balance.
    public var balance: CreditBalance

    public init(
      account: AccountID, tier: Tier, granted: Int, isNew: Bool, merged: Bool = false, balance: CreditBalance
    ) {
      self.account = account
      self.tier = tier
      self.granted = granted
      self.isNew = isNew
      self.merged = merged
      self.balance = balance
    }
  }
}

/// Ends a person's use of an account on this device: returns the account of a new guest to continue with.
///
/// The account stays as it is, and signing in finds it again. A connection that is confined to an account is refused: it
/// ends, and another one acts for the guest.
public struct AccountSignOut: RequestMessage {
  public static let method = "account/signOut"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account that the person has used.
  public var account: AccountID

  public init(account: AccountID) {
    self.account = account
  }

  /// The account to continue with.
  public struct Result: Codable, Sendable, Equatable {
    /// The account of a new guest. It exists from its first use.
    public var account: AccountID

    public init(account: AccountID) {
      self.account = account
    }
  }
}
