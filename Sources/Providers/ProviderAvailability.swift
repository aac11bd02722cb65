import AtelierProtocol

/// Whether a provider can be asked now.
public struct ProviderAvailability: Sendable, Equatable {
  public var available: Bool
  /// Why not, as a sentence with what to do about it.
  public var reason: String?
  public var needsKey: Bool
  /// Until when it must not be asked again.
  public var cooldownUntil: Timestamp?

  public init(available: Bool, reason: String? = nil, needsKey: Bool = false, cooldownUntil: Timestamp? = nil) {
    self.available = available
    self.reason = reason
    self.needsKey = needsKey
    self.cooldownUntil = cooldownUntil
  }
}
