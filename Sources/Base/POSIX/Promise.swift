import Glibc
import Synchronization

/// A value that is set once; only the first call of ``fulfil(_:)`` counts.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Sets the value, unless it is already set.
  /// - Returns: whether this was the first.
  @discardableResult
  package func fulfil(_ value: Value) -> Bool {
    let waiters: [CheckedContinuation<Value?, Never>]? = state.withLock { state in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters ?? [] { waiter.resume(returning: value) }
    return waiters != nil
  }

  /// The value, if it is set.
  package var current: Value? { state.withLock { $0.value } }

  /// Waits for the value.
  /// - Returns: nil when the waiting task was cancelled first.
  package func value() async -> Value? {
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Value?? = state.withLock { state in
          if let value = state.value { return value }
          if Task.isCancelled { return .some(nil) }
          state.waiters[waiter] = continuation
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: nil)
    }
  }
}
