import Glibc
import Synchronization

/// Ends the process when nothing has been asked of it for a while. Never in the middle of a job: a request that has
/// been seen keeps it, and one that has not will be given to the next worker.
final class IdleWatch: Sendable {
  private struct State {
    var jobs = 0
    var idleSince: ContinuousClock.Instant
  }

  /// The first job is on its way when the worker starts; it may have to wait for a busy machine.
  private static let patienceForFirstJob = Duration.seconds(30)

  private let timeout: Duration
  private let state: Mutex<State>

  init(timeout: Duration) {
    self.timeout = timeout
    state = Mutex(State(idleSince: .now + Self.patienceForFirstJob))
  }

  func jobBegins() {
    state.withLock { $0.jobs += 1 }
  }

  func jobEnds() {
    state.withLock { state in
      state.jobs -= 1
      state.idleSince = .now
    }
  }

  /// Returns only when the task is cancelled.
  func run() async {
    var wake = ContinuousClock.now + timeout
    while (try? await ContinuousClock().sleep(until: wake)) != nil {
      wake = state.withLock { state in
        let now = ContinuousClock.now
        guard state.jobs == 0 else { return now + timeout }
        // Under the lock, so that no job can begin between the decision and the end.
        if state.idleSince + timeout <= now { _exit(0) }
        return state.idleSince + timeout
      }
    }
  }
}
