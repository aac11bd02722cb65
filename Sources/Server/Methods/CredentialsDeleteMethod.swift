import AtelierProtocol
import Engine

/// `credentials/delete`: forgets a provider's API key.
enum CredentialsDeleteMethod: Method {
  static func answer(
    _ message: CredentialsDelete, for caller: Caller, by engine: Engine
  ) async throws -> CredentialsDelete.Result {
    try await engine.deleteCredential(message, for: caller)
  }
}
