import GRDB
import Store

extension DatabaseQueue {
  /// A second connection to a data directory's database, which waits as long as a busy machine lets it wait.
  convenience init(beside directory: DataDirectory) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(60)
    try self.init(path: "\(directory.path)/atelier.sqlite", configuration: configuration)
  }
}

/// Holds the database's write lock, as another process in the middle of a transaction does.
final class WriteLock: Sendable {
  private let connection: DatabaseQueue

  /// Takes the lock.
  init(_ directory: DataDirectory) async throws {
    connection = try DatabaseQueue(beside: directory)
    try await connection.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func release() async throws {
    try await connection.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
  }
}
