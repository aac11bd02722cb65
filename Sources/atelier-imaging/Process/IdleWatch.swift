import Glibc
import Synchronization

/// Tells when nothing has been asked for a while, and it is time to leave. Never in the middle of a job: a request that
/// has been seen keeps the process, and one that has not will be given to the next worker.
final class IdleWatch: Sendable {
  private struct State {
    var jobs = 0
    var idleSince: ContinuousClock.Instant
    var isLeaving = false
  }

  /// The first job is on its way when the worker starts, or will be soon; it may have to wait for a busy machine.
  private static let patienceForFirstJob = Duration.seconds(30)

  private let timeout: Duration
  private let state: Mutex<State>

  init(timeout: Duration) {
    self.timeout = timeout
    state = Mutex(State(idleSince: .now + Self.patienceForFirstJob))
  }

  /// Whether it is time to leave; no job begins any more.
  var isLeaving: Bool { state.withLock { $0.isLeaving } }

  func jobBegins() {
    state.withLock { state in
      // Whoever asks has heard the answers to what was asked before: nothing is lost.
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

  /// Returns when it is time to leave, or the task is cancelled.
  func run() async {
    var wake: ContinuousClock.Instant? = .now + timeout
    while let next = wake, (try? await ContinuousClock().sleep(until: next)) != nil {
      wake = state.withLock { state in
        let now = ContinuousClock.now
        guard state.jobs == 0 else { return now + timeout }
        // Under the lock, so that no job can begin after this.
        state.isLeaving = state.idleSince + timeout <= now
        return state.isLeaving ? nil : state.idleSince + timeout
      }
    }
  }
}
