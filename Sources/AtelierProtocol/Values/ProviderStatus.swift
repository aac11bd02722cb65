import JSON

/// Whether a provider can be asked now.
public struct ProviderStatus: Codable, Sendable, Equatable {
  /// The provider.
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
  /// The model's name, as `generate` takes it.
  public var model: String
  /// It may be asked for again from this moment on, or earlier after a success.
  public var until: Timestamp

  public init(model: String, until: Timestamp) {
    self.model = model
    self.until = until
  }
}

/// Whom to ask for a picture: one provider, or several in the order in which they are tried.
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
