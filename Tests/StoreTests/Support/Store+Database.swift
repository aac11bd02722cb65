import AtelierProtocol
import GRDB

@testable import Store

/// SQLite behind a store: what tests look at, or change, behind its back.
extension Store {
  /// - Precondition: the store is on SQLite, as those of these tests are.
  var sqlite: SQLiteEngine {
    guard let engine = engine as? SQLiteEngine else { preconditionFailure("the store is not on SQLite") }
    return engine
  }
  var writer: DatabaseQueue { sqlite.writer }
  var reader: DatabaseQueue { sqlite.reader }
  var writes: WriteQueue { engine.writes }
  var busyPolicy: BusyWait.Policy { sqlite.busyPolicy }

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
