import AtelierProtocol
import Engine

/// `credits/history`: a page of what became of an account's credits.
enum CreditsHistoryMethod: Method {
  static func answer(
    _ message: CreditsHistory, for caller: Caller, by engine: Engine
  ) async throws -> CreditsHistory.Result {
    try await engine.creditHistory(message, for: caller)
  }
}
