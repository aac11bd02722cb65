/// What waits for a provider that cannot be reached, and until when.
public struct QueueStatus: RequestMessage {
  public static let method = "queue/status"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, by the rule for accounts; `*` is everybody's.
  @Limited<AccountOrEverybody> public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  /// How an account's part of the queue stands, or the whole queue of the data directory.
  public struct Result: Codable, Sendable, Equatable {
    /// How many generations wait.
    public var waiting: Int
    /// Whether they are held back until `queue/resume`.
    public var paused: Bool
    /// When somebody looks for the first of the providers again; absent when none is looked for.
    public var nextProbeAt: Timestamp?
    /// What waits, by provider.
    public var providers: [Line]

    public init(waiting: Int, paused: Bool, nextProbeAt: Timestamp? = nil, providers: [Line] = []) {
      self.waiting = waiting
      self.paused = paused
      self.nextProbeAt = nextProbeAt
      self.providers = providers
    }
  }

  /// Those that wait for one provider.
  public struct Line: Codable, Sendable, Equatable {
    /// The provider that is waited for.
    public var id: ProviderID
    /// How many.
    public var waiting: Int
    /// When the first of them was accepted.
    public var oldestAt: Timestamp
    /// Since when the provider cannot be reached; absent when it can, or asked for a pause.
    public var unreachableSince: Timestamp?
    /// When somebody looks for it again.
    public var nextProbeAt: Timestamp?
    /// Until when it wants to be left alone.
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

/// Holds back what waits, in every process and until `queue/resume`.
public struct QueuePause: RequestMessage {
  public static let method = "queue/pause"
  public static let errors: [ErrorKind] = [.permissionDenied, .storageFull]

  /// The account, by the rule for accounts; `*` is everybody's.
  @Limited<AccountOrEverybody> public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = QueueStatus.Result
}

/// Lets what waits begin again as soon as its provider can be reached.
public struct QueueResume: RequestMessage {
  public static let method = "queue/resume"
  public static let errors: [ErrorKind] = [.permissionDenied, .storageFull]

  /// The account, by the rule for accounts; `*` is everybody's.
  @Limited<AccountOrEverybody> public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = QueueStatus.Result
}
