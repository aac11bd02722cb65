import AtelierProtocol
import Engine

/// `credits/balance`: what an account has to spend.
enum CreditsBalanceMethod: Method {
  static func answer(
    _ message: CreditsBalance, for caller: Caller, by engine: Engine
  ) async throws -> CreditBalance {
    try await engine.balance(message, for: caller)
  }
}
