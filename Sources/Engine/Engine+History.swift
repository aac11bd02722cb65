import AtelierProtocol
import JSONRPC
import Store

extension Engine {
  /// A page of history.
  /// - Throws: `permission_denied`, `invalid params` for a cursor that is none, or what the store throws.
  public func history(_ request: History, for caller: Caller) async throws -> History.Result {
    let account: AccountID?
    if request.account == History.everyAccount, caller.confinedTo == nil {
      account = nil
    } else {
      account = try caller.account(naming: request.account)
    }
    let filter = HistoryFilter(
      account: account, recipe: request.recipe, state: request.state, since: request.since, until: request.until,
      search: request.search, parent: request.parent)
    var cursor: HistoryCursor?
    if let text = request.cursor {
      cursor = HistoryCursor(text)
      guard cursor != nil else {
        throw JSONDecodingFailure(
          path: "/cursor", expected: "the nextCursor of an earlier page",
          message: "The cursor is none that history gave. Use nextCursor of the page before, or leave it out.")
      }
    }
    try await sessions.recover()
    let now = surroundings.now()
    let page = try await sessions.openStore().history(
      filter, limit: request.limit ?? History.defaultLimit, cursor: cursor, byteBudget: configuration.pageBytes,
      size: { row in ((try? JSONValueEncoder().encode(row.entry(at: now)).serialized().count) ?? 0) + 1 })
    return History.Result(
      entries: page.entries.map { $0.entry(at: now) }, nextCursor: page.nextCursor?.text,
      totals: History.Totals(
        generations: page.totals.generations, creditsUsed: page.totals.creditsUsed, costUsd: page.totals.costUsd),
      currentPeriod: now.month)
  }

  /// One entry.
  /// - Throws: `not_found`, `permission_denied`.
  public func historyEntry(_ request: HistoryGet, for caller: Caller) async throws -> History.Entry {
    let account = try caller.visibleAccount(naming: request.account)
    guard let row = try await sessions.openStore().generation(request.generationId, account: account) else {
      throw SessionManager.notFound(request.generationId.rawValue)
    }
    return row.entry(at: surroundings.now())
  }

  /// Forgets one generation or all of an account, files too; what still runs is cancelled first.
  /// - Throws: `not_found`, `permission_denied`.
  public func deleteHistory(_ request: HistoryDelete, for caller: Caller) async throws -> HistoryDelete.Result {
    let deletion: Deletion
    switch request.target {
    case .generation(let id, let account): deletion = .one(id, account: try caller.visibleAccount(naming: account))
    case .everything(let account): deletion = .all(account: try caller.account(naming: account))
    }
    let store = try await sessions.openStore()
    var summary = try await store.delete(deletion)
    if !summary.stillRunning.isEmpty {
      for id in summary.stillRunning { try await sessions.cancelAnywhere(id) }
      let rest = try await store.delete(deletion)
      summary.deleted += rest.deleted
      summary.bytesFreed += rest.bytesFreed
    }
    return HistoryDelete.Result(deleted: summary.deleted, bytesFreed: summary.bytesFreed)
  }
}
