import AtelierProtocol

/// How the queue of all processes stands at one moment.
public struct QueueStanding: Sendable, Equatable {
  /// A generation of this process that waits.
  public struct Guest: Sendable, Equatable {
    public var id: GenerationID
    public var account: AccountID
    public var provider: ProviderID
    /// 1 for the one that was accepted first of all that wait for this provider, in any process.
    public var position: Int

    public init(id: GenerationID, account: AccountID, provider: ProviderID, position: Int) {
      self.id = id
      self.account = account
      self.provider = provider
      self.position = position
    }
  }

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

  /// This process's own, in the order in which they were accepted.
  public var own: [Guest]
  /// How many wait for each provider, in any process.
  public var waiting: [ProviderID: Int]
  /// Whether some of them are another process's.
  public var othersWait: Bool
  /// When the first of them is to be given up.
  public var nextDeadline: Timestamp?
  public var outages: [ProviderID: Outage]
  /// Until when providers want to be left alone.
  public var cooldowns: [ProviderID: Timestamp]
  /// Whether everybody's queue is paused.
  public var isPaused: Bool
  public var pausedAccounts: Set<AccountID>

  public init(
    own: [Guest] = [], waiting: [ProviderID: Int] = [:], othersWait: Bool = false, nextDeadline: Timestamp? = nil,
    outages: [ProviderID: Outage] = [:], cooldowns: [ProviderID: Timestamp] = [:], isPaused: Bool = false,
    pausedAccounts: Set<AccountID> = []
  ) {
    self.own = own
    self.waiting = waiting
    self.othersWait = othersWait
    self.nextDeadline = nextDeadline
    self.outages = outages
    self.cooldowns = cooldowns
    self.isPaused = isPaused
    self.pausedAccounts = pausedAccounts
  }

  /// Whether anything waits, in any process.
  public var isEmpty: Bool { waiting.isEmpty }

  /// Whether what this account has waiting is held back.
  public func holdsBack(_ account: AccountID) -> Bool { isPaused || pausedAccounts.contains(account) }
}
