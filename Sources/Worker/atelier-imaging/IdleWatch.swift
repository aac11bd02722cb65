import CVips
import Glibc
import Synchronization

/// Determines when the worker has been idle long enough to exit. It never exits during a job: a request that it has
/// seen keeps it alive, and any other goes to the next worker.
final class IdleWatch: Sendable {
  private struct State {
    var jobs = 0
    var idleSince: ContinuousClock.Instant
    var isLeaving = false
  }

  /// The first job is sent when the worker starts or soon after; on a busy machine it may take a while.
  private static let maximumWaitForFirstJob = Duration.seconds(30)

  private let timeout: Duration
  private let state: Mutex<State>

  init(timeout: Duration) {
    self.timeout = timeout
    state = Mutex(State(idleSince: .now + Self.maximumWaitForFirstJob))
  }

  /// Whether to exit now; afterwards no job begins any more.
  var isLeaving: Bool { state.withLock { $0.isLeaving } }

  func jobBegins() {
    state.withLock { state in
      // The main process has received all earlier answers before it sends a new request, so nothing is lost.
      if state.isLeaving { _exit(0) }
      state.jobs += 1
    }
  }

  func jobEnds() {
    state.withLock { state in
      state.jobs -= 1
      state.idleSince = .now
    }
  }

  /// How long nothing can change without a job; nil once the worker is leaving.
  var timeToNextLook: Duration? {
    state.withLock { state in
      if state.isLeaving { return nil }
      return state.jobs > 0 ? timeout : max(.zero, state.idleSince + timeout - .now)
    }
  }

  /// - Returns: true when the worker must exit from now on.
  func look() -> Bool {
    state.withLock { state in
      // Under the lock, so that no job can begin afterwards.
      if state.jobs == 0, !state.isLeaving, state.idleSince + timeout <= .now { state.isLeaving = true }
      return state.isLeaving
    }
  }
}
