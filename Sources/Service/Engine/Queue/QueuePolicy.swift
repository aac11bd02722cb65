import Store

/// How the offline queue treats requests that wait for their provider.
public struct QueuePolicy: Sendable, Equatable {
  /// How long a request waits when it sets no limit, in milliseconds.
  public var deadlineMs: Int64 = 24 * 3_600_000
  /// How many times the provider may refuse a request before the request fails.
  public var attempts = 5
  /// The pauses between two probes of an unreachable provider.
  public var probes = Backoff(firstMs: 1000, longestMs: 60_000)

  public init() {}
}
