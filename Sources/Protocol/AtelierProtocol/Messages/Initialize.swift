import Localization

/// Exchanges the versions and capabilities of host and service.
///
/// Optional: any method may come first. Unknown members are ignored, because clients built on the Language Server
/// Protocol send many.
public struct Initialize: RequestMessage, OpenToUnknownMembers {
  public static let method = "initialize"

  /// The name and version of the host, for the log.
  public var clientInfo: ClientInfo?
  /// The id of the host's process. When that process ends, the service ends as well. Ignored if the service cannot see
  /// the process.
  public var processId: Int32?
  /// The protocol version that the host was written for.
  public var protocolVersion: String?
  /// Confines the connection to this account: it sees the generations of no other account, and naming another account
  /// is refused. Default: the connection may act for every account.
  public var account: AccountID?
  /// The language of what the person reads: messages of errors, warnings and progress. The tag of a language (BCP 47), such
  /// as `es-MX`, or several with weights as in the HTTP header `Accept-Language`, such as `ja, en;q=0.5`. Language and
  /// script decide: `es-AR` is Spanish, `zh-TW` is not `zh-Hans`. Default, and where none of them is in
  /// `capabilities.locales`: English.
  public var locale: String?
  /// Which notifications the host wants, and what it answers.
  public var capabilities: Capabilities?

  public init(
    clientInfo: ClientInfo? = nil, processId: Int32? = nil, protocolVersion: String? = nil, account: AccountID? = nil,
    locale: String? = nil, capabilities: Capabilities? = nil
  ) {
    self.clientInfo = clientInfo
    self.processId = processId
    self.protocolVersion = protocolVersion
    self.account = account
    self.locale = locale
    self.capabilities = capabilities
  }

  /// The name and version of the host.
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

  /// Which notifications the host wants, and what it answers.
  public struct Capabilities: Codable, Sendable, Equatable, OpenToUnknownMembers {
    /// Whether to send `generation/progress` for requests that do not say. Default true.
    public var progress: Bool?
    /// The method names of the notifications that the host does not want.
    public var mute: [String]?
    /// Whether the host answers `location/search`. Default false.
    public var locationSearch: Bool?

    public init(progress: Bool? = nil, mute: [String]? = nil, locationSearch: Bool? = nil) {
      self.progress = progress
      self.mute = mute
      self.locationSearch = locationSearch
    }
  }

  /// What the service is and what it can do.
  public struct Result: Codable, Sendable, Equatable {
    /// The protocol version that the service speaks.
    public var protocolVersion: String
    /// The name and version of the service.
    public var serverInfo: ServerInfo
    /// What the service can do.
    public var capabilities: ServerCapabilities
    /// The limits of what the service accepts.
    public var limits: Limits
    /// Every provider of this service, whether it is available or not.
    public var providers: [ProviderID]
    /// The language that was chosen from `locale`, one of `capabilities.locales`.
    public var locale: String

    public init(
      protocolVersion: String = ProtocolVersion.current, serverInfo: ServerInfo, capabilities: ServerCapabilities,
      limits: Limits, providers: [ProviderID], locale: String = Language.english.rawValue
    ) {
      self.protocolVersion = protocolVersion
      self.serverInfo = serverInfo
      self.capabilities = capabilities
      self.limits = limits
      self.providers = providers
      self.locale = locale
    }
  }

  /// The name and version of the service.
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

  /// What the service can do; members may be added.
  public struct ServerCapabilities: Codable, Sendable, Equatable {
    /// The recipes that at least one provider can make, whether it is available or not.
    public var recipes: [Recipe]
    /// Every request and notification that the service accepts.
    public var methods: [String]
    /// Every notification that the service sends.
    public var notifications: [String]
    /// The languages of what the person reads, as tags (BCP 47).
    public var locales: [String]
    /// Whether the operator has named a watermark, so that `image/read` takes `watermark`.
    public var watermark: Bool

    public init(
      recipes: [Recipe], methods: [String] = ProtocolRegistry.acceptedMethods,
      notifications: [String] = ProtocolRegistry.sentNotifications,
      locales: [String] = Language.allCases.map(\.rawValue), watermark: Bool = false
    ) {
      self.recipes = recipes
      self.methods = methods
      self.notifications = notifications
      self.locales = locales
      self.watermark = watermark
    }
  }

  /// The limits of what the service accepts.
  public struct Limits: Codable, Sendable, Equatable {
    /// The maximum size of a message, in bytes.
    public var maxMessageBytes: Int
    /// The maximum size of a photo for `generate`, in bytes.
    public var maxImageBytes: Int
    /// The maximum number of requests in flight.
    public var maxInFlight: Int

    public init(maxMessageBytes: Int, maxImageBytes: Int, maxInFlight: Int) {
      self.maxMessageBytes = maxMessageBytes
      self.maxImageBytes = maxImageBytes
      self.maxInFlight = maxInFlight
    }
  }
}
