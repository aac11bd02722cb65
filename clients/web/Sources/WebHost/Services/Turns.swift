import Synchronization

/// Lets a few at a time do something, and the others wait in the order in which they came.
final class Turns: Sendable {
  private struct State {
    var free: Int
    var waiting: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    var next: UInt64 = 0
    /// Those that were cancelled before they waited.
    var cancelled: Set<UInt64> = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Runs `work` when it is its turn.
  /// - Throws: what `work` throws; `CancellationError` when the task is cancelled before.
  func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    guard await take() else { throw CancellationError() }
    defer { give() }
    return try await work()
  }

  private func take() async -> Bool {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    // One that was cancelled just as its turn came is remembered for nobody.
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waiting.remove(at: index).continuation
      }
      waiting?.resume(returning: false)
    }
  }

  private func give() {
    let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
