import Providers

/// The timeouts and retries for one recipe.
public struct RecipePolicy: Sendable, Equatable {
  /// The longest a generation may work, in milliseconds.
  public var timeoutMs = 60_000
  /// The same where a server on this machine is asked first, whose model may be slow.
  public var timeoutOfServerHereMs = 600_000
  /// How many times a temporarily refused request (429, 503) is sent again to the same provider.
  public var retries = 0
  /// The pause before the first retry, in milliseconds; each further one is twice as long.
  public var backoffMs = 1000
  /// The longest of these pauses, in milliseconds. A provider that asks for a longer one gets it.
  public var maximumBackoffMs = 30_000

  public init(timeoutMs: Int = 60_000, retries: Int = 0, backoffMs: Int = 1000, maximumBackoffMs: Int = 30_000) {
    self.timeoutMs = timeoutMs
    self.retries = retries
    self.backoffMs = backoffMs
    self.maximumBackoffMs = maximumBackoffMs
  }

  /// Sets the limit for every provider.
  public mutating func limit(toMs milliseconds: Int) {
    timeoutMs = milliseconds
    timeoutOfServerHereMs = milliseconds
  }

  /// The limit of a generation that asks this provider first.
  func timeoutMs(asking profile: ProviderProfile) -> Int {
    profile.isServedHere ? timeoutOfServerHereMs : timeoutMs
  }
}
