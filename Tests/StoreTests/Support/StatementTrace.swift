import GRDB
import Synchronization

@testable import Store

/// Every statement that the connections of a store run from now on, as it was prepared; those of triggers included,
/// which SQLite only names.
final class StatementTrace: Sendable {
  private let seen = Mutex<[String: Int]>([:])

  var statements: [String] { seen.withLock { $0.keys.sorted() } }

  func attach(to store: Store) async throws {
    try await store.withWriter { [self] in watch($0) }
    try await store.withReader { [self] in watch($0) }
  }

  private func watch(_ database: Database) {
    database.trace(options: .statement) { [self] event in
      guard case .statement(let statement) = event else { return }
      let sql = statement.sql
      // A comment stands for the trigger whose statements come next.
      if !sql.hasPrefix("--") { seen.withLock { $0[sql, default: 0] += 1 } }
    }
  }
}
