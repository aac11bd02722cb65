import AtelierProtocol
import GRDB
import Testing

@testable import Store

/// SQLite behind a store: what tests look at, or change, behind its back.
extension Store {
  /// What only SQLite has.
  var sqlite: SQLiteEngine { get throws { try #require(engine as? SQLiteEngine) } }
  var writer: DatabaseQueue { get throws { try sqlite.writer } }
  var reader: DatabaseQueue { get throws { try sqlite.reader } }
  var writes: WriteQueue { engine.writes }
  var busyPolicy: BusyWait.Policy { get throws { try sqlite.busyPolicy } }

  func withWriter<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await sqlite.withWriter(work)
  }

  func withReader<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await sqlite.withReader(work)
  }

  func read<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws(AtelierError) -> Value {
    try await read { (session: any SQLSession) in try work(try session.database) }
  }

  func write<Value: Sendable>(
    isDurable: Bool = true, isAlone: Bool = false, givesWay: Bool = false,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws(AtelierError) -> Value {
    try await write(isDurable: isDurable, isAlone: isAlone, givesWay: givesWay) { (session: any SQLSession) in
      try work(try session.database)
    }
  }
}

extension SQLSession {
  /// The connection of SQLite.
  var database: Database {
    get throws {
      if let session = self as? PipelinedSession { return try session.underlying.database }
      guard let session = self as? SQLiteSession else { throw SQLFault.damaged("not a session of SQLite") }
      return session.database
    }
  }
}
