import POSIX
import Synchronization
import Testing

@testable import Store

@Suite("A connection to PostgreSQL", .withPostgreSQL)
struct PostgreSQLConnectionTests {
  typealias Statement = PostgreSQLConnection.Statement

  let database: TestDatabase
  let connection: PostgreSQLConnection
  init() throws {
    database = try TestDatabase.empty()
    connection = try database.server.connect(for: .writing)
  }

  private func number(_ text: String, _ values: SQLValues = []) throws -> Int? {
    guard case .rows(let rows) = try connection.exchange([.init(text: text, values: values)]).last else { return nil }
    return try rows.first?.first()
  }

  @Test("a connection answers an exchange statement by statement, in the order of sending")
  func exchange() throws {
    let answers = try connection.exchange([
      Statement(text: "CREATE TABLE slate (number BIGINT)"),
      Statement(text: "INSERT INTO slate VALUES (?), (?)", values: [1, 2]),
      Statement(text: "SELECT number FROM slate ORDER BY number DESC"),
      Statement(text: "SELECT number FROM slate WHERE number > ?", values: [5]),
      Statement(text: "DELETE FROM slate WHERE number = ? RETURNING number", values: [2]),
      Statement(text: "UPDATE slate SET number = 7"),
    ])
    let found: [[Int]] = try answers.map { answer in
      switch answer {
      case .rows(let rows): try rows.map { try $0.value("number") }
      case .changes(let count): [count]
      }
    }
    #expect(found == [[0], [2], [2, 1], [], [2], [1]])
  }

  @Test("a connection sends an exchange in one round trip, however many statements it has, and a transaction in two")
  func roundTrips() throws {
    let proxy = try SocketProxy(to: TestDatabase.folder ?? "")
    var server = database.server
    server.address.hosts = [.init(name: proxy.folder, port: 5432)]
    let connection = try server.connect(for: .writing)
    func answers(_ work: () throws -> Void) rethrows -> Int {
      let before = proxy.passed
      try work()
      return proxy.passed - before
    }
    let exchanged = try answers {
      _ = try connection.exchange((0..<20).map { Statement(text: "SELECT CAST(? AS BIGINT) AS one", values: [$0]) })
    }
    #expect(exchanged == 1)
    let session = PostgreSQLSession(connection, beginning: [Statement(text: "BEGIN"), AdvisoryLock.ledger.statement])
    let read = try answers {
      try session.prefetch((0..<5).map { SQLQuery("SELECT CAST(? AS BIGINT) AS one", [$0]) })
      for number in 0..<5 { #expect(try session.value("SELECT CAST(? AS BIGINT) AS one", [number]) == number) }
    }
    #expect(read == 1)
    let written = try answers {
      session.run("CREATE TABLE slate (number BIGINT)", [])
      for number in 0..<5 { session.run("INSERT INTO slate VALUES (?)", [number]) }
      try session.finish(with: Statement(text: "COMMIT"))
    }
    #expect(written == 1)
  }

  @Test("a connection that sends nothing ahead takes a round trip for each statement, and finds the same")
  func oneByOne() throws {
    let proxy = try SocketProxy(to: TestDatabase.folder ?? "")
    var server = database.server
    server.address.hosts = [.init(name: proxy.folder, port: 5432)]
    server.sendsAhead = false
    let connection = try server.connect(for: .writing)
    let session = PostgreSQLSession(connection, beginning: [Statement(text: "BEGIN"), AdvisoryLock.ledger.statement])
    let before = proxy.passed
    let query = SQLQuery("SELECT CAST(? AS BIGINT) AS one", [1])
    try session.foresee((0..<2).map { Foresight(subjects: ["\($0)"], queries: { [query] }) })
    for _ in 0..<2 {
      session.beginChange()
      #expect(try session.value(query) == 1)
      session.run("SELECT 1", [])
      try session.push()
    }
    try session.finish(with: Statement(text: "COMMIT"))
    // Two that begin, and of each change two.
    #expect(proxy.passed - before == 7)
  }

  @Test("a session asks once for several changes, of which each reads what was before them, and what is noted since")
  func foresight() throws {
    let proxy = try SocketProxy(to: TestDatabase.folder ?? "")
    var server = database.server
    server.address.hosts = [.init(name: proxy.folder, port: 5432)]
    let connection = try server.connect(for: .writing)
    _ = try connection.exchange([Statement(text: "CREATE TABLE slate (number BIGINT)")])
    let session = PostgreSQLSession(connection, beginning: [Statement(text: "BEGIN")])
    let (count, highest) = (SQLQuery("SELECT count(*) AS count FROM slate"), SQLQuery("SELECT max(number) FROM slate"))
    let before = proxy.passed
    try session.foresee((0..<5).map { Foresight(subjects: ["\($0)"], queries: { [count, highest] }) })
    #expect(proxy.passed - before == 1)
    for number in 0..<5 {
      session.beginChange()
      #expect(try session.value(count) == 0)
      #expect(try session.value(highest) == (number == 0 ? nil : number - 1))
      session.run("INSERT INTO slate VALUES (?)", [number])
      session.note([SQLRow(columns: SQLColumns(["max"]), values: [.integer(Int64(number))])], to: highest)
    }
    #expect(proxy.passed - before == 1)
    // What a change has not asked for, it does not get from what others have.
    try session.foresee([Foresight(subjects: ["a"], queries: { [count] }), Foresight(subjects: ["b"], queries: { [] })])
    session.beginChange()
    session.run("INSERT INTO slate VALUES (?)", [9])
    session.beginChange()
    #expect(try session.value(count) == 6)
    try session.push()
    _ = try session.change("DELETE FROM slate WHERE number = ?", [9])
    // What a change has written itself, it reads.
    #expect(try session.value(count) == 5)
    session.beginChange()
    #expect(try session.value(count) == 5)
    try session.finish(with: Statement(text: "COMMIT"))
  }

  @Test("a connection that is not in a transaction keeps all of an exchange, or nothing of it")
  func implicit() throws {
    _ = try connection.exchange([Statement(text: "CREATE TABLE slate (number BIGINT CHECK (number < 9))")])
    let statements = [1, 9].map { Statement(text: "INSERT INTO slate VALUES (?)", values: [$0]) }
    #expect(throws: PostgreSQLFault.self) { try connection.exchange(statements) }
    #expect(try number("SELECT count(*) AS count FROM slate") == 0)
  }

  @Test("a connection of which nothing was asked answers nothing")
  func nothing() throws {
    #expect(try connection.exchange([]).isEmpty)
    #expect(try number("SELECT 1 AS one") == 1)
  }

  @Test("a connection names the statement that failed, runs none after it, and goes on", arguments: [0, 1, 2])
  func failure(position: Int) throws {
    _ = try connection.exchange([Statement(text: "CREATE TABLE slate (number BIGINT CHECK (number < 9))")])
    _ = try connection.exchange([Statement(text: "BEGIN")])
    var statements = (1...3).map { Statement(text: "INSERT INTO slate VALUES (?)", values: [$0]) }
    statements[position].values = [9]
    let fault = #expect(throws: PostgreSQLFault.self) { try connection.exchange(statements) }
    #expect(fault?.state == "23514" && fault?.remedy == PostgreSQLFault.Remedy.none && !connection.isLost)
    // The transaction is broken until it is ended.
    #expect(#expect(throws: PostgreSQLFault.self) { try number("SELECT 1 AS one") }?.state == "25P02")
    _ = try connection.exchange([Statement(text: "ROLLBACK")])
    #expect(try number("SELECT count(*) AS count FROM slate") == 0)
  }

  @Test("a connection prepares again what could not be prepared, or was prepared after it in the same exchange")
  func preparation() throws {
    let texts = ["SELECT 1 AS before", "SELECT number FROM later", "SELECT 2 AS after"]
    let fault = #expect(throws: PostgreSQLFault.self) { try connection.exchange(texts.map { Statement(text: $0) }) }
    #expect(fault?.state == "42P01")
    _ = try connection.exchange([Statement(text: "CREATE TABLE later (number BIGINT)")])
    for _ in 0..<2 {
      let answers = try connection.exchange(texts.map { Statement(text: $0) })
      #expect(answers.count == 3)
    }
    #expect(try number(texts[0]) == 1 && number(texts[2]) == 2)
  }

  @Test("a connection keeps the same text apart from its values, and answers more texts than it keeps prepared")
  func manyTexts() throws {
    for round in 0..<2 {
      for first in stride(from: 0, to: 1_100, by: 100) {
        let answers = try connection.exchange(
          (first..<first + 100).map { Statement(text: "SELECT CAST(? AS BIGINT) + \($0) AS sum", values: [round]) })
        for (number, answer) in zip(first..., answers) {
          guard case .rows(let rows) = answer else { continue }
          #expect(try rows.first?.first() == number + round)
        }
      }
    }
    #expect(try number("SELECT count(*) AS count FROM pg_prepared_statements") ?? .max <= 1_001)
  }

  @Test("a connection reads large answers while it sends much, without waiting for ever")
  func large() throws {
    let text = String(repeating: "x", count: 1_000_000)
    let answers = try connection.exchange(
      (0..<30).map { _ in Statement(text: "SELECT CAST(? AS TEXT) AS text", values: [text]) })
    #expect(answers.count == 30)
  }

  @Test("a connection reads first what was answered to what nobody has waited for, faults included")
  func posted() throws {
    _ = try connection.exchange([Statement(text: "BEGIN")])
    try connection.post([Statement(text: "SELECT 1 / CAST(? AS BIGINT) AS none", values: [0])])
    try connection.post([Statement(text: "ROLLBACK")])
    #expect(try number("SELECT 5 AS five") == 5)
  }

  @Test("a connection that was ended says so, and so does every later use of it")
  func terminated() throws {
    try database.terminate(connection.backend)
    for _ in 0..<2 {
      let fault = #expect(throws: PostgreSQLFault.self) { try number("SELECT 1 AS one") }
      #expect(fault?.remedy == .reconnect)
    }
    #expect(connection.isLost)
  }

  @Test("a connection that is given up while it waits does not wait for the answer")
  func givenUp() throws {
    // Waits for a lock that is never given back.
    _ = try connection.exchange([Statement(text: "SELECT pg_advisory_lock(5)")])
    let flag = Flag()
    let other = try database.server.connect(for: .readingWhole) { flag.isSet }
    flag.set()
    #expect(throws: PostgreSQLFault.self) { try other.exchange([Statement(text: "SELECT pg_advisory_lock(5)")]) }
    #expect(other.isLost)
  }

  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }

  @Test("a connection that is refused says why, without the password")
  func refused() throws {
    var server = TestDatabase.server(named: "a_database_that_is_not_there")
    server.password = RenewableSecret(constant: "a_database_that")
    let fault = #expect(throws: PostgreSQLFault.self) { try server.connect(for: .writing) }
    #expect(fault?.state == "3D000" && fault?.message.contains("a_database_that") == false, "\(fault?.message ?? "")")
    server.password = RenewableSecret(constant: nil)
    let told = #expect(throws: PostgreSQLFault.self) { try server.connect(for: .writing) }
    #expect(told?.message.contains("does not exist") == true, "\(told?.message ?? "")")
  }
}
