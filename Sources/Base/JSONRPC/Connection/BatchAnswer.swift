import Synchronization

/// The answers to one batch, collected until all are complete (JSON-RPC 2.0 section 6).
final class BatchAnswer: Sendable {
  private struct State {
    var missing: Int
    var responses: [Response] = []
  }

  private let state: Mutex<State>

  /// - Parameter count: the number of answers expected.
  init(count: Int) { state = Mutex(State(missing: count)) }

  /// Adds one answer.
  /// - Returns: all answers, when this was the last one.
  func add(_ response: Response) -> [Response]? {
    state.withLock { state in
      state.responses.append(response)
      state.missing -= 1
      return state.missing == 0 ? state.responses : nil
    }
  }
}
