import Synchronization

/// A value that any thread may change and that tasks wait for.
final class WaitableState<Value: Sendable>: Sendable {
  private struct Waiter {
    var isMet: @Sendable (Value) -> Bool
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var value: Value
    var waiters: [UInt64: Waiter] = [:]
    var nextWaiter: UInt64 = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  /// Reads something of the value.
  func read<Result>(_ body: (Value) -> Result) -> Result where Result: Sendable {
    state.withLock { body($0.value) }
  }

  /// Changes the value and wakes whoever has waited for what it is now.
  func change<Result>(_ body: (inout Value) -> Result) -> Result where Result: Sendable {
    let (result, due) = state.withLock { state in
      let result = body(&state.value)
      guard !state.waiters.isEmpty else { return (result, [CheckedContinuation<Bool, Never>]()) }
      let met = state.waiters.filter { $0.value.isMet(state.value) }
      for number in met.keys { state.waiters[number] = nil }
      return (result, met.values.map(\.continuation))
    }
    for continuation in due { continuation.resume(returning: true) }
    return result
  }

  /// Waits until `isMet` is true of the value.
  /// - Returns: false when the task was cancelled first.
  func wait(until isMet: @escaping @Sendable (Value) -> Bool) async -> Bool {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Bool? = state.withLock { state in
          if isMet(state.value) { return true }
          // Cancelled before this point, the handler found nobody to wake.
          if Task.isCancelled { return false }
          state.waiters[number] = Waiter(isMet: isMet, continuation: continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: false)
    }
  }
}
