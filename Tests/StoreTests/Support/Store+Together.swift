import Dispatch
import Synchronization

@testable import Store

extension Store {
  /// Keeps the writer's thread busy until every one of `changes` has queued, in this order, so that they share their
  /// transactions.
  func together<Value: Sendable>(
    _ changes: [@Sendable () async throws -> Value]
  ) async throws -> [Result<Value, any Error>] {
    let hold = Hold()
    let holding = Task { try await writes.thread.run { hold.wait() } }
    while !hold.hasBegun.load(ordering: .acquiring) { await Task.yield() }
    var tasks: [Task<Value, any Error>] = []
    for change in changes {
      let before = writes.count
      tasks.append(Task { try await change() })
      while writes.count == before { await Task.yield() }
    }
    hold.release.signal()
    try await holding.value
    var results: [Result<Value, any Error>] = []
    for task in tasks { results.append(await task.result) }
    return results
  }

  private final class Hold: Sendable {
    let hasBegun = Atomic<Bool>(false)
    let release = DispatchSemaphore(value: 0)

    func wait() {
      hasBegun.store(true, ordering: .releasing)
      release.wait()
    }
  }

  /// Counts this store's transactions from now on; on SQLite only.
  func watchCommits() throws -> CommitWatcher {
    let watcher = CommitWatcher()
    if !TestDatabase.isUsed { try writer.add(transactionObserver: watcher, extent: .databaseLifetime) }
    return watcher
  }
}

extension Result {
  var value: Success? { try? get() }
  var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
