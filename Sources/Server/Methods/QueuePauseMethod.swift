import AtelierProtocol
import Engine

/// `queue/pause`: holds back what waits.
enum QueuePauseMethod: Method {
  static func answer(
    _ message: QueuePause, for caller: Caller, by engine: Engine
  ) async throws -> QueueStatus.Result {
    try await engine.pauseQueue(message, for: caller)
  }
}
