import AtelierProtocol
import JSONRPC

/// On whose behalf a request is made.
public struct Caller: Sendable {
  /// The account the connection is confined to; nil for a host trusted to act for any (PROTOCOL 2).
  public var confinedTo: AccountID?
  /// The id of the JSON-RPC request, told back in progress notifications.
  public var requestID: JSONValue?
  /// Whether progress is wanted where a request does not say.
  public var wantsProgress: Bool

  public init(confinedTo: AccountID? = nil, requestID: JSONValue? = nil, wantsProgress: Bool = true) {
    self.confinedTo = confinedTo
    self.requestID = requestID
    self.wantsProgress = wantsProgress
  }

  /// The account to act for.
  /// - Throws: `permission_denied` when `named` is not the one this connection is confined to.
  public func account(naming named: AccountID?) throws(AtelierError) -> AccountID {
    guard let confinedTo else { return named ?? .owner }
    guard named == nil || named == confinedTo else {
      throw AtelierError(
        .permissionDenied,
        "This connection may act only for the account it named in initialize. Leave `account` out, or connect anew.")
    }
    return confinedTo
  }

  /// The account to tell of; nil for everybody's, where `*` is named and may be.
  /// - Throws: `permission_denied`, as ``account(naming:)``.
  public func accountOrEverybody(naming named: AccountID?) throws(AtelierError) -> AccountID? {
    if named == AccountID.everybody, confinedTo == nil { return nil }
    return try account(naming: named)
  }

  /// The account whose generations may be seen: nil means any.
  /// - Throws: `permission_denied`, as ``account(naming:)``.
  public func visibleAccount(naming named: AccountID?) throws(AtelierError) -> AccountID? {
    if confinedTo == nil { return named }
    return try account(naming: named)
  }
}
