import AtelierProtocol
import Engine

/// `regenerate`: answered as `generate` is.
enum RegenerateMethod: Method {
  static func answer(_ message: Regenerate, for caller: Caller, by engine: Engine) async throws -> Generate.Answer {
    try await engine.sessions.regenerate(message, for: caller)
  }
}
