import AtelierProtocol
import Engine

/// `credentials/set`: keeps a provider's API key.
enum CredentialsSetMethod: Method {
  static func answer(
    _ message: CredentialsSet, for caller: Caller, by engine: Engine
  ) async throws -> CredentialsSet.Result {
    try await engine.setCredential(message, for: caller)
  }
}
