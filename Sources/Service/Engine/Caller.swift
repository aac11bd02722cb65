import AtelierProtocol
import Glibc
import JSON
import Localization
import Store

/// The caller on whose behalf a request is made.
public struct Caller: Sendable {
  /// The account the connection is confined to; nil for a host trusted to act for any.
  public var confinedTo: AccountID?
  /// Whether the host's files are limited to the folders in the configuration; so it is on every connection that is
  /// confined to an account.
  public var isConfined: Bool
  /// Whether the host may grant and revoke credits.
  public var isTrusted: Bool
  /// Whether the host passes on the names of its customers: none of them has a meaning of its own, and reading about one
  /// does not make an account.
  public var servesManyAccounts: Bool
  /// Whether an identity is believed only with a proof: the operator has confined the connection to an account, and whoever
  /// is at its end might claim to be anybody.
  public var mustProveIdentities = false
  /// The id of the JSON-RPC request, repeated in progress notifications.
  public var requestID: JSONValue?
  /// Whether progress is wanted when a request does not say.
  public var wantsProgress: Bool
  /// Answers lookups of places; nil when the host does not.
  public var locationSource: (any LocationSource)?
  /// The language of what the person reads.
  public var language = Language.english
  /// The arrival of a request with an idempotency key.
  public var arrival: Arrival?

  public init(
    confinedTo: AccountID? = nil, isConfined: Bool = false, isTrusted: Bool = false,
    servesManyAccounts: Bool = false, requestID: JSONValue? = nil, wantsProgress: Bool = true,
    locationSource: (any LocationSource)? = nil
  ) {
    self.locationSource = locationSource
    self.confinedTo = confinedTo
    self.isConfined = isConfined || confinedTo != nil
    self.isTrusted = isTrusted && !self.isConfined
    self.servesManyAccounts = servesManyAccounts
    self.requestID = requestID
    self.wantsProgress = wantsProgress
  }

  /// Whether an account that is only read about exists from there on.
  public var registersAccounts: Bool { !servesManyAccounts }

  /// The account to act for.
  /// - Throws: `permission_denied` when `named` is not the one this connection is confined to; on a connection that serves
  ///   many accounts, for `owner` and where no account is named.
  public func account(naming named: AccountID?) throws(AtelierError) -> AccountID {
    guard let confinedTo else {
      let account = named ?? .owner
      if servesManyAccounts, account == .owner || account == .everybody { throw .reservedAccount(named) }
      return account
    }
    guard named == nil || named == confinedTo else {
      throw AtelierError(
        .permissionDenied,
        hint: "This connection may act for one account only. Leave `account` out, or connect anew.")
    }
    return confinedTo
  }

  /// The account to report on; nil for all accounts, if `*` is named and allowed.
  /// - Throws: `permission_denied`, as ``account(naming:)``.
  public func accountOrEverybody(naming named: AccountID?) throws(AtelierError) -> AccountID? {
    if named == AccountID.everybody, confinedTo == nil, !servesManyAccounts { return nil }
    return try account(naming: named)
  }

  /// The account whose generations are visible: nil means any, on a connection that serves one account.
  /// - Throws: `permission_denied`, as ``account(naming:)``.
  public func visibleAccount(naming named: AccountID?) throws(AtelierError) -> AccountID? {
    if confinedTo == nil, !servesManyAccounts { return named }
    return try account(naming: named)
  }
}
