/// Records that the person behind an account has accepted a version of the terms of use.
///
/// The first acceptance of a version counts; repeating it changes nothing. The operator can require consent, with
/// `accounts.requireConsent` in the configuration.
public struct AccountConsent: RequestMessage {
  public static let method = "account/consent"
  public static let errors: [ErrorKind] = [.permissionDenied, .storageFull]

  /// The account of the person.
  public var account: AccountID
  /// The version of the terms, as the operator names it, such as `2026-11`.
  @LimitedText<ConsentVersion> public var version: String
  /// When the person accepted it; not in the future. Default: now.
  public var acceptedAt: Timestamp?

  public init(account: AccountID, version: String, acceptedAt: Timestamp? = nil) {
    self.account = account
    self.version = version
    self.acceptedAt = acceptedAt
  }

  /// What the person has accepted.
  public struct Result: Codable, Sendable, Equatable {
    /// The account of the person.
    public var account: AccountID
    /// All versions that the person has accepted, in that order.
    public var consents: [Consent]
    /// False when this version had been accepted before.
    public var isNew: Bool

    public init(account: AccountID, consents: [Consent], isNew: Bool) {
      self.account = account
      self.consents = consents
      self.isNew = isNew
    }
  }
}
