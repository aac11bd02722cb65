import AtelierProtocol
import Engine

/// `queue/resume`: lets what waits begin again.
enum QueueResumeMethod: Method {
  static func answer(
    _ message: QueueResume, for caller: Caller, by engine: Engine
  ) async throws -> QueueStatus.Result {
    try await engine.resumeQueue(message, for: caller)
  }
}
