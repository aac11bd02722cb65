import AtelierProtocol
import Engine

/// `history/annotate`: notes at a generation what a host wants to find again.
enum HistoryAnnotateMethod: Method {
  static func answer(
    _ message: HistoryAnnotate, for caller: Caller, by engine: Engine
  ) async throws -> HistoryAnnotate.Result {
    try await engine.annotate(message, for: caller)
  }
}
