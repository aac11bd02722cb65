import AtelierProtocol

/// How the queue of all processes stands at one moment.
public struct QueueStanding: Sendable, Equatable {
  /// A provider that cannot be reached.
  public struct Outage: Sendable, Equatable {
    public var since: Timestamp
    /// When somebody looks again.
    public var nextProbe: Timestamp

    public init(since: Timestamp, nextProbe: Timestamp) {
      self.since = since
      self.nextProbe = nextProbe
    }
  }

  /// How many wait for each provider, in any process or none.
  public var waiting: [ProviderID: Int] = [:]
  /// This process's own: 1 for the one that was accepted first of all that wait for its provider.
  public var positions: [GenerationID: Int] = [:]
  /// When the first of all is to be given up.
  public var nextDeadline: Timestamp?
  public var outages: [ProviderID: Outage] = [:]
  /// Until when providers want to be left alone.
  public var cooldowns: [ProviderID: Timestamp] = [:]
  /// Whether everybody's queue is paused.
  public var isPaused = false

  public init() {}

  /// Whether anything waits.
  public var isEmpty: Bool { waiting.isEmpty }

  /// Milliseconds until a provider is looked for, or wants to be asked, again.
  public func pauseMs(for provider: ProviderID, from now: Timestamp) -> Int64 {
    let ends = [outages[provider]?.nextProbe, cooldowns[provider]].compactMap { $0?.milliseconds }
    let (pause, overflow) = (ends.max() ?? 0).subtractingReportingOverflow(now.milliseconds)
    return overflow ? 0 : max(0, pause)
  }
}
