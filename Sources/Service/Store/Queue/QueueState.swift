import AtelierProtocol

/// The state of the offline queue of all processes at one moment.
public struct QueueState: Sendable, Equatable {
  /// A provider that cannot be reached.
  public struct Outage: Sendable, Equatable {
    public var since: Timestamp
    /// When a process probes the provider again.
    public var nextProbe: Timestamp

    public init(since: Timestamp, nextProbe: Timestamp) {
      self.since = since
      self.nextProbe = nextProbe
    }
  }

  /// How many generations wait for each provider, whichever process owns them, if any.
  public var waiting: [ProviderID: Int] = [:]
  /// The positions of this process's generations: 1 for the one accepted first of all that wait for its provider.
  public var positions: [GenerationID: Int] = [:]
  /// The earliest deadline of all waiting generations.
  public var nextDeadline: Timestamp?
  public var outages: [ProviderID: Outage] = [:]
  /// When the cooldown of each provider ends.
  public var cooldowns: [ProviderID: Timestamp] = [:]
  /// Whether the queue is paused for all accounts.
  public var isPaused = false

  public init() {}

  /// Whether no generation waits.
  public var isEmpty: Bool { waiting.isEmpty }

  /// Milliseconds until a provider is probed, or accepts requests, again.
  public func pauseMs(for provider: ProviderID, from now: Timestamp) -> Int64 {
    let ends = [outages[provider]?.nextProbe, cooldowns[provider]].compactMap { $0?.milliseconds }
    let (pause, overflow) = (ends.max() ?? 0).subtractingReportingOverflow(now.milliseconds)
    return overflow ? 0 : max(0, pause)
  }
}
