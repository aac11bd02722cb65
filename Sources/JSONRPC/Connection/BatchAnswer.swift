import Synchronization

/// The answers to one batch, collected until all are there (JSON-RPC 2.0 section 6).
final class BatchAnswer: Sendable {
  private struct State {
    var missing: Int
    var responses: [Response] = []
  }

  private let state: Mutex<State>

  /// - Parameter count: how many answers there will be.
  init(count: Int) { state = Mutex(State(missing: count)) }

  /// Adds one.
  /// - Returns: all of them, when this was the last.
  func add(_ response: Response) -> [Response]? {
    state.withLock { state in
      state.responses.append(response)
      state.missing -= 1
      return state.missing == 0 ? state.responses : nil
    }
  }
}
