import JSONRPC
import Synchronization

/// Hears what the worker tells about the job it is doing.
final class WorkerListener: ConnectionHandler {
  private struct State {
    var hasBegun = false
    var progress: (@Sendable (JobProgress) -> Void)?
  }

  private let state = Mutex(State())

  /// True once the worker has received all of the present job's input and has begun with it.
  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// Expects a new job.
  func begin(_ progress: (@Sendable (JobProgress) -> Void)?) {
    state.withLock { $0 = State(hasBegun: false, progress: progress) }
  }

  /// Forgets the job's listener; nothing is reported after its end.
  func end() {
    state.withLock { $0.progress = nil }
  }

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    .answered(.failure(.methodNotFound(request.method)))
  }

  func receive(_ notification: Notification, on connection: Connection) {
    switch notification.method {
    case JobBegun.method:
      state.withLock { $0.hasBegun = true }
    case JobProgress.method:
      guard let progress = state.withLock({ $0.progress }) else { return }
      let decoder = JSONValueDecoder(unknownMembers: .ignore)
      guard let step = try? decoder.decode(JobProgress.self, from: .object(notification.params)),
        (0...1).contains(step.fraction)
      else { return }
      progress(step)
    default:
      break
    }
  }
}
