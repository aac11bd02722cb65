/// Where credits come from.
public enum CreditKind: String, Codable, Sendable, CaseIterable {
  /// Granted to a new guest; never expires.
  case guest
  /// Granted when the person first signs in; never expires.
  case free
  /// Granted for a month of a subscription; expires when the next month begins.
  case period
  /// Bought as a bundle; never expires.
  case bundle
  /// Returned after the grant that they came from had expired; valid for a few days.
  case makegood
  /// Granted by the operator of the service.
  case `operator`
}
