import JSONRPC
import Synchronization

/// Watches the process a host names in `initialize`; there is one at most.
final class HostWatchKeeper: Sendable {
  private struct State {
    var watch: HostWatch?
    var died: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// What to do when the host dies.
  func onDeath(_ died: @escaping @Sendable () -> Void) {
    state.withLock { $0.died = died }
  }

  /// Watches `processID`. Where it cannot be watched, the end of the input still tells.
  /// - Returns: false when it cannot be.
  func begin(_ processID: Int32) -> Bool {
    guard let died = state.withLock({ $0.died }), let watch = try? HostWatch(processID: processID, died: died) else {
      return false
    }
    state.withLock { $0.watch = watch }
    return true
  }
}
