import AtelierProtocol
import GRDB
import Synchronization

/// Looks that take in the whole database, one at a time: each has a connection of its own and they have a thread of their
/// own, so that nothing that is read or written meanwhile waits for them.
final class LongLook: Sendable {
  private let opening: DatabaseOpening
  private let thread = BlockingQueue(label: "atelier.store.looking")
  private let state = Mutex(State())

  private struct State {
    /// Of the look that goes on.
    var connection: DatabaseQueue?
    var isFinished = false
  }

  init(opening: DatabaseOpening) { self.opening = opening }

  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Runs `work` with a connection that reads, outside of any transaction.
  func run<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await thread.run { [self] in
      let connection = try begin()
      defer { end(connection) }
      return try connection.writeWithoutTransaction(work)
    }
  }

  /// Breaks off the look that goes on and refuses every later one. Returns when no connection is left.
  func finish() async {
    state.withLock { state in
      state.isFinished = true
      state.connection?.interrupt()
    }
    // What it runs cannot fail.
    try? await thread.run {}
  }

  private func begin() throws -> DatabaseQueue {
    if isFinished { throw AtelierError.storeClosed }
    let connection = try opening.reader()
    return try state.withLock { state in
      guard !state.isFinished else { throw AtelierError.storeClosed }
      state.connection = connection
      return connection
    }
  }

  private func end(_ connection: DatabaseQueue) {
    state.withLock { $0.connection = nil }
    // One that cannot be closed is closed with its last reference.
    try? connection.close()
  }
}
