import Synchronization

/// What threads and callbacks tell a test, which waits for it in order.
final class Reports<Report: Sendable>: Sendable {
  private struct State {
    var all: [Report] = []
    var taken = 0
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func add(_ report: Report) {
    let waiting = state.withLock { state in
      state.all.append(report)
      return state.waiting.take()
    }
    waiting?.resume()
  }

  /// The next report; only one test may wait at a time.
  /// - Throws: `CancellationError` when the test has taken too long.
  func next() async throws -> Report {
    while true {
      try Task.checkCancellation()
      let report: Report? = state.withLock { state in
        guard state.taken < state.all.count else { return nil }
        state.taken += 1
        return state.all[state.taken - 1]
      }
      if let report { return report }
      await waitForMore()
    }
  }

  private func waitForMore() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if state.taken < state.all.count || Task.isCancelled { return true }
          state.waiting = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.take() }?.resume()
    }
  }

  /// All that has been reported so far.
  var all: [Report] { state.withLock { $0.all } }
}
