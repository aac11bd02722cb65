import Synchronization

/// A value that threads change and tests wait for.
public final class SharedState<Value: Sendable>: Sendable {
  private struct Waiter {
    var isMet: @Sendable (Value) -> Bool
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var value: Value
    var waiters: [UInt64: Waiter] = [:]
    var nextWaiter: UInt64 = 0
  }

  private let state: Mutex<State>

  public init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  public var value: Value { state.withLock { $0.value } }

  /// Changes the value and wakes whoever has waited for what it is now.
  public func change(_ body: (inout Value) -> Void) {
    let due = state.withLock { state in
      body(&state.value)
      let due = state.waiters.filter { $0.value.isMet(state.value) }
      for number in due.keys { state.waiters[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Waits until `isMet` is true of the value.
  /// - Returns: the value then, or a later one.
  /// - Throws: `CancellationError` when the task is cancelled, as that of a test is that takes too long.
  @discardableResult
  public func wait(until isMet: @escaping @Sendable (Value) -> Bool) async throws -> Value {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          if isMet(state.value) { return .success(()) }
          // Cancelled before this point, the handler found nobody to wake.
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[number] = Waiter(isMet: isMet, continuation: continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }
    return value
  }
}
