import Localization

/// Whether a provider can be used now.
public struct ProviderStatus: Codable, Sendable, Equatable {
  /// The provider.
  public var id: ProviderID
  /// True when the provider can be used now.
  public var available: Bool
  /// Why the provider is not available and what to do about it, as a sentence for the person.
  public var reason: Sentence?
  /// What whoever runs the service can do about it, in English.
  public var hint: String?
  /// True when the provider's API key is missing.
  public var needsKey: Bool
  /// The end of the cooldown of the provider's default model, a pause that the provider asked for; absent if there is
  /// none.
  public var cooldownUntil: Timestamp?
  /// The models that have a cooldown; the provider's other models can be used.
  public var pausedModels: [PausedModel]?

  public init(
    id: ProviderID, available: Bool, reason: Sentence? = nil, hint: String? = nil, needsKey: Bool = false,
    cooldownUntil: Timestamp? = nil, pausedModels: [PausedModel]? = nil
  ) {
    self.id = id
    self.available = available
    self.reason = reason
    self.hint = hint
    self.needsKey = needsKey
    self.cooldownUntil = cooldownUntil
    self.pausedModels = pausedModels
  }
}

/// A model that has a cooldown, a pause that its provider asked for.
public struct PausedModel: Codable, Sendable, Equatable {
  /// The model's name, as `generate` takes it.
  public var model: String
  /// The end of the cooldown; a success ends it earlier.
  public var until: Timestamp

  public init(model: String, until: Timestamp) {
    self.model = model
    self.until = until
  }
}
