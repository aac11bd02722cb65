/// What an account is entitled to; the operator can configure other numbers of credits.
public enum Tier: String, Codable, Sendable, CaseIterable {
  /// The person has not signed in: 1 credit, once.
  case guest
  /// The person has signed in: 4 credits, once.
  case free
  /// The account has a subscription: credits every month.
  case premium
  /// The machine's own account: needs no credits.
  case owner
}
