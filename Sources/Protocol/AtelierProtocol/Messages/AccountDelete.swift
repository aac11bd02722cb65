/// Deletes an account: its history, its pictures, its identities and its consent.
///
/// Generations that have not ended are cancelled first. The ledger keeps its numbers without the name of the account, and
/// copies that a host asked for stay where they are. Whoever signs in again begins anew, without the credits that are
/// granted only once. Idempotent: of an account that is not there, nothing is deleted.
public struct AccountDelete: RequestMessage {
  public static let method = "account/delete"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFinished, .storageFull]

  /// The account to delete, together with those that were merged into it.
  public var account: AccountID

  public init(account: AccountID) {
    self.account = account
  }

  /// What was deleted.
  public struct Result: Codable, Sendable, Equatable {
    /// The account that was deleted.
    public var account: AccountID
    /// The number of deleted generations.
    public var deleted: Int
    /// The size of the deleted files, in bytes.
    public var bytesFreed: Int

    public init(account: AccountID, deleted: Int, bytesFreed: Int) {
      self.account = account
      self.deleted = deleted
      self.bytesFreed = bytesFreed
    }
  }
}
