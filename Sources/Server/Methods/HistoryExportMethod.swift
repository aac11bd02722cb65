import AtelierProtocol
import Engine

/// `history/export`: writes history and its pictures into a folder.
enum HistoryExportMethod: Method {
  static func answer(
    _ message: HistoryExport, for caller: Caller, by engine: Engine
  ) async throws -> HistoryExport.Result {
    try await engine.exportHistory(message, for: caller)
  }
}
