import GRDB
import ServiceFixture
import Support
import Synchronization

@testable import Store

/// Makes every change of a store fail at its end, as a full or broken disk does, and counts the tries.
final class FailingWrites: TransactionObserver, Sendable {
  private struct State {
    var code: ResultCode?
    /// How many more transactions succeed before.
    var spared = 0
    var tries = 0
    var commits = 0
  }

  private let state = Mutex(State())

  /// - Parameter store: its writes succeed until ``begin(_:after:)``.
  init(of store: Store) {
    store.sqlite?.writer.add(transactionObserver: self, extent: .databaseLifetime)
  }

  /// How many transactions succeeded.
  var commits: Int { state.withLock { $0.commits } }

  /// How many transactions failed.
  var tries: Int { state.withLock { $0.tries } }

  /// - Parameters:
  ///   - code: the error of SQLite that every change meets.
  ///   - spared: how many more transactions succeed before.
  func begin(_ code: ResultCode, after spared: Int = 0) {
    state.withLock { $0 = State(code: code, spared: spared) }
  }

  func end() { state.withLock { $0.code = nil } }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ database: Database) { state.withLock { $0.commits += 1 } }
  func databaseDidRollback(_ database: Database) {}

  func databaseWillCommit() throws {
    try state.withLock { state in
      guard let code = state.code else { return }
      if state.spared > 0 {
        state.spared -= 1
        return
      }
      state.tries += 1
      throw DatabaseError(resultCode: code)
    }
  }
}

extension TestEngine {
  /// The failing writes of this engine's store, which succeed at first.
  func failingWrites() async throws -> FailingWrites { FailingWrites(of: try await engine.lazyStore.store()) }
}

extension Store {
  /// The engine, which is SQLite's in all of these tests.
  fileprivate var sqlite: SQLiteEngine? { engine as? SQLiteEngine }

  /// Counts the statements that contain `text` and read the database from now on.
  func countReads(with text: String) async throws -> Counter {
    let reads = Counter()
    try await sqlite?.withReader { database in
      database.trace(options: .statement) { if "\($0)".contains(text) { reads.increment() } }
    }
    return reads
  }

  /// Returns once the changes and looks that were waiting are done.
  func flush() async throws {
    _ = try await sqlite?.withWriter { _ in }
    _ = try await sqlite?.withReader { _ in }
  }
}
