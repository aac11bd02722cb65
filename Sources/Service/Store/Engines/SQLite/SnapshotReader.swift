import AtelierProtocol
import GRDB
import POSIX
import Synchronization

/// Runs reads of the whole database, one at a time. Each has its own connection and all share a separate thread, so
/// that no other read or write waits for them.
final class SnapshotReader: Sendable {
  private let opening: DatabaseOpening
  private let opened: OpenedFiles
  private let thread = LazyThreadPool(width: 1)
  private let state = Mutex(State())

  private struct State {
    /// The connection of the running read.
    var connection: DatabaseQueue?
    var isFinished = false
  }

  init(opening: DatabaseOpening, opened: OpenedFiles) {
    self.opening = opening
    self.opened = opened
  }

  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Runs `work` with a read-only connection, outside of any transaction.
  func run<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
    try await runOnConnection { try work(SQLiteSession($0)) }
  }

  /// Runs work that is SQLite's own, as ``run(_:)`` does.
  func runOnConnection<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await thread.run { [self] in
      let connection = try begin()
      defer { end(connection) }
      return try connection.writeWithoutTransaction(work)
    }
  }

  /// Interrupts the running read and refuses every later one. Returns when no connection is left.
  func finish() async {
    state.withLock { state in
      state.isFinished = true
      state.connection?.interrupt()
    }
    await thread.finish()
  }

  private func begin() throws -> DatabaseQueue {
    if isFinished { throw AtelierError.storeClosed }
    let connection = try opening.reader()
    // It was opened by its name, which may lead to another database by now.
    try opened.checkDatabase()
    return try state.withLock { state in
      guard !state.isFinished else { throw AtelierError.storeClosed }
      state.connection = connection
      return connection
    }
  }

  private func end(_ connection: DatabaseQueue) {
    state.withLock { $0.connection = nil }
    // A connection that cannot be closed here is closed with its last reference.
    try? connection.close()
  }
}
