/// Who can make pictures here, and what each needs.
public struct ProvidersList: RequestMessage {
  public static let method = "providers/list"

  /// true: ask each provider that can be asked for the models its key may use, which takes as long as the
  /// slowest of them. Default false: the ones known here.
  public var fetchModels: Bool?

  public init(fetchModels: Bool? = nil) {
    self.fetchModels = fetchModels
  }

  /// Every provider of this service, in the order in which they are tried.
  public struct Result: Codable, Sendable, Equatable {
    /// In the order in which they are tried.
    public var providers: [Entry]

    public init(providers: [Entry]) {
      self.providers = providers
    }
  }

  /// One provider.
  public struct Entry: Codable, Sendable, Equatable {
    /// What `generate` takes as `provider`.
    public var id: ProviderID
    /// Its name for people.
    public var title: String
    /// True when it can be asked now.
    public var available: Bool
    /// Why not, as a sentence with what to do about it.
    public var reason: String?
    /// True when it is missing its API key.
    public var needsKey: Bool
    /// What it can make.
    public var recipes: [Recipe]
    /// Its models, the one it chooses itself first.
    public var models: [String]
    /// Why the models could not be fetched; `models` are the known ones then.
    public var modelsError: ErrorBody?
    /// Until when the provider asked not to be asked for the model it chooses itself.
    public var cooldownUntil: Timestamp?
    /// The models that are left alone for now; other ones may be asked for.
    public var pausedModels: [PausedModel]?
    /// True when it works on this machine, without a network.
    public var local: Bool

    public init(
      id: ProviderID, title: String, available: Bool, reason: String? = nil, needsKey: Bool = false, recipes: [Recipe],
      models: [String], modelsError: ErrorBody? = nil, cooldownUntil: Timestamp? = nil, pausedModels: [PausedModel]? = nil,
      local: Bool
    ) {
      self.id = id
      self.title = title
      self.available = available
      self.reason = reason
      self.needsKey = needsKey
      self.recipes = recipes
      self.models = models
      self.modelsError = modelsError
      self.cooldownUntil = cooldownUntil
      self.pausedModels = pausedModels
      self.local = local
    }
  }
}

/// A provider became available or ceased to be.
public struct ProviderChanged: NotificationMessage {
  public static let method = "provider/changed"

  /// The provider.
  public var id: ProviderID
  /// True when it can be asked now.
  public var available: Bool
  /// Until when the provider asked not to be asked.
  public var cooldownUntil: Timestamp?

  public init(id: ProviderID, available: Bool, cooldownUntil: Timestamp? = nil) {
    self.id = id
    self.available = available
    self.cooldownUntil = cooldownUntil
  }
}
