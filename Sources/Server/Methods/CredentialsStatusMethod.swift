import AtelierProtocol
import Engine

/// `credentials/status`: which providers have their API key, and from where.
enum CredentialsStatusMethod: Method {
  static func answer(
    _ message: CredentialsStatus, for caller: Caller, by engine: Engine
  ) async throws -> CredentialsStatus.Result {
    try await engine.credentialStatus(for: caller)
  }
}
