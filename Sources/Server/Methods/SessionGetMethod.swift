import AtelierProtocol
import Engine

/// `session/get`: the steps of a session.
enum SessionGetMethod: Method {
  static func answer(
    _ message: SessionGet, for caller: Caller, by engine: Engine
  ) async throws -> SessionGet.Result {
    try await engine.session(message, for: caller)
  }
}
