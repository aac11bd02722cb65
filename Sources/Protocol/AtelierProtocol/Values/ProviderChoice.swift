import JSON

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
