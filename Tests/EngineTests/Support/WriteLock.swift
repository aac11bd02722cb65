import GRDB
import Store

/// Holds the database's write lock, as another process in the middle of a transaction does.
final class WriteLock: Sendable {
  private let connection: DatabaseQueue

  /// Takes the lock.
  init(_ directory: DataDirectory) async throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(10)
    connection = try DatabaseQueue(path: "\(directory.path)/atelier.sqlite", configuration: configuration)
    try await connection.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func release() async throws {
    try await connection.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
  }
}
