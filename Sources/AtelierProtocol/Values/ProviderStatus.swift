/// Whether a provider can be asked now.
public struct ProviderStatus: Codable, Sendable, Equatable {
  public var id: ProviderID
  /// True when it can be asked now.
  public var available: Bool
  /// Why not, as a sentence with what to do about it.
  public var reason: String?
  /// True when it is missing its API key.
  public var needsKey: Bool
  /// Until when the provider asked not to be asked.
  public var cooldownUntil: Timestamp?

  public init(
    id: ProviderID, available: Bool, reason: String? = nil, needsKey: Bool = false, cooldownUntil: Timestamp? = nil
  ) {
    self.id = id
    self.available = available
    self.reason = reason
    self.needsKey = needsKey
    self.cooldownUntil = cooldownUntil
  }
}

extension ProviderStatus: SchemaDescribed {
  public static let summary = "Whether a provider can be asked now."

  public static let members = [
    "available": "True when it can be asked now.",
    "reason": "Why not, as a sentence with what to do about it.",
    "needsKey": "True when it is missing its API key.",
    "cooldownUntil": "Until when the provider asked not to be asked.",
  ]
}
