import AtelierProtocol
import JSONRPC

/// A provider that is left alone for a while because it said it was asked too often (REQUIREMENTS 5.4).
public struct Cooldown: Sendable, Equatable {
  public var provider: ProviderID
  /// The pause is over from this moment on.
  public var until: Timestamp
  /// Why: `rate_limited` or `quota_exhausted`.
  public var kind: ErrorKind
  /// The sentence of the failure that began it.
  public var message: String
  /// The facts of that failure, for programs.
  public var details: JSONObject

  public init(
    provider: ProviderID, until: Timestamp, kind: ErrorKind, message: String, details: JSONObject = [:]
  ) {
    self.provider = provider
    self.until = until
    self.kind = kind
    self.message = message
    self.details = details
  }
}
