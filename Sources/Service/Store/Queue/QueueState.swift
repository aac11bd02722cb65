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

  /// The providers that generations wait for, whichever process owns these, if any; in the order of their names.
  public var providers: [ProviderID] = []
  /// The earliest deadline of all waiting generations.
  public var nextDeadline: Timestamp?
  public var outages: [ProviderID: Outage] = [:]
  /// When the cooldown of each provider ends.
  public var cooldowns: [ProviderID: Timestamp] = [:]
  /// Whether the queue is paused for all accounts.
  public var isPaused = false

  public init() {}

  /// Whether no generation waits.
  public var isEmpty: Bool { providers.isEmpty }

  /// Milliseconds until a provider is probed, or accepts requests, again.
  public func pauseMs(for provider: ProviderID, from now: Timestamp) -> Int64 {
    let ends = [outages[provider]?.nextProbe, cooldowns[provider]].compactMap { $0?.milliseconds }
    let (pause, overflow) = (ends.max() ?? 0).subtractingReportingOverflow(now.milliseconds)
    return overflow ? 0 : max(0, pause)
  }
}
