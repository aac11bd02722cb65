import Glibc
import Synchronization

/// A value that is set once, from any thread; any number of tasks may wait for it.
final class Outcome<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var waiting: [UInt64: CheckedContinuation<Value, any Error>] = [:]
    var nextTicket: UInt64 = 0
  }

  private let state = Mutex(State())

  /// The result, if it is set.
  var current: Result<Value, any Error>? { state.withLock { $0.result } }

  /// Sets the result; later calls are ignored.
  func set(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state in
      guard state.result == nil else { return [CheckedContinuation<Value, any Error>]() }
      state.result = result
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  /// Waits for the outcome. When the task is cancelled, `abandon` is called and `CancellationError` thrown at once.
  func wait(abandon: @escaping @Sendable () -> Void = {}) async throws -> Value {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          if let result = state.result { return result }
          // If the task was cancelled before this point, the handler found no continuation to resume.
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiting[ticket] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      abandon()
      let continuation = state.withLock { $0.waiting.removeValue(forKey: ticket) }
      continuation?.resume(throwing: CancellationError())
    }
  }
}
