import AtelierProtocol
import Store

extension Engine {
  /// A page of sessions.
  /// - Throws: `permission_denied`, `invalid params` for an invalid cursor.
  public func listSessions(_ request: SessionList, for caller: Caller) async throws -> SessionList.Result {
    let account = try caller.accountOrEverybody(naming: request.account)
    let cursor = try HistoryCursor.read(request.cursor, of: SessionList.method)
    let page = try await lazyStore.store().sessions(
      account: account, limit: request.limit ?? History.defaultLimit, after: cursor)
    var sessions = PageBuilder<StoredSession>(bytes: configuration.pageBytes) {
      $0.entry.bytesInAnswer(in: caller.language)
    }
    var nextCursor = page.nextCursor
    for session in page.sessions where !sessions.append(session) {
      nextCursor = sessions.entries.last.map(HistoryCursor.init(after:))
      break
    }
    return SessionList.Result(sessions: sessions.entries.map(\.entry), nextCursor: nextCursor?.text(of: SessionList.method))
  }

  /// The steps of a session.
  /// - Throws: `not_found`, `permission_denied`, `invalid params` for an invalid cursor.
  public func session(_ request: SessionGet, for caller: Caller) async throws -> SessionGet.Result {
    let account = try caller.visibleAccount(naming: request.account)
    let cursor = try HistoryCursor.read(request.cursor, of: SessionGet.method)
    do {
      let page = try await lazyStore.store().session(
        request.sessionId, account: account, limit: request.limit ?? History.defaultLimit, after: cursor,
        byteBudget: configuration.pageBytes - Self.bytesOfSession,
        size: { $0.generation().bytesInAnswer(in: caller.language) })
      return SessionGet.Result(
        session: page.session.entry, entries: page.entries.map { $0.generation() },
        nextCursor: page.nextCursor?.text(of: SessionGet.method))
    } catch let error as AtelierError where error.kind == .notFound {
      throw AtelierError(
        .notFound, hint: "There is no session “\(request.sessionId.rawValue)” in this account. session/list lists them.")
    }
  }

  /// An upper bound for the size of a session without its steps.
  private static var bytesOfSession: Int { 4_096 }
}

extension StoredSession {
  fileprivate var entry: SessionList.Entry {
    SessionList.Entry(
      sessionId: id, account: account, steps: steps, latestAt: latest, first: first.step, last: last.step,
      thumbnail: (last.thumbnail ?? first.thumbnail)?.path)
  }
}

extension GenerationRow {
  fileprivate var step: SessionList.Step {
    SessionList.Step(
      generationId: id, createdAt: created, recipe: recipe, state: state, prompt: prompt.map { String($0.prefix(120)) })
  }
}
