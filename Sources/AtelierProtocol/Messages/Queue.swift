/// `queue/status`: what waits for a provider that cannot be reached, and until when.
public struct QueueStatus: RequestMessage {
  public static let method = "queue/status"

  /// Whose. Default: the account of `initialize`, else everybody's.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  /// How the queue of the whole data directory stands, or an account's part of it.
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

extension QueueStatus: SchemaDescribed {
  public static let summary = "What waits for a provider that cannot be reached, and until when."

  public static let members = [
    "account": "Whose. Default: the account of `initialize`, else everybody's."
  ]
}

extension QueueStatus.Result: SchemaDescribed {
  public static let summary = "How the queue of the whole data directory stands, or an account's part of it."

  public static let members = [
    "waiting": "How many generations wait.",
    "paused": "Whether they are held back until `queue/resume`.",
    "nextProbeAt": "When somebody looks for the first of the providers again; absent when none is looked for.",
    "providers": "What waits, by provider.",
  ]
}

extension QueueStatus.Line: SchemaDescribed {
  public static let summary = "Those that wait for one provider."

  public static let members = [
    "waiting": "How many.",
    "oldestAt": "When the first of them was accepted.",
    "unreachableSince": "Since when the provider cannot be reached; absent when it can, or asked for a pause.",
    "nextProbeAt": "When somebody looks for it again.",
    "cooldownUntil": "Until when it wants to be left alone.",
  ]
}

/// `queue/pause`: holds back what waits, in every process and until `queue/resume`.
///
/// Requests that find their provider ready are done as ever. Pausing twice is fine.
public struct QueuePause: RequestMessage {
  public static let method = "queue/pause"

  /// Whose. Default: the account of `initialize`, else everybody's.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = QueueStatus.Result
}

extension QueuePause: SchemaDescribed {
  public static let summary = "Holds back what waits, in every process and until `queue/resume`."

  public static let members = [
    "account": "Whose. Default: the account of `initialize`, else everybody's."
  ]
}

/// `queue/resume`: lets what waits begin again as soon as its provider can be reached.
///
/// It takes back one `queue/pause`: everybody's where no account is meant, or one account's, which stays held back while
/// everybody's is. Resuming what was never paused is fine.
public struct QueueResume: RequestMessage {
  public static let method = "queue/resume"

  /// Whose. Default: the account of `initialize`, else everybody's.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = QueueStatus.Result
}

extension QueueResume: SchemaDescribed {
  public static let summary = "Lets what waits begin again as soon as its provider can be reached."

  public static let members = [
    "account": "Whose. Default: the account of `initialize`, else everybody's."
  ]
}
