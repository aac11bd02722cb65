import AtelierProtocol
import Engine

/// `credits/purchase`: gives the credits of a purchase.
enum CreditsPurchaseMethod: Method {
  static func answer(
    _ message: CreditsPurchase, for caller: Caller, by engine: Engine
  ) async throws -> CreditsPurchase.Result {
    try await engine.purchase(message, for: caller)
  }
}
