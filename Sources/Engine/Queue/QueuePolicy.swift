import Store

/// What becomes of requests that wait for their provider (REQUIREMENTS 4.4).
public struct QueuePolicy: Sendable, Equatable {
  /// How long one waits that does not say, in milliseconds.
  public var deadlineMs: Int64 = 24 * 3_600_000
  /// How often the provider may refuse one before it fails.
  public var attempts = 5
  /// The pauses between two looks at a provider that cannot be reached.
  public var probes = ProbeBackoff(firstMs: 1000, longestMs: 60_000)

  public init() {}
}
