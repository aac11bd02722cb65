/// The number of credits for each kind of grant, as configured by the operator.
public struct CreditRules: Sendable, Equatable {
  /// Granted to an account when it is first seen.
  public var guestCredits: Int
  /// Granted when an identity first signs in.
  public var freeCredits: Int
  /// Granted per month of premium that an operator gave; bought premium grants what its product specifies.
  public var premiumCredits: Int
  /// How long credits that came back after their expiry may be spent, in milliseconds.
  public var makegoodLifetimeMs: Int64

  public init(
    guestCredits: Int = 1, freeCredits: Int = 4, premiumCredits: Int = 168,
    makegoodLifetimeMs: Int64 = 7 * 86_400_000
  ) {
    self.guestCredits = guestCredits
    self.freeCredits = freeCredits
    self.premiumCredits = premiumCredits
    self.makegoodLifetimeMs = makegoodLifetimeMs
  }
}
