import JSON

/// Whether a provider can be used now.
public struct ProviderStatus: Codable, Sendable, Equatable {
  /// The provider.
  public var id: ProviderID
  /// True when the provider can be used now.
  public var available: Bool
  /// Why the provider is not available and what to do about it, as a sentence for the person.
  public var reason: String?
  /// True when the provider's API key is missing.
  public var needsKey: Bool
  /// The end of the cooldown of the provider's default model, a pause that the provider asked for; absent if there is
  /// none.
  public var cooldownUntil: Timestamp?
  /// The models that have a cooldown; the provider's other models can be used.
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

/// The provider of a generation, or several in the order in which to try them.
public struct ProviderChoice: Hashable, Sendable {
  /// At least one, none twice.
  public let ids: [ProviderID]

  /// The most providers a request may list.
  public static let maximumCount = 8

  public init(_ id: ProviderID) { ids = [id] }

  /// - Returns: nil when `ids` is empty, names one twice, or is longer than ``maximumCount``.
  public init?(_ ids: [ProviderID]) {
    guard (1...Self.maximumCount).contains(ids.count), Set(ids).count == ids.count else { return nil }
    self.ids = ids
  }
}

extension ProviderChoice: Codable {
  public init(from decoder: any Decoder) throws {
    if let id = try? ProviderID(from: decoder) {
      self.init(id)
    } else if let ids = try? [ProviderID](from: decoder), let choice = ProviderChoice(ids) {
      self = choice
    } else {
      throw JSONExpectation("the id of a provider, or 1 to \(Self.maximumCount) different ids in order of preference")
    }
  }

  /// One provider is written as its id.
  public func encode(to encoder: any Encoder) throws {
    if ids.count == 1, let id = ids.first { try id.encode(to: encoder) } else { try ids.encode(to: encoder) }
  }
}
