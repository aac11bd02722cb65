import AtelierProtocol
import JSON

/// How the queue of all processes stands at one moment.
public struct QueueState: Sendable, Equatable {
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

/// Those that wait for one provider.
public struct QueueLine: Sendable, Equatable {
  public var provider: ProviderID
  public var count: Int
  /// When the first of them was accepted.
  public var oldest: Timestamp
}

/// What is written of a generation when it begins to wait for its provider: enough for any process to do it later.
public struct QueuePlacement: Sendable {
  /// The provider it waits for.
  public var provider: ProviderID
  /// When it is given up.
  public var deadline: Timestamp
  /// Tries that the provider has refused so far.
  public var attempts: Int
  /// The params, with every picture named as one of `inputs` or of those kept before.
  public var request: JSONObject
  /// Pictures to be kept for it until its end; none where that was done before.
  public var inputs: [PreparedKeeping]
  /// What a person is told meanwhile.
  public var message: String

  public init(
    provider: ProviderID, deadline: Timestamp, attempts: Int, request: JSONObject, inputs: [PreparedKeeping],
    message: String
  ) {
    self.provider = provider
    self.deadline = deadline
    self.attempts = attempts
    self.request = request
    self.inputs = inputs
    self.message = message
  }
}
