import AtelierProtocol
import JSONRPC

/// A provider, or one of its models, that is left alone for a while because it said it was asked too often
/// (REQUIREMENTS 5.4).
public struct Cooldown: Sendable, Equatable {
  public var provider: ProviderID
  /// The model that is left alone; nil for all of the provider's, as when the limit is the key's.
  public var model: String?
  /// When the pause began, by the clock of then.
  public var setAt: Timestamp
  /// The pause is over from this moment on.
  public var until: Timestamp
  /// Why: `rate_limited` or `quota_exhausted`.
  public var kind: ErrorKind
  /// The sentence of the failure that began it.
  public var message: String
  /// The facts of that failure, for programs.
  public var details: JSONObject

  public init(
    provider: ProviderID, model: String? = nil, setAt: Timestamp, until: Timestamp, kind: ErrorKind, message: String,
    details: JSONObject = [:]
  ) {
    self.provider = provider
    self.model = model
    self.setAt = setAt
    self.until = until
    self.kind = kind
    self.message = message
    self.details = details
  }

  /// Whether it is over. A clock that stands before the beginning was wrong then or is wrong now: the pause is not to
  /// last longer than it was meant to, so it is over.
  public func isOver(at now: Timestamp) -> Bool { now < setAt || until <= now }

  /// Whether requests for a model are to wait for its end.
  public func concerns(_ model: String) -> Bool { self.model == nil || self.model == model }
}
