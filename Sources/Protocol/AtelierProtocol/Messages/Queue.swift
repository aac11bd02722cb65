/// Reports the offline queue: the generations that wait for a provider that cannot be reached.
public struct QueueStatus: RequestMessage {
  public static let method = "queue/status"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  /// The offline queue of the data directory, or an account's part of it.
  public struct Result: Codable, Sendable, Equatable {
    /// The number of waiting generations.
    public var waiting: Int
    /// True when they are held back until `queue/resume`.
    public var paused: Bool
    /// The time of the next probe of any of the providers; absent if none is planned.
    public var nextProbeAt: Timestamp?
    /// The waiting generations by provider.
    public var providers: [Line]

    public init(waiting: Int, paused: Bool, nextProbeAt: Timestamp? = nil, providers: [Line] = []) {
      self.waiting = waiting
      self.paused = paused
      self.nextProbeAt = nextProbeAt
      self.providers = providers
    }
  }

  /// The generations that wait for one provider.
  public struct Line: Codable, Sendable, Equatable {
    /// The provider that they wait for.
    public var id: ProviderID
    /// The number of waiting generations.
    public var waiting: Int
    /// When the oldest of them was accepted.
    public var oldestAt: Timestamp
    /// When the provider's outage began; absent if the provider can be reached or has only asked for a pause.
    public var unreachableSince: Timestamp?
    /// The time of the next probe of the provider.
    public var nextProbeAt: Timestamp?
    /// The end of the provider's cooldown; absent if there is none.
    public var cooldownUntil: Timestamp?

    public init(
      id: ProviderID, waiting: Int, oldestAt: Timestamp, unreachableSince: Timestamp? = nil,
      nextProbeAt: Timestamp? = nil, cooldownUntil: Timestamp? = nil
    ) {
      self.id = id
      self.waiting = waiting
      self.oldestAt = oldestAt
      self.unreachableSince = unreachableSince
      self.nextProbeAt = nextProbeAt
      self.cooldownUntil = cooldownUntil
    }
  }
}

/// Holds back the waiting generations, in every process, until `queue/resume`.
public struct QueuePause: RequestMessage {
  public static let method = "queue/pause"
  public static let errors: [ErrorKind] = [.permissionDenied, .storageFull]

  /// The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = QueueStatus.Result
}

/// Releases the waiting generations: each starts as soon as its provider can be reached.
public struct QueueResume: RequestMessage {
  public static let method = "queue/resume"
  public static let errors: [ErrorKind] = [.permissionDenied, .storageFull]

  /// The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = QueueStatus.Result
}
