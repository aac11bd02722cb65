import AtelierProtocol
import JSON
import Localization
import Store

extension Engine {
  /// A page of history.
  /// - Throws: `permission_denied`, `invalid params` for an invalid cursor, or what the store throws.
  public func history(_ request: History, for caller: Caller) async throws -> History.Result {
    let account = try caller.accountOrEverybody(naming: request.account)
    let filter = HistoryFilter(
      account: account, recipe: request.recipe, state: request.state, since: request.since, until: request.until,
      search: request.search, parent: request.parentGenerationId, onlyFavorites: request.favorite ?? false)
    let cursor = try HistoryCursor.read(request.cursor, of: History.method)
    await lazyStore.recoverIfPossible()
    let page = try await lazyStore.store().history(
      filter, limit: request.limit ?? History.defaultLimit, cursor: cursor, byteBudget: configuration.pageBytes,
      size: { $0.generation().bytesInAnswer(in: caller.language) })
    if page.wantsIndex { await generations.maintenance.indexHistory() }
    return History.Result(
      entries: page.entries.map { $0.generation() }, nextCursor: page.nextCursor?.text(of: History.method),
      totals: page.totals,
      currentPeriod: surroundings.now().month)
  }

  /// One entry.
  /// - Throws: `not_found`, `permission_denied`.
  public func historyEntry(_ request: HistoryGet, for caller: Caller) async throws -> Generation {
    let account = try caller.visibleAccount(naming: request.account)
    return try await lazyStore.store().existingGeneration(request.generationId, of: account).generation()
  }

  /// What was asked for, as far as it is kept: the params of its `generate`, without its pictures.
  /// - Throws: `not_found`, `permission_denied`.
  public func historyRequest(_ request: HistoryGet, for caller: Caller) async throws -> JSONObject {
    let account = try caller.visibleAccount(naming: request.account)
    var params = try await lazyStore.store().existingGeneration(request.generationId, of: account).request
    for member in ["image", "references"] { params[member] = nil }
    return params
  }

  /// Deletes one generation or all of an account, files included; running ones are cancelled first.
  /// - Throws: `not_found`, `permission_denied`.
  public func deleteHistory(_ request: HistoryDelete, for caller: Caller) async throws -> HistoryDelete.Result {
    let deletion: Deletion
    switch request.target {
    case .generation(let id, let account): deletion = .one(id, account: try caller.visibleAccount(naming: account))
    case .everything(let account): deletion = .all(account: try caller.account(naming: account))
    }
    let store = try await lazyStore.store()
    // Running generations are ended first; those that are accepted from here on are not deleted.
    if case .all(let account) = deletion {
      try await checkIsPresent(account)
      for row in try await store.running(account: account) { try await generations.cancelAnywhere(row.id) }
    }
    var summary = try await store.delete(deletion)
    if case .one = deletion, !summary.stillRunning.isEmpty {
      for id in summary.stillRunning { try await generations.cancelAnywhere(id) }
      summary = try await store.delete(deletion)
    }
    return HistoryDelete.Result(
      deleted: summary.deleted, bytesFreed: summary.bytesFreed,
      stillRunning: summary.stillRunning.isEmpty ? nil : Array(summary.stillRunning.prefix(1_000)))
  }
}

extension HistoryCursor {
  /// Decodes a cursor from the wire.
  /// - Throws: `invalid params` for an invalid cursor.
  static func read(_ text: String?, of method: String) throws -> HistoryCursor? {
    guard let text else { return nil }
    guard let cursor = HistoryCursor(text, of: method) else { throw JSONDecodingFailure.foreignCursor }
    return cursor
  }
}

extension JSONDecodingFailure {
  /// The refusal of a cursor that the method did not return.
  static let foreignCursor = JSONDecodingFailure(
    path: "/cursor", expected: "the nextCursor of an earlier page",
    message: "This method did not return that cursor. Use nextCursor of the previous page, or leave cursor out.")
}

extension Encodable {
  /// How many bytes an answer takes for it as an entry of a page, with the comma after it.
  func bytesInAnswer(in language: Language) -> Int {
    let encoder = JSONValueEncoder(sentences: .text(language))
    return ((try? encoder.encode(self).serialized().count) ?? 0) + 1
  }
}

extension Engine {
  /// Stores a person's feedback on a result.
  /// - Throws: `not_found`, `not_finished`, `permission_denied`.
  public func keepFeedback(_ request: FeedbackSubmit, for caller: Caller) async throws -> FeedbackSubmit.Result {
    let account = try caller.visibleAccount(naming: request.account)
    let feedback = try await lazyStore.store().keepFeedback(
      rating: request.rating, text: request.text, of: request.generationId, account: account)
    return FeedbackSubmit.Result(generationId: request.generationId, feedback: feedback)
  }

  /// Stores a host's metadata and favorite mark on a generation.
  /// - Throws: `not_found`, `not_finished`, `permission_denied`.
  public func annotate(_ request: HistoryAnnotate, for caller: Caller) async throws -> Generation {
    let account = try caller.visibleAccount(naming: request.account)
    return try await lazyStore.store().annotate(
      request.generationId, metadata: request.metadata, isFavorite: request.favorite, account: account
    ).generation()
  }
}
