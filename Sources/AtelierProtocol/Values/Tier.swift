/// What an account is entitled to (REQUIREMENTS 6.2, 6.3).
public enum Tier: String, Codable, Sendable, CaseIterable {
  /// Nobody has signed in: 1 credit in its life.
  case guest
  /// Signed in: 4 credits in its life.
  case free
  /// Subscribed: credits for every month.
  case premium
  /// The machine's own account: unmetered.
  case owner
}
