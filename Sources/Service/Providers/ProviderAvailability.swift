import AtelierProtocol

/// Whether a provider can be used now.
public struct ProviderAvailability: Sendable, Equatable {
  public var available: Bool
  /// Why not, as a sentence that says what to do about it.
  public var reason: String?
  public var needsKey: Bool

  public init(available: Bool, reason: String? = nil, needsKey: Bool = false) {
    self.available = available
    self.reason = reason
    self.needsKey = needsKey
  }
}
