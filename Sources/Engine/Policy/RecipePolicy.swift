/// How patient the engine is with providers for one recipe (REQUIREMENTS 3.6, 5.3).
public struct RecipePolicy: Sendable, Equatable {
  /// The longest a generation may work, in milliseconds.
  public var timeoutMs = 60_000
  /// How often a request that was refused for the moment (429, 503) is sent again to the same provider.
  public var retries = 0
  /// The pause before the first of them, in milliseconds; each further one is twice as long.
  public var backoffMs = 1000
  /// The longest of these pauses, in milliseconds. A provider that asks for a longer one gets it.
  public var maximumBackoffMs = 30_000

  public init(timeoutMs: Int = 60_000, retries: Int = 0, backoffMs: Int = 1000, maximumBackoffMs: Int = 30_000) {
    self.timeoutMs = timeoutMs
    self.retries = retries
    self.backoffMs = backoffMs
    self.maximumBackoffMs = maximumBackoffMs
  }
}
