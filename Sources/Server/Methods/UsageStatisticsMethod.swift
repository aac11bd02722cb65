import AtelierProtocol
import Engine

/// `usage/statistics`: counts, costs and times of what is in history.
enum UsageStatisticsMethod: Method {
  static func answer(
    _ message: UsageStatistics, for caller: Caller, by engine: Engine
  ) async throws -> UsageStatistics.Result {
    try await engine.statistics(message, for: caller)
  }
}
