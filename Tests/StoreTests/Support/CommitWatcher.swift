import GRDB
import Synchronization

@testable import Store

/// Counts the transactions of a connection, and makes those fail at their end that are asked to.
final class CommitWatcher: TransactionObserver, Sendable {
  struct Refusal: Error {}

  private let state = Mutex(State())

  private struct State {
    var commits = 0
    var isRefusing = false
    /// Holds for the transaction that is running.
    var mustRefuse = false
  }

  /// Transactions that were kept.
  var commits: Int { state.withLock { $0.commits } }

  /// Whether every transaction fails at its end.
  func refuseAll(_ isRefusing: Bool) { state.withLock { $0.isRefusing = isRefusing } }

  /// To be called within a change: whatever transaction it is part of fails at its end.
  func refuseThis() { state.withLock { $0.mustRefuse = true } }

  /// Makes the transaction of a session fail at its end, on any engine.
  func refuse(_ session: any SQLSession) throws {
    guard TestDatabase.isUsed else { return refuseThis() }
    try session.run(
      """
      CREATE TEMPORARY TABLE IF NOT EXISTS refusal (
        id BIGINT PRIMARY KEY, other BIGINT REFERENCES refusal DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP
      """)
    try session.run("INSERT INTO refusal VALUES (1, 2) ON CONFLICT DO NOTHING")
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseWillCommit() throws {
    if state.withLock({ $0.isRefusing || $0.mustRefuse }) { throw Refusal() }
  }

  func databaseDidCommit(_ database: Database) { state.withLock { $0.commits += 1 } }
  func databaseDidRollback(_ database: Database) { state.withLock { $0.mustRefuse = false } }
}
