import AtelierProtocol
import Engine

/// `history`: a page of what was generated, newest first.
enum HistoryMethod: Method {
  static func answer(_ message: History, for caller: Caller, by engine: Engine) async throws -> History.Result {
    try await engine.history(message, for: caller)
  }
}
