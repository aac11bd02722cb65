import AtelierProtocol
import Engine

/// `history/get`: one entry of history.
enum HistoryGetMethod: Method {
  static func answer(_ message: HistoryGet, for caller: Caller, by engine: Engine) async throws -> HistoryGet.Result {
    try await engine.historyEntry(message, for: caller)
  }
}
