import AtelierProtocol
import Engine

/// `status`: of the service, of one generation, or of an account.
enum StatusMethod: Method {
  static let isUrgent = true

  static func answer(_ message: Status, for caller: Caller, by engine: Engine) async throws -> Status.Result {
    try await engine.status(message, for: caller)
  }
}
