import AtelierProtocol
import Engine

/// `cancel`: ends a generation wherever it stands.
enum CancelMethod: Method {
  static let isUrgent = true

  static func answer(_ message: Cancel, for caller: Caller, by engine: Engine) async throws -> Cancel.Result {
    try await engine.sessions.cancel(message, for: caller)
  }
}
