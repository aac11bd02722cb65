import AtelierProtocol
import Engine
import JSON
import JSONRPC
import Localization

/// The state of a connection between `initialize` and `exit`, as a value.
struct Lifecycle: Sendable, Equatable {
  private let rights: ConnectionRights
  /// The account that the operator or `initialize` named; the connection may act for no other.
  private(set) var account: AccountID?
  /// Notifications the client does not want.
  private(set) var muted: Set<String> = []
  /// Whether progress is sent for requests that do not say.
  private(set) var wantsProgress = true
  /// Whether the client answers lookups of places.
  private(set) var searchesLocations = false
  /// The language of what the person reads.
  private(set) var language = Language.english
  private(set) var isInitialized = false
  private(set) var isShutDown = false

  init(_ rights: ConnectionRights = ConnectionRights()) {
    self.rights = rights
    account = rights.account
  }

  /// On whose behalf a request is made.
  func caller(requestID: JSONValue, locationSource: (any LocationSource)?) -> Caller {
    var caller = Caller(
      confinedTo: account, isConfined: rights.isConfined, isTrusted: rights.isTrusted,
      servesManyAccounts: rights.servesManyAccounts, requestID: requestID, wantsProgress: wantsProgress,
      locationSource: locationSource)
    caller.language = language
    caller.mustProveIdentities = rights.account != nil
    return caller
  }

  /// Whether the host may be told paths outside of the folders in the configuration.
  var isConfined: Bool { rights.isConfined || account != nil }

  /// The refusal of the account that `initialize` names; nil if it may.
  func refusal(of account: AccountID?) -> AtelierError? {
    guard let account else { return nil }
    if rights.servesManyAccounts, account == .owner { return .reservedAccount(account) }
    guard let own = rights.account, own != account else { return nil }
    return AtelierError(
      .permissionDenied,
      hint: "This connection acts for another account, which the operator has chosen. Leave `account` out.")
  }

  /// Records `initialize`.
  /// - Returns: false for a repeated `initialize`: a connection cannot change its account.
  mutating func initialize(_ message: Initialize) -> Bool {
    guard !isInitialized else { return false }
    isInitialized = true
    account = rights.account ?? message.account
    muted = Set(message.capabilities?.mute ?? [])
    wantsProgress = message.capabilities?.progress ?? true
    language = message.locale.flatMap(Language.init(preferred:)) ?? .english
    searchesLocations = message.capabilities?.locationSearch ?? false
    return true
  }

  /// Acts for the account that the connection's own was merged into.
  mutating func follow(_ successor: AccountID) { account = successor }

  /// After this only `exit` and cancels are accepted.
  mutating func shutDown() {
    isShutDown = true
  }

  /// Whether the host may learn about the generations of `account`.
  func concerns(_ account: AccountID) -> Bool {
    self.account == nil || self.account == account
  }

  /// Whether a request is still allowed.
  func admits(_ method: String) -> Bool {
    !isShutDown || method == Cancel.method
  }
}

extension ResponseError {
  static let afterShutdown = invalidRequest(
    "After shutdown only exit and cancel requests are accepted. Start the service again for new requests.")

  static let initializedTwice = invalidRequest(
    "The connection is initialized already. Open a new one to act for another account.")
}
