import AtelierProtocol

/// Who an account is to the service.
public struct AccountRecord: Sendable, Equatable {
  public var account: AccountID
  /// When it was first seen.
  public var created: Timestamp
  /// The names of those who vouched for the person, such as `apple`, in the order of signing in.
  public var signedInWith: [String]
  /// When its subscriptions end unless they renew; nil without one, and for one without an end.
  public var premiumUntil: Timestamp?
  public var balance: CreditBalance
}
