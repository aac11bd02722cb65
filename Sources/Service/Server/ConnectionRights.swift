import AtelierProtocol
import Engine

/// What whoever starts the service lets its connection do; nothing on the wire extends it.
public struct ConnectionRights: Sendable, Equatable {
  /// The account that the connection acts for; nil leaves that to the host.
  public var account: AccountID?
  /// Whether the host's files are limited to the folders in the configuration, whatever the account.
  public var isConfined: Bool
  /// Whether the host may grant and revoke credits.
  public var isTrusted: Bool
  /// Whether the host passes on the names of its customers, so that no name may have a meaning of its own.
  public var servesManyAccounts: Bool

  public init(
    account: AccountID? = nil, isConfined: Bool = false, isTrusted: Bool = false, servesManyAccounts: Bool = false
  ) {
    self.account = account
    self.isConfined = isConfined
    self.isTrusted = isTrusted
    self.servesManyAccounts = servesManyAccounts
  }
}
