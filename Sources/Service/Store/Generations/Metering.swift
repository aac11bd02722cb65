/// What an accepted request takes from a metered account.
public struct Metering: Sendable, Equatable {
  /// Credits to hold; 0 for a free request.
  public var credits: Int
  /// The limits that the request must not exceed.
  public var limits: [UsageLimit]

  public init(credits: Int, limits: [UsageLimit]) {
    self.credits = credits
    self.limits = limits
  }
}
