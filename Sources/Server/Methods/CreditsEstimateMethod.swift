import AtelierProtocol
import Engine

/// `credits/estimate`: what a `generate` would cost, and whether it would be accepted.
enum CreditsEstimateMethod: Method {
  static func answer(
    _ message: CreditsEstimate, for caller: Caller, by engine: Engine
  ) async throws -> CreditsEstimate.Result {
    try await engine.estimate(message, for: caller)
  }
}
