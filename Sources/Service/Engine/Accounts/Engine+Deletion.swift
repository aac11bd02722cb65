import AtelierProtocol
import Store

extension Engine {
  /// Deletes an account with its history, its pictures and its identities; what runs is cancelled first.
  /// - Throws: `permission_denied`, also for an account that was merged into another; `not_finished` where new requests
  ///   keep arriving; or what the store throws.
  public func deleteAccount(_ request: AccountDelete, for caller: Caller) async throws -> AccountDelete.Result {
    let account = try caller.otherAccount(
      naming: request.account,
      "The account “owner” is the machine's own and cannot be deleted. Delete its history with history/delete.")
    try await checkIsPresent(account)
    let store = try await lazyStore.store()
    var result = AccountDelete.Result(account: account, deleted: 0, bytesFreed: 0)
    var rest: [GenerationID] = []
    for _ in 0..<Self.mostDeletionAttempts {
      for row in try await store.running(account: account) { try await generations.cancelAnywhere(row.id) }
      let summary = try await store.deleteAccount(account)
      result.deleted += summary.deleted
      result.bytesFreed += summary.bytesFreed
      if summary.stillRunning.isEmpty { return result }
      rest = summary.stillRunning
    }
    throw AtelierError(unfinished: rest)
  }

  private static let mostDeletionAttempts = 5
}
