import Localization

/// Lists the providers, what they can make, and whether they are available.
public struct ProvidersList: RequestMessage {
  public static let method = "providers/list"

  /// true: ask each available provider which models its key may use; the answer takes as long as the slowest provider.
  /// Default false: list the models that the service knows.
  public var fetchModels: Bool?

  public init(fetchModels: Bool? = nil) {
    self.fetchModels = fetchModels
  }

  /// The providers of the service.
  public struct Result: Codable, Sendable, Equatable {
    /// Every provider; those on this machine first.
    public var providers: [Entry]

    public init(providers: [Entry]) {
      self.providers = providers
    }
  }

  /// One provider.
  public struct Entry: Codable, Sendable, Equatable {
    /// The id, for `generate` as `provider`.
    public var id: ProviderID
    /// The provider's name for people.
    public var title: String
    /// True when the provider can be used now.
    public var available: Bool
    /// Why the provider is not available and what to do about it, as a sentence for the person.
    public var reason: Sentence?
    /// What whoever runs the service can do about it, in English.
    public var hint: String?
    /// True when the provider's API key is missing.
    public var needsKey: Bool
    /// The recipes that the provider can make.
    public var recipes: [Recipe]
    /// The provider's models, the default model first.
    public var models: [String]
    /// The provider's models that answer in words, for `places`, the default model first; absent if there are none.
    public var textModels: [String]?
    /// Why the models could not be fetched; `models` then lists those that the service knows.
    public var modelsError: ErrorBody?
    /// The end of the cooldown of the provider's default model, a pause that the provider asked for; absent if there is
    /// none.
    public var cooldownUntil: Timestamp?
    /// The models that have a cooldown; the provider's other models can be used.
    public var pausedModels: [PausedModel]?
    /// True when the provider works on this machine, without a network.
    public var local: Bool
    /// The price of each recipe that the provider can make.
    public var offers: [Offer]?

    public init(
      id: ProviderID, title: String, available: Bool, reason: Sentence? = nil, hint: String? = nil, needsKey: Bool = false,
      recipes: [Recipe], models: [String], textModels: [String]? = nil, modelsError: ErrorBody? = nil,
      cooldownUntil: Timestamp? = nil, pausedModels: [PausedModel]? = nil, local: Bool, offers: [Offer]? = nil
    ) {
      self.id = id
      self.title = title
      self.available = available
      self.reason = reason
      self.hint = hint
      self.needsKey = needsKey
      self.recipes = recipes
      self.models = models
      self.textModels = textModels
      self.modelsError = modelsError
      self.cooldownUntil = cooldownUntil
      self.pausedModels = pausedModels
      self.local = local
      self.offers = offers
    }
  }

  /// What a picture of one recipe, or a list of places, costs at a provider.
  public struct Offer: Codable, Sendable, Equatable {
    /// The recipe.
    public var recipe: Recipe
    /// True when a request that names no provider would be sent to this one now.
    public var isDefault: Bool
    /// The credits that a picture, or a list of places, costs a metered account.
    public var creditsPerImage: Int
    /// What a picture of the default model in its standard size costs whoever pays the provider, in US dollars; absent
    /// if unknown.
    public var usdPerImage: Double?

    public init(recipe: Recipe, isDefault: Bool, creditsPerImage: Int, usdPerImage: Double? = nil) {
      self.recipe = recipe
      self.isDefault = isDefault
      self.creditsPerImage = creditsPerImage
      self.usdPerImage = usdPerImage
    }
  }
}

/// A provider has become available or unavailable.
public struct ProviderChanged: NotificationMessage {
  public static let method = "provider/changed"

  /// The provider.
  public var id: ProviderID
  /// True when the provider can be used now.
  public var available: Bool
  /// The end of the cooldown of the provider's default model; absent if there is none.
  public var cooldownUntil: Timestamp?

  public init(id: ProviderID, available: Bool, cooldownUntil: Timestamp? = nil) {
    self.id = id
    self.available = available
    self.cooldownUntil = cooldownUntil
  }
}
