/// What accepting a request takes from a metered account.
public struct Metering: Sendable, Equatable {
  /// Credits to be set aside; 0 for what costs none.
  public var credits: Int
  /// What the request must not pass.
  public var limits: [UsageLimit]

  public init(credits: Int, limits: [UsageLimit]) {
    self.credits = credits
    self.limits = limits
  }
}
