/// Whether a provider can be asked now.
public struct ProviderStatus: Codable, Sendable, Equatable {
  public var id: ProviderID
  /// True when it can be asked now.
  public var available: Bool
  /// Why not, as a sentence with what to do about it.
  public var reason: String?
  /// True when it is missing its API key.
  public var needsKey: Bool
  /// Until when the provider asked not to be asked for the model it chooses itself.
  public var cooldownUntil: Timestamp?
  /// The models that are left alone for now; other ones may be asked for.
  public var pausedModels: [PausedModel]?

  public init(
    id: ProviderID, available: Bool, reason: String? = nil, needsKey: Bool = false, cooldownUntil: Timestamp? = nil,
    pausedModels: [PausedModel]? = nil
  ) {
    self.id = id
    self.available = available
    self.reason = reason
    self.needsKey = needsKey
    self.cooldownUntil = cooldownUntil
    self.pausedModels = pausedModels
  }
}

/// A model that its provider asked not to be asked for.
public struct PausedModel: Codable, Sendable, Equatable {
  public var model: String
  /// It may be asked for again from this moment on, or earlier after a success.
  public var until: Timestamp

  public init(model: String, until: Timestamp) {
    self.model = model
    self.until = until
  }
}

extension ProviderStatus: SchemaDescribed {
  public static let summary = "Whether a provider can be asked now."

  public static let members = [
    "available": "True when it can be asked now.",
    "reason": "Why not, as a sentence with what to do about it.",
    "needsKey": "True when it is missing its API key.",
    "cooldownUntil": "Until when the provider asked not to be asked for the model it chooses itself.",
    "pausedModels": "The models that are left alone for now; other ones may be asked for.",
  ]
}

extension PausedModel: SchemaDescribed {
  public static let summary = "A model that its provider asked not to be asked for."

  public static let members = [
    "until": "It may be asked for again from this moment on, or earlier after a success."
  ]
}
