import JSON

/// The host and the service introduce themselves.
///
/// Optional: any method may come first. Members this version does not know are ignored, because clients built on
/// the Language Server Protocol send many.
public struct Initialize: RequestMessage, OpenToUnknownMembers {
  public static let method = "initialize"

  /// Who the host is; for the log.
  public var clientInfo: ClientInfo?
  /// The host's process: when it ends, the service ends as well. Not watched where the service cannot see it.
  public var processId: Int32?
  /// The version the host was written for.
  public var protocolVersion: String?
  /// Confines the connection to this account: it sees no other's generations, and naming another is refused. Without it
  /// the host is trusted to act for any.
  public var account: AccountID?
  /// What the host can do and wants.
  public var capabilities: Capabilities?

  public init(
    clientInfo: ClientInfo? = nil, processId: Int32? = nil, protocolVersion: String? = nil, account: AccountID? = nil,
    capabilities: Capabilities? = nil
  ) {
    self.clientInfo = clientInfo
    self.processId = processId
    self.protocolVersion = protocolVersion
    self.account = account
    self.capabilities = capabilities
  }

  /// The host's name.
  public struct ClientInfo: Codable, Sendable, Equatable, OpenToUnknownMembers {
    /// The name of the program.
    public var name: String
    /// The version of the program.
    public var version: String?

    public init(name: String, version: String? = nil) {
      self.name = name
      self.version = version
    }
  }

  /// What a host can do and wants.
  public struct Capabilities: Codable, Sendable, Equatable, OpenToUnknownMembers {
    /// false: no `generation/progress` at all. Default true.
    public var progress: Bool?
    /// The notifications the host does not want, by method name.
    public var mute: [String]?

    public init(progress: Bool? = nil, mute: [String]? = nil) {
      self.progress = progress
      self.mute = mute
    }
  }

  /// What the service is and can.
  public struct Result: Codable, Sendable, Equatable {
    /// The version of the protocol spoken.
    public var protocolVersion: String
    /// Who the service is.
    public var serverInfo: ServerInfo
    /// What it can do here.
    public var capabilities: ServerCapabilities
    /// How much it takes.
    public var limits: Limits
    /// Every provider of this service, whether it is available or not.
    public var providers: [ProviderID]

    public init(
      protocolVersion: String = ProtocolVersion.current, serverInfo: ServerInfo, capabilities: ServerCapabilities,
      limits: Limits, providers: [ProviderID]
    ) {
      self.protocolVersion = protocolVersion
      self.serverInfo = serverInfo
      self.capabilities = capabilities
      self.limits = limits
      self.providers = providers
    }
  }

  /// The service's name and version.
  public struct ServerInfo: Codable, Sendable, Equatable {
    /// Always `atelier`.
    public var name: String
    /// The version of the program.
    public var version: String

    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  /// What the service can do; more members may come.
  public struct ServerCapabilities: Codable, Sendable, Equatable {
    /// What can be made with the providers there are.
    public var recipes: [Recipe]
    /// Every request and notification the service accepts.
    public var methods: [String]
    /// Every notification the service sends.
    public var notifications: [String]

    public init(
      recipes: [Recipe], methods: [String] = ProtocolRegistry.acceptedMethods,
      notifications: [String] = ProtocolRegistry.sentNotifications
    ) {
      self.recipes = recipes
      self.methods = methods
      self.notifications = notifications
    }
  }

  /// How much the service takes.
  public struct Limits: Codable, Sendable, Equatable {
    /// The longest message, in bytes.
    public var maxMessageBytes: Int
    /// The largest photo `generate` takes, in bytes.
    public var maxImageBytes: Int
    /// How many requests may be in flight at once.
    public var maxInFlight: Int

    public init(maxMessageBytes: Int, maxImageBytes: Int, maxInFlight: Int) {
      self.maxMessageBytes = maxMessageBytes
      self.maxImageBytes = maxImageBytes
      self.maxInFlight = maxInFlight
    }
  }
}

/// The host has read the answer to `initialize`. Accepted and without effect.
public struct Initialized: NotificationMessage, Parameterless {
  public static let method = "initialized"

  public init() {}
}

/// The host is about to leave. Only `exit` and cancels are accepted afterwards.
public struct Shutdown: RequestMessage, Parameterless {
  public static let method = "shutdown"

  public init() {}

  public typealias Result = NullResult
}

/// The process ends at once, with code 0 after `shutdown`, else 1.
public struct Exit: NotificationMessage, Parameterless {
  public static let method = "exit"

  public init() {}
}

/// Answered at once, whatever else goes on.
public struct Ping: RequestMessage, Parameterless {
  public static let method = "ping"

  public init() {}

  /// An empty object.
  public struct Result: Codable, Sendable, Equatable {
    public init() {}
  }
}

/// The OpenRPC document of this service.
public struct Discover: RequestMessage, Parameterless {
  public static let method = "rpc.discover"

  public init() {}

  /// The document.
  public typealias Result = JSONValue
}
