import AtelierProtocol
import GRDB
import Testing

@testable import Store

/// The database behind a store: what tests look at, or change, behind its back.
extension Store {
  /// The number that a query answers with; 0 for none.
  func number(_ query: String, _ values: SQLValues = []) async throws -> Int {
    try await read { try $0.value(query, values) ?? 0 }
  }

  /// Runs one statement in a transaction of its own, as the owner of the tables.
  func change(_ statement: String, _ values: SQLValues = []) async throws {
    try await write { session in
      try session.becomeOwner()
      try session.run(statement, values)
    }
  }

  var writes: WriteQueue { engine.writes }

  /// What only SQLite has.
  var sqlite: SQLiteEngine { get throws { try #require(engine as? SQLiteEngine) } }
  var writer: DatabaseQueue { get throws { try sqlite.writer } }
  var reader: DatabaseQueue { get throws { try sqlite.reader } }
  var busyPolicy: BusyWait.Policy { get throws { try sqlite.busyPolicy } }

  func withWriter<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await sqlite.withWriter(work)
  }

  func withReader<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await sqlite.withReader(work)
  }
}
