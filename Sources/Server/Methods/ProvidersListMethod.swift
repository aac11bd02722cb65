import AtelierProtocol
import Engine

/// `providers/list`: who can make pictures here, and whether they can be asked now.
enum ProvidersListMethod: Method {
  static func answer(
    _ message: ProvidersList, for caller: Caller, by engine: Engine
  ) async throws -> ProvidersList.Result {
    try await engine.listProviders(message)
  }
}
