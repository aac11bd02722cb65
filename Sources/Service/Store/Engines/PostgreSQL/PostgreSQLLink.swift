import POSIX
import Synchronization

/// A connection that is made again when it was lost, and used by one thread at a time.
///
/// `@unchecked Sendable`: the connection is read, written and used only while ``turn`` is locked.
final class PostgreSQLLink: @unchecked Sendable {
  private let server: PostgreSQLServer
  private let use: PostgreSQLServer.Use
  /// Looked at while an answer is awaited: true gives the connection up.
  private let isGivenUp: @Sendable () -> Bool
  private let turn = Mutex<Void>(())
  private var connection: PostgreSQLConnection?

  /// Connects at first use.
  init(
    _ server: PostgreSQLServer, for use: PostgreSQLServer.Use, givingUpIf isGivenUp: @escaping @Sendable () -> Bool = { false }
  ) {
    self.server = server
    self.use = use
    self.isGivenUp = isGivenUp
  }

  /// Runs `body` with the connection, which is made again when it is lost.
  /// - Throws: a ``PostgreSQLFault`` when there is none and none can be made; what `body` throws.
  func withConnection<Value: Sendable>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
    try turn.withLock { _ in
      if let connection, !connection.isLost { return try body(connection) }
      connection = nil
      let made = try server.connect(for: use, givingUpIf: isGivenUp)
      connection = made
      return try body(made)
    }
  }

  /// Ends the connection. The next use makes another one.
  func close() {
    turn.withLock { _ in connection = nil }
  }
}
