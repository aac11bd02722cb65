/// `providers/list`: who can make pictures here, and what each needs.
public struct ProvidersList: RequestMessage {
  public static let method = "providers/list"

  /// Whether each provider that can be asked is asked for the models its key may use.
  public var fetchModels: Bool?

  public init(fetchModels: Bool? = nil) {
    self.fetchModels = fetchModels
  }

  /// Every provider of this service, in the order in which they are tried.
  public struct Result: Codable, Sendable, Equatable {
    public var providers: [Entry]

    public init(providers: [Entry]) {
      self.providers = providers
    }
  }

  /// One provider.
  public struct Entry: Codable, Sendable, Equatable {
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

extension ProvidersList: SchemaDescribed {
  public static let summary = "Who can make pictures here, and what each needs."

  public static let members = [
    "fetchModels":
      "true: ask each provider that can be asked for the models its key may use, which takes as long as the slowest of "
      + "them. Default false: the ones known here."
  ]
}

extension ProvidersList.Result: SchemaDescribed {
  public static let summary = "Every provider of this service, in the order in which they are tried."
}

extension ProvidersList.Entry: SchemaDescribed {
  public static let summary = "One provider."

  public static let members = [
    "title": "Its name for people.",
    "available": "True when it can be asked now.",
    "reason": "Why not, as a sentence with what to do about it.",
    "needsKey": "True when it is missing its API key.",
    "recipes": "What it can make.",
    "models": "Its models, the one it chooses itself first.",
    "modelsError": "Why the models could not be fetched; `models` are the known ones then.",
    "cooldownUntil": "Until when the provider asked not to be asked for the model it chooses itself.",
    "pausedModels": "The models that are left alone for now; other ones may be asked for.",
    "local": "True when it works on this machine, without a network.",
  ]
}

/// `provider/changed`: a provider became available or ceased to be.
public struct ProviderChanged: NotificationMessage {
  public static let method = "provider/changed"

  public var id: ProviderID
  public var available: Bool
  /// Until when the provider asked not to be asked.
  public var cooldownUntil: Timestamp?

  public init(id: ProviderID, available: Bool, cooldownUntil: Timestamp? = nil) {
    self.id = id
    self.available = available
    self.cooldownUntil = cooldownUntil
  }
}

extension ProviderChanged: SchemaDescribed {
  public static let summary = "A provider became available or ceased to be."

  public static let members = [
    "cooldownUntil": "Until when the provider asked not to be asked."
  ]
}
