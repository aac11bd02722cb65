import AtelierProtocol
import Engine

/// `account/get`: who an account is, and what it has to spend.
enum AccountGetMethod: Method {
  static func answer(
    _ message: AccountGet, for caller: Caller, by engine: Engine
  ) async throws -> AccountGet.Result {
    try await engine.account(message, for: caller)
  }
}
