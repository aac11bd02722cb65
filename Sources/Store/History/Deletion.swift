import AtelierProtocol

/// Which generations to delete from history.
public enum Deletion: Sendable, Equatable {
  /// One; of this account unless nil.
  case one(GenerationID, account: AccountID?)
  /// All that have ended, of this account.
  case all(account: AccountID)
}
