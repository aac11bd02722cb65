/// How many credits come with what, as the operator configures it (REQUIREMENTS 6.2).
public struct CreditRules: Sendable, Equatable {
  /// What an account is given when it is first seen.
  public var guestCredits: Int
  /// What an identity is given when it first signs in.
  public var freeCredits: Int
  /// What a month of premium brings that an operator gave; a bought one brings what its product says.
  public var premiumCredits: Int
  /// How long credits may be spent that came back after their time was over, in milliseconds.
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
