import AtelierProtocol
import Engine

/// `history/delete`: forgets one generation or all of an account, files too.
enum HistoryDeleteMethod: Method {
  static func answer(
    _ message: HistoryDelete, for caller: Caller, by engine: Engine
  ) async throws -> HistoryDelete.Result {
    try await engine.deleteHistory(message, for: caller)
  }
}
