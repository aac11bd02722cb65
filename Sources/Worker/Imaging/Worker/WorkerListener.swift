import AtelierProtocol
import JSON
import JSONRPC
import Synchronization

/// Receives the worker's notifications about the current job.
final class WorkerListener: ConnectionHandler {
  private struct State {
    var isReady = false
    var hasBegun = false
    var progress: (@Sendable (JobProgress) -> Void)?
  }

  private let state = Mutex(State())
  private let ready: @Sendable (WorkerConfinement) -> Void

  init(ready: @escaping @Sendable (WorkerConfinement) -> Void) {
    self.ready = ready
  }

  /// True once the worker has received all of the current job's input and has begun the job.
  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// Prepares for a new job.
  func begin(_ progress: (@Sendable (JobProgress) -> Void)?) {
    state.withLock { state in
      state.hasBegun = false
      state.progress = progress
    }
  }

  /// Releases the job's progress handler; nothing is reported after the job ends.
  func end() {
    state.withLock { $0.progress = nil }
  }

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    .answered(.failure(.methodNotFound(request.method)))
  }

  func receive(_ notification: Notification, on connection: Connection) {
    switch notification.method {
    case WorkerReady.method:
      let decoder = JSONValueDecoder(unknownMembers: .ignore)
      // Only the first message is the worker's own for certain: it has seen no picture yet.
      let isFirst = state.withLock { state in
        defer { state.isReady = true }
        return !state.isReady
      }
      guard isFirst, let message = try? decoder.decode(WorkerReady.self, from: .object(notification.params)) else {
        return
      }
      ready(message.confinement)
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
