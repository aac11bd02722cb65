import AtelierProtocol
import Support
import Synchronization
import Testing

@testable import Store

@Suite("Writes into PostgreSQL", .withPostgreSQL, .timeLimit(.minutes(5)))
struct PostgreSQLWriterTests {
  let database: TestDatabase
  let temporary: TemporaryDirectory
  let fixture: StoreFixture
  init() throws {
    database = try TestDatabase()
    temporary = try TemporaryDirectory()
    fixture = try StoreFixture()
  }

  private struct Broken: Error, Equatable {
    var number: Int
  }

  /// A store with a table to write into, which refuses numbers below zero, and at the end of a transaction those above a
  /// thousand.
  private func open() async throws -> Store {
    let store = try await Store.open(
      directory: DataDirectory(path: "\(temporary.path)/data"), server: database.server,
      surroundings: fixture.surroundings)
    try await store.write { session in
      try session.run("SET LOCAL ROLE postgres")
      try session.run(
        """
        CREATE TABLE slate (
          place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number BIGINT NOT NULL UNIQUE CHECK (number >= 0))
        """)
      try session.run("GRANT ALL ON slate TO PUBLIC")
      try session.run(
        """
        CREATE FUNCTION refuse_late() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION USING ERRCODE = ''AT001'', MESSAGE = ''late''; END'
        """)
      try session.run(
        """
        CREATE CONSTRAINT TRIGGER late AFTER INSERT ON slate DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (NEW.number > 1000) EXECUTE FUNCTION refuse_late()
        """)
    }
    return store
  }

  private static func put(_ number: Int, _ session: any SQLSession) throws -> Int {
    try session.run("INSERT INTO slate (number) VALUES (?)", [number])
    return number
  }

  private func slate(_ store: Store) async throws -> [Int] {
    try await store.read { try $0.values("SELECT number FROM slate ORDER BY place") }
  }

  /// The server's process of the connection that a transaction uses.
  private static func backend(_ session: any SQLSession) throws -> Int {
    try #require(try session.value("SELECT pg_backend_pid()"))
  }

  // MARK: Together

  private enum Change: CaseIterable {
    case put, giveUp, meetRule, meetRuleAtTheEnd
  }

  private static func make(_ change: Change, _ number: Int, _ session: any SQLSession) throws -> Int {
    let value = try put(number, session)
    switch change {
    case .put: break
    case .giveUp: throw Broken(number: number)
    case .meetRule: _ = try put(-1, session)
    case .meetRuleAtTheEnd: _ = try put(1_001 + number, session)
    }
    return value
  }

  @Test(
    "the writes undo only themselves when they fail, whatever the failure; each caller hears what became of its own",
    arguments: 0..<12 as Range<UInt64>)
  func mix(seed: UInt64) async throws {
    let store = try await open()
    var random = SplitMix64(seed: seed)
    let changes = (0..<Int.random(in: 1...30, using: &random)).map { number in
      (number, Bool.random(using: &random) ? .put : Change.allCases.randomElement(using: &random) ?? .put)
    }
    let results = try await store.together(
      changes.map { number, change in
        if Bool.random(using: &random) { return { try await store.writes.run { try Self.make(change, number, $0) } } }
        return {
          try await store.writes.run(foreseeing: {
            let queries = [SQLQuery("SELECT count(*) AS count FROM slate")]
            return ForeseenChange(foresight: Foresight(subjects: [], queries: { queries })) {
              try Self.make(change, number, $0)
            }
          })
        }
      })
    #expect(try await slate(store) == changes.filter { $0.1 == .put }.map(\.0), "seed \(seed)")
    for ((number, change), result) in zip(changes, results) {
      let isRight =
        switch change {
        case .put: result.value == number
        case .giveUp: result.error as? Broken == Broken(number: number)
        case .meetRule: (result.error as? PostgreSQLFault)?.state == "23514"
        case .meetRuleAtTheEnd: (result.error as? PostgreSQLFault)?.state == PostgreSQLFault.ruleBroken
        }
      #expect(isRight, "seed \(seed): \(number) \(change): \(result)")
    }
    await store.close()
  }

  @Test("the writes that arrive together share a transaction")
  func share() async throws {
    let store = try await open()
    let results = try await store.together(
      (0..<20).map { number in
        {
          try await store.write { session in
            _ = try Self.put(number, session)
            return try session.value("SELECT txid_current()", as: Int.self)
          }
        }
      })
    #expect(Set(results.map(\.value)).count == 1)
    await store.close()
  }

  @Test("a fault of what was sent ahead is told at the end of its transaction, and of no other")
  func pushed() throws {
    let connection = try database.owner.connect(for: .writing)
    let begin = [PostgreSQLConnection.Statement(text: "BEGIN")]
    _ = try connection.exchange([.init(text: "CREATE TABLE slate (number BIGINT CHECK (number >= 0))")])
    for (numbers, isKept) in [([1, -1, 2], false), ([3, 4], true)] {
      let session = PostgreSQLSession(connection, beginning: begin)
      for number in numbers {
        session.run("INSERT INTO slate VALUES (?)", [number])
        try session.push()
      }
      if isKept {
        try session.finish(with: .init(text: "COMMIT"))
      } else {
        let fault = #expect(throws: PostgreSQLFault.self) { try session.finish(with: .init(text: "COMMIT")) }
        #expect(fault?.state == "23514")
        session.leave(with: .init(text: "ROLLBACK"))
      }
    }
    // One that is left does not tell what was wrong with it.
    let left = PostgreSQLSession(connection, beginning: begin)
    left.run("INSERT INTO slate VALUES (?)", [-1])
    try left.push()
    left.leave(with: .init(text: "ROLLBACK"))
    let answers = try connection.exchange([.init(text: "SELECT number FROM slate ORDER BY number")])
    guard case .rows(let rows) = answers.first else { return #expect(Bool(false), "no rows") }
    #expect(try rows.map { try $0.value("number") as Int } == [3, 4])
  }

  @Test("a transaction whose process stops in its midst is ended by the server")
  func stopped() async throws {
    let connection = try database.server.connect(for: .writing)
    let session = PostgreSQLSession(
      connection, beginning: [.init(text: "BEGIN"), .init(text: "SET LOCAL idle_in_transaction_session_timeout = 50")])
    session.run("CREATE TABLE slate (number BIGINT)", [])
    try session.push()
    let (backend, open) = (connection.backend, "SELECT count(*) AS count FROM pg_stat_activity WHERE pid = ?")
    let store = try await Store.open(
      directory: DataDirectory(path: "\(temporary.path)/data"), server: database.server,
      surroundings: fixture.surroundings)
    while try await store.read({ try $0.value(open, [backend], as: Int.self) }) != 0 { await Task.yield() }
    #expect(throws: PostgreSQLFault.self) { try session.finish(with: .init(text: "COMMIT")) }
    await store.close()
  }

  // MARK: Connections that end

  @Test("a read whose connection ends in its midst goes on over another one", arguments: [1, 2])
  func read(losses: Int) async throws {
    let store = try await open()
    _ = try await store.write { try Self.put(3, $0) }
    let left = Atomic<Int>(losses)
    let found = try await store.read { [database] session in
      let backend = try Self.backend(session)
      if left.subtract(1, ordering: .relaxed).newValue >= 0 { try database.terminate(backend) }
      return try session.values("SELECT number FROM slate", as: Int.self)
    }
    #expect(found == [3])
    await store.close()
  }

  @Test("a write goes on over another connection, once, where its own ended before or within it")
  func write() async throws {
    let store = try await open()
    try database.terminateAll()
    #expect(try await store.write { try Self.put(1, $0) } == 1)
    let isFirst = Atomic<Bool>(true)
    let tries = Atomic<Int>(0)
    let value = try await store.write { [database] session in
      tries.add(1, ordering: .relaxed)
      let backend = try Self.backend(session)
      let value = try Self.put(2, session)
      if isFirst.exchange(false, ordering: .relaxed) { try database.terminate(backend) }
      // The change is sent with what is asked next.
      return try session.value("SELECT number FROM slate WHERE number = ?", [value], as: Int.self)
    }
    #expect(value == 2 && tries.load(ordering: .relaxed) == 2)
    #expect(try await slate(store) == [1, 2])
    await store.close()
  }

  @Test("a write whose connection ends at its COMMIT, which is not kept, is made again")
  func lostCommit() async throws {
    let store = try await open()
    // The server's process ends itself at the end of the transaction.
    try await store.write { session in
      try session.run("SET LOCAL ROLE postgres")
      try session.run(
        """
        CREATE FUNCTION end_backend() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NEW; END'
        """)
      try session.run(
        """
        CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON slate DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (NEW.number = 7) EXECUTE FUNCTION end_backend()
        """)
    }
    let tries = Atomic<Int>(0)
    let value = try await store.write { session in
      // Another row the second time, which ends nothing.
      try Self.put(tries.add(1, ordering: .relaxed).newValue == 1 ? 7 : 8, session)
    }
    #expect(value == 8 && tries.load(ordering: .relaxed) == 2)
    #expect(try await slate(store) == [8])
    await store.close()
  }

  @Test("a write that is cut while its COMMIT goes on is not made again: whether it was kept is asked under the lock")
  func commitUnderWay() async throws {
    let proxy = try SocketProxy(to: TestDatabase.folder ?? "")
    var server = database.server
    server.address.hosts = [.init(name: proxy.folder, port: 5432)]
    let store = try await Store.open(
      directory: DataDirectory(path: "\(temporary.path)/data"), server: server, surroundings: fixture.surroundings)
    // The end of a transaction waits, as for a standby, for as long as the test holds this lock.
    let gate = 4_711
    try await store.write { session in
      try session.run("SET LOCAL ROLE postgres")
      try session.run("CREATE TABLE slate (place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number BIGINT)")
      try session.run("GRANT ALL ON slate TO PUBLIC")
      try session.run(
        """
        CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_advisory_xact_lock_shared(\(gate)); RETURN NEW; END'
        """)
      try session.run(
        """
        CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON slate DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        EXECUTE FUNCTION wait_at_gate()
        """)
    }
    let keeper = try database.owner.connect(for: .readingWhole)
    _ = try keeper.exchange([.init(text: "SELECT pg_advisory_lock(\(gate))")])
    let tries = Atomic<Int>(0)
    async let written = store.write { session in
      if tries.add(1, ordering: .relaxed).newValue == 1 {
        // What was sent until now is answered; what comes next is the COMMIT.
        _ = try Self.backend(session)
        proxy.cutAfterNextQuestion()
      }
      return try Self.put(7, session)
    }
    // The first transaction waits at the gate, and whoever asks about it for the lock of all writers.
    let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = "
      + "(SELECT oid FROM pg_database WHERE datname = current_database())"
    while true {
      guard case .rows(let rows)? = try keeper.exchange([.init(text: waiting)]).last,
        let count: Int = try rows.first?.first()
      else { break }
      if count == 2 { break }
      await Task.yield()
    }
    _ = try keeper.exchange([.init(text: "SELECT pg_advisory_unlock(\(gate))")])
    #expect(try await written == 7)
    #expect(tries.load(ordering: .relaxed) == 1)
    #expect(try await slate(store) == [7])
    await store.close()
  }

  @Test(
    "a write whose answer is lost after its COMMIT is not made again, and its caller hears what it gave", arguments: [1, 3])
  func keptCommit(together count: Int) async throws {
    let proxy = try SocketProxy(to: TestDatabase.folder ?? "")
    var server = database.server
    server.address.hosts = [.init(name: proxy.folder, port: 5432)]
    let store = try await Store.open(
      directory: DataDirectory(path: "\(temporary.path)/data"), server: server, surroundings: fixture.surroundings)
    try await store.write { session in
      try session.run("SET LOCAL ROLE postgres")
      try session.run("CREATE TABLE slate (place BIGINT GENERATED ALWAYS AS IDENTITY, number BIGINT)")
      try session.run("GRANT ALL ON slate TO PUBLIC")
    }
    let tries = Atomic<Int>(0)
    let results = try await store.together(
      (0..<count).map { number in
        {
          try await store.write { session in
            tries.add(1, ordering: .relaxed)
            // What was sent until now is answered; what comes next is the COMMIT, whose answer is swallowed.
            if number == count - 1 {
              _ = try Self.backend(session)
              proxy.swallowNextAnswer()
            }
            return try Self.put(number, session)
          }
        }
      })
    #expect(results.map(\.value) == Array(0..<count))
    #expect(tries.load(ordering: .relaxed) == count && proxy.swallowed == 1)
    #expect(try await slate(store) == Array(0..<count))
    await store.close()
  }
}
