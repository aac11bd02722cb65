import AtelierProtocol
import JSONRPC

/// Where a connection stands between `initialize` and `exit` (PROTOCOL 2), as a value.
struct Lifecycle: Sendable, Equatable {
  /// The account named in `initialize`; the connection may act for no other.
  private(set) var account: AccountID?
  /// Notifications the client does not want.
  private(set) var muted: Set<String> = []
  /// Whether progress is sent for requests that do not say.
  private(set) var wantsProgress = true
  private(set) var isInitialized = false
  private(set) var isShutDown = false

  /// Takes note of `initialize`.
  /// - Returns: false when it came before: a connection cannot change whose it is.
  mutating func initialize(_ message: Initialize) -> Bool {
    guard !isInitialized else { return false }
    isInitialized = true
    account = message.account
    muted = Set(message.capabilities?.mute ?? [])
    wantsProgress = message.capabilities?.progress ?? true
    return true
  }

  /// After this only `exit` and cancels are accepted.
  mutating func shutDown() {
    isShutDown = true
  }

  /// Whether the generations of `account` are any of the host's business.
  func concerns(_ account: AccountID) -> Bool {
    self.account == nil || self.account == account
  }

  /// Whether a request may still be made.
  func admits(_ method: String) -> Bool {
    !isShutDown || method == Cancel.method
  }
}

extension ResponseError {
  static let afterShutdown = invalidRequest(
    "The service was shut down; only exit and cancels are accepted now. Start it again for new requests.")

  static let initializedTwice = invalidRequest(
    "The connection is initialized already. Open a new one to act for another account.")
}
