import AtelierProtocol
import Engine

/// `generate`: answered at the end of the generation, or once a detached one is accepted.
enum GenerateMethod: Method {
  static func answer(_ message: Generate, for caller: Caller, by engine: Engine) async throws -> Generate.Answer {
    try await engine.sessions.generate(message, for: caller)
  }
}
