import AtelierProtocol
import Engine

/// `session/list`: chains of refinements, the one that went on last first.
enum SessionListMethod: Method {
  static func answer(
    _ message: SessionList, for caller: Caller, by engine: Engine
  ) async throws -> SessionList.Result {
    try await engine.listSessions(message, for: caller)
  }
}
