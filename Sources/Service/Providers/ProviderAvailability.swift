import AtelierProtocol
import Localization

/// Whether a provider can be used now.
public struct ProviderAvailability: Sendable, Equatable {
  public var available: Bool
  /// Why not, and what the person can do about it.
  public var reason: Sentence?
  /// What whoever runs the service can do about it.
  public var hint: String?
  public var needsKey: Bool

  public init(available: Bool, reason: Sentence? = nil, hint: String? = nil, needsKey: Bool = false) {
    self.available = available
    self.reason = reason
    self.hint = hint
    self.needsKey = needsKey
  }
}
