import JSON

/// Grants an account credits that never expire, for example for a payment that the host has taken.
///
/// Only on a trusted connection: the operator starts the service with `--trusted`, and the host names no account in
/// `initialize`. When the answer arrives, the credits are durable. An account that was never used exists from here on.
public struct CreditsGrant: RequestMessage {
  public static let method = "credits/grant"
  public static let errors: [ErrorKind] = [.permissionDenied, .idempotencyMismatch, .storageFull]

  /// The account that gets the credits.
  public var account: AccountID
  /// The number of credits.
  @LimitedNumber<CreditAmount> public var amount: Int
  /// The reason, shown in the account's history.
  @LimitedText<CreditReason> public var reason: String
  /// Identifies this grant, for all accounts: the same key never grants twice, and with other params it is refused. Use
  /// the id of the payment.
  @LimitedText<IdempotencyKeyLength> public var idempotencyKey: String

  public init(account: AccountID, amount: Int, reason: String, idempotencyKey: String) {
    self.account = account
    self.amount = amount
    self.reason = reason
    self.idempotencyKey = idempotencyKey
  }

  /// What was granted.
  public struct Result: Codable, Sendable, Equatable {
    /// The account that has the credits.
    public var account: AccountID
    /// Credits granted by this request; 0 if they had been granted before.
    public var granted: Int
    /// True when the same grant had been made before.
    public var alreadyGranted: Bool
    /// True when the account was never used before this request: it has a guest's credits as well.
    public var isNewAccount: Bool
    /// The account's balance.
    public var balance: CreditBalance
    /// The account's usage limits from here on; empty if it has none. Those of guests end with the first grant.
    public var limits: [AccountGet.Limit]

    public init(
      account: AccountID, granted: Int, alreadyGranted: Bool = false, isNewAccount: Bool = false,
      balance: CreditBalance, limits: [AccountGet.Limit] = []
    ) {
      self.account = account
      self.granted = granted
      self.alreadyGranted = alreadyGranted
      self.isNewAccount = isNewAccount
      self.balance = balance
      self.limits = limits
    }
  }
}

/// Takes back credits of an account, for example for a payment that was refunded.
///
/// Only on a trusted connection, as `credits/grant`. The credits of the grant with the same key are taken first, then
/// others that were granted with `credits/grant`, then bought ones. If there are fewer, the rest is owed, or nothing is
/// taken: see `owe`.
///
/// A payment that is refunded is named with `payment`, whole or in part. All its refunds together take no more than it
/// brought. A refund that is reported before its payment waits for it: nothing is taken until then, and the account need not
/// exist. If the account was deleted with the payment, what is left there is taken, and nobody owes the rest.
public struct CreditsRevoke: RequestMessage {
  public static let method = "credits/revoke"

  public static let errors: [ErrorKind] = [
    .permissionDenied, .notFound, .insufficientCredits, .idempotencyMismatch, .storageFull,
  ]

  /// The account that loses the credits.
  public var account: AccountID
  /// The number of credits; of a payment that is refunded in part, this part.
  @LimitedNumber<CreditAmount> public var amount: Int
  /// The reason. The account's history shows it with credits that are taken back, not with those that pay what is owed.
  @LimitedText<CreditReason> public var reason: String
  /// Identifies this revocation, for all accounts: the same key never takes twice, and with other params it is refused.
  /// It may be the key of the grant.
  @LimitedText<IdempotencyKeyLength> public var idempotencyKey: String
  /// The payment that is refunded: the `idempotencyKey` of its grant, which may be still to come. Each part of a payment
  /// that is refunded in parts needs an `idempotencyKey` of its own. Default: the grant with this revocation's
  /// `idempotencyKey`, if there is one to the account of at least as many credits.
  @Limited<IdempotencyKeyLength> public var payment: String?
  /// What happens if fewer credits are available: true takes these and records the rest as owed, in the balance's
  /// `shortfall`; false takes nothing and refuses with `insufficient_credits`. Default: true if a payment is refunded;
  /// otherwise false. With true and without a payment, a revocation of an account that was never used waits for the grant
  /// with its `idempotencyKey`.
  public var owe: Bool?

  public init(
    account: AccountID, amount: Int, reason: String, idempotencyKey: String, payment: String? = nil, owe: Bool? = nil
  ) {
    self.account = account
    self.amount = amount
    self.reason = reason
    self.idempotencyKey = idempotencyKey
    self.payment = payment
    self.owe = owe
  }

  /// What was taken back.
  public struct Result: Codable, Sendable, Equatable {
    /// The account that the credits were taken from.
    public var account: AccountID
    /// Credits taken back by this request; 0 if they had been taken back before.
    public var revoked: Int
    /// Credits that this request recorded as owed, because they were not available.
    public var owed: Int
    /// True when the same revocation had been made before.
    public var alreadyRevoked: Bool
    /// True while it waits for its payment, and has taken nothing.
    public var waiting: Bool
    /// Credits that this revocation took back or recorded as owed when it was made before; absent if it was not.
    public var revokedBefore: Int?
    /// The account's balance.
    public var balance: CreditBalance

    public init(
      account: AccountID, revoked: Int, owed: Int = 0, alreadyRevoked: Bool = false, waiting: Bool = false,
      revokedBefore: Int? = nil, balance: CreditBalance
    ) {
      self.account = account
      self.revoked = revoked
      self.owed = owed
      self.alreadyRevoked = alreadyRevoked
      self.waiting = waiting
      self.revokedBefore = revokedBefore
      self.balance = balance
    }
  }
}

/// How many credits are granted or revoked at once: a larger number is a typing error.
public enum CreditAmount: IntegerRange { public static let range = 1...1_000_000 }

/// Why credits were granted or revoked, in words.
public enum CreditReason: ValueRule {
  public typealias Value = String

  /// In Unicode code points.
  public static let maximum = 500

  public static let expected = "a string of 1 to \(maximum) characters that says why"

  public static let keywords: JSONObject = [
    "type": "string", "minLength": 1, "maxLength": .number(JSONNumber(maximum)), "pattern": #"\S"#,
  ]

  public static func allows(_ value: String) -> Bool {
    value.unicodeScalars.count <= maximum && value.unicodeScalars.contains { !$0.properties.isWhitespace }
  }
}
