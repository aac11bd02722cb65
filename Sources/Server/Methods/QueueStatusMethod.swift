import AtelierProtocol
import Engine

/// `queue/status`: what waits for a provider that cannot be reached.
enum QueueStatusMethod: Method {
  static let isUrgent = true

  static func answer(
    _ message: QueueStatus, for caller: Caller, by engine: Engine
  ) async throws -> QueueStatus.Result {
    try await engine.queueStatus(of: caller.visibleAccount(naming: message.account))
  }
}
