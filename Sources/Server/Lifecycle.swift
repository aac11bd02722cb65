import AtelierProtocol
import JSONRPC

/// The state of a connection between `initialize` and `exit`, as a value.
struct Lifecycle: Sendable, Equatable {
  /// The account named in `initialize`; the connection may act for no other.
  private(set) var account: AccountID?
  /// Notifications the client does not want.
  private(set) var muted: Set<String> = []
  /// Whether progress is sent for requests that do not say.
  private(set) var wantsProgress = true
  /// Whether the client answers lookups of places.
  private(set) var searchesLocations = false
  private(set) var isInitialized = false
  private(set) var isShutDown = false

  /// Records `initialize`.
  /// - Returns: false for a repeated `initialize`: a connection cannot change its account.
  mutating func initialize(_ message: Initialize) -> Bool {
    guard !isInitialized else { return false }
    isInitialized = true
    account = message.account
    muted = Set(message.capabilities?.mute ?? [])
    wantsProgress = message.capabilities?.progress ?? true
    searchesLocations = message.capabilities?.locationSearch ?? false
    return true
  }

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
