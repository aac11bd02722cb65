import Synchronization

/// A count that can be waited for.
public final class Counter: Sendable {
  private struct State {
    var count = 0
    var waiters: [(target: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  public init() {}

  public var count: Int { state.withLock { $0.count } }

  public func increment() {
    let due = state.withLock { state in
      state.count += 1
      let due = state.waiters.filter { $0.target <= state.count }
      state.waiters.removeAll { $0.target <= state.count }
      return due
    }
    due.forEach { $0.continuation.resume() }
  }

  /// Returns once the count is at least `target`.
  public func reaches(_ target: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count < target { state.waiters.append((target, continuation)) }
        return state.count >= target
      }
      if isThere { continuation.resume() }
    }
  }
}
