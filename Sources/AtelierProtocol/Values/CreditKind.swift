/// Where credits come from (REQUIREMENTS 6.2).
public enum CreditKind: String, Codable, Sendable, CaseIterable {
  /// The one credit of a guest.
  case guest
  /// What signing in for the first time gives.
  case free
  /// A month of a subscription; gone when the next one begins.
  case period
  /// Bought; never expires.
  case bundle
  /// Given back after what they were taken from had expired (REQUIREMENTS 6.4).
  case makegood
  /// Granted by whoever runs the service.
  case `operator`
}

extension CreditKind: SchemaDescribed {
  public static let summary =
    "Where credits come from: the one of a guest, signing in for the first time, a month of a subscription, a bundle "
    + "that never expires, what came back after its source had expired, or whoever runs the service."
}
