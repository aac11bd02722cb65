/// `providers/list`: who can make pictures here, and what each needs.
public struct ProvidersList: RequestMessage, Parameterless {
  public static let method = "providers/list"

  public init() {}

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
    /// Until when the provider asked not to be asked.
    public var cooldownUntil: Timestamp?
    /// True when it works on this machine, without a network.
    public var local: Bool

    public init(
      id: ProviderID, title: String, available: Bool, reason: String? = nil, needsKey: Bool = false, recipes: [Recipe],
      models: [String], cooldownUntil: Timestamp? = nil, local: Bool
    ) {
      self.id = id
      self.title = title
      self.available = available
      self.reason = reason
      self.needsKey = needsKey
      self.recipes = recipes
      self.models = models
      self.cooldownUntil = cooldownUntil
      self.local = local
    }
  }
}

extension ProvidersList: SchemaDescribed {
  public static let summary = "Who can make pictures here, and what each needs."
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
    "cooldownUntil": "Until when the provider asked not to be asked.",
    "local": "True when it works on this machine, without a network.",
  ]
}
