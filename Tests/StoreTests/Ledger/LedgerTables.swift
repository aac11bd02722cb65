import GRDB

@testable import Store

/// Today's tables without a store: in memory, or in a database on the server of the tests.
final class LedgerTables {
  private enum Engine {
    case sqlite(DatabaseQueue)
    case postgresql(TestDatabase, PostgreSQLConnection)
  }

  private let engine: Engine

  init() throws {
    if TestDatabase.isUsed {
      let database = try TestDatabase()
      engine = .postgresql(database, try database.server.connect(for: .writing))
      return
    }
    let queue = try DatabaseQueue(
      configuration: ConnectionSettings.configuration(readonly: false, wait: BusyWait(random: { 0 })))
    try queue.writeWithoutTransaction { try Migration.apply(SQLiteSchema.steps, from: 0, to: $0) }
    engine = .sqlite(queue)
  }

  /// The database of stores that are closed.
  init(of fixture: StoreFixture) throws {
    if let server = fixture.server {
      engine = .postgresql(server, try server.owner.connect(for: .writing))
      return
    }
    var configuration = ConnectionSettings.configuration(readonly: false, wait: BusyWait(random: { 0 }))
    configuration.foreignKeysEnabled = false
    engine = .sqlite(try DatabaseQueue(path: fixture.directory.database, configuration: configuration))
  }

  /// From now on the database sees to nothing by itself but that keys are unique.
  func dropRules() throws {
    switch engine {
    case .sqlite(let queue):
      try queue.writeWithoutTransaction { database in
        for trigger in try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
          try database.execute(sql: "DROP TRIGGER \(trigger)")
        }
        try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
      }
    case .postgresql(_, let connection): _ = try connection.exchange([.init(text: Self.ruleless)])
    }
  }

  private static let ruleless = """
    DO $$ DECLARE one RECORD; BEGIN
      FOR one IN SELECT conrelid, conname FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0 LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.conrelid::regclass, one.conname);
      END LOOP;
      FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE %I DISABLE TRIGGER ALL', one.tablename);
      END LOOP;
    END $$
    """

  func read<Value>(_ work: (any SQLSession) throws -> Value) throws -> Value {
    switch engine {
    case .sqlite(let queue): try queue.read { try work(SQLiteSession($0)) }
    case .postgresql: try write(work)
    }
  }

  /// One transaction, on an engine that sends changes late and asks only what it does not know.
  func write<Value>(_ work: (any SQLSession) throws -> Value) throws -> Value {
    switch engine {
    case .sqlite(let queue):
      return try queue.write { database in
        let session = PipelinedSession(SQLiteSession(database))
        let value = try work(session)
        try session.finish()
        return value
      }
    case .postgresql(_, let connection):
      let session = PostgreSQLSession(connection, beginning: [.init(text: "BEGIN"), AdvisoryLock.ledger.statement])
      do {
        let value = try work(session)
        try session.finish(with: .init(text: "COMMIT"))
        return value
      } catch {
        session.leave(with: .init(text: "ROLLBACK"))
        throw error
      }
    }
  }

  /// Begins a transaction that dies at one of its statements, or at its end if it needs fewer.
  func crash(after statements: Int, _ work: (any SQLSession) throws -> Void) throws {
    switch engine {
    case .sqlite(let queue): try interrupt(queue, after: statements, work)
    case .postgresql:
      do {
        try write { session in
          try work(DyingSession(session, after: statements))
          throw CancellationError()
        }
      } catch {}
    }
  }

  /// The statements of triggers count.
  private func interrupt(_ queue: DatabaseQueue, after statements: Int, _ work: (any SQLSession) throws -> Void) throws {
    var left = statements
    try queue.writeWithoutTransaction { database in
      database.trace(options: .statement) { _ in
        left -= 1
        if left == 0 { queue.interrupt() }
      }
      do {
        try database.inTransaction(.immediate) {
          try work(SQLiteSession(database))
          throw CancellationError()
        }
      } catch {}
      database.trace(nil)
      if database.isInsideTransaction { throw SQLFault.damaged("the transaction goes on") }
    }
  }
}

/// A transaction whose process dies at one of its statements.
private final class DyingSession: SQLSession {
  private let engine: any SQLSession
  private var left: Int

  init(_ engine: any SQLSession, after statements: Int) {
    self.engine = engine
    left = statements
  }

  func rows(_ text: String, _ values: SQLValues) throws -> [SQLRow] { try living { try engine.rows(text, values) } }
  func change(_ text: String, _ values: SQLValues) throws -> Int { try living { try engine.change(text, values) } }
  func run(_ text: String, _ values: SQLValues) throws { try living { try engine.run(text, values) } }
  func prefetch(_ queries: @autoclosure () throws -> [SQLQuery]) throws { try engine.prefetch(try queries()) }
  func note(_ answer: [SQLRow], to query: SQLQuery) { engine.note(answer, to: query) }
  func lock(_ lock: SQLLock) throws { try engine.lock(lock) }

  private func living<Value>(_ work: () throws -> Value) throws -> Value {
    left -= 1
    if left < 0 { throw CancellationError() }
    return try work()
  }
}
