import Support
import Testing

@testable import Store

@Suite("The roles of a PostgreSQL database", .withPostgreSQL)
struct PostgreSQLRoleTests {
  private static func run(_ text: String, on server: PostgreSQLServer) throws {
    _ = try server.connect(for: .writing).exchange([.init(text: text)])
  }

  private static func value<Value: SQLRepresentable>(_ query: String, on server: PostgreSQLServer) throws -> Value? {
    try PostgreSQLSession(try server.connect(for: .reading), beginning: []).value(query)
  }

  private static func findings(_ server: PostgreSQLServer) throws -> [IntegrityReport.Finding] {
    try PostgreSQLExamination(server: server).findings().filter { finding in
      // How the server of the tests is set up.
      !["fsync", "full_page_writes", "max_connections"].contains { finding.sentence.contains($0) }
    }
  }

  private static func withLedger(_ work: (TestDatabase) async throws -> Void) async throws {
    let (database, fixture) = (try TestDatabase(), try StoreFixture())
    let store = try await Store.open(
      directory: fixture.directory, server: database.server, surroundings: fixture.surroundings)
    _ = try await store.grantCredits(5, to: "anna", because: "a test")
    _ = try await store.revokeCredits(1, from: "anna", because: "a test", source: "revocation")
    let sums = try await store.creditSums(of: "anna")
    try await work(database)
    #expect(try await store.auditLedger() == [])
    #expect(try await store.creditSums(of: "anna") == sums)
    await store.close()
  }

  @Test(
    "a service's role is refused whatever would alter the ledger, its balances or its rules",
    arguments: [
      "UPDATE transfer SET amount = 2", "DELETE FROM transfer", "TRUNCATE transfer CASCADE", "TRUNCATE account_balance",
      "UPDATE credit_grant SET amount = 9", "DELETE FROM credit_grant", "UPDATE account_balance SET available = 5",
      "INSERT INTO account_balance VALUES ('x', 1, 0)", "DELETE FROM grant_balance", "UPDATE grant_balance SET held = 1",
      "UPDATE revocation SET amount = 9", "DELETE FROM revocation", "UPDATE subscription SET credits = 9",
      "UPDATE subscription SET product = 'p'", "UPDATE account SET created = 1", "UPDATE hold SET amount = 9",
      "UPDATE generation SET created = 1", "UPDATE idempotency SET params_hash = ''",
      "UPDATE receipt SET account = 'x'", "DELETE FROM account", "UPDATE clock_jump SET seen = 1",
      "ALTER TABLE transfer DISABLE TRIGGER ALL", "ALTER TABLE transfer DISABLE TRIGGER transfer_stays",
      "SET session_replication_role = replica", "DROP TRIGGER transfer_stays ON transfer", "DROP TABLE transfer CASCADE",
      "DROP FUNCTION transfer_moves_credits() CASCADE", "ALTER FUNCTION transfer_moves_credits() RENAME TO gone",
      "CREATE OR REPLACE FUNCTION instr(text TEXT, part TEXT) RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'",
      "CREATE TABLE other (id BIGINT)", "UPDATE atelier_schema SET version = 9", "UPDATE artifact_sum SET bytes = 0",
    ])
  func refused(statement: String) async throws {
    try await Self.withLedger { database in
      #expect(throws: PostgreSQLFault.self) { try Self.run(statement, on: database.server) }
    }
  }

  /// A grant that somebody writes by hand, with its right hash unless another one is given.
  private static func grant(_ kind: String, for source: String, hash: String? = nil) -> String {
    let digest = "\(DeletedAccount.function)('anna')"
    let right = "\(LedgerTable.function)('g', \(digest), '\(kind)', '\(source)', '9', '2', '1', NULL, 'r', '1')"
    return """
      INSERT INTO credit_grant (
        id, account, kind, source_key, amount, priority, effective, expires, reason, created, hash)
      VALUES ('g', 'anna', '\(kind)', '\(source)', 9, 2, 1, NULL, 'r', 1, \(hash ?? right))
      """
  }

  @Test(
    "a service's role writes no row of the ledger by hand, whatever it knows of hashes",
    arguments: [
      (grant("operator", for: "operator:x", hash: "repeat('0', 64)"), "has its hash"),
      (grant("operator", for: "operator:x"), "are given"),
      (grant("operator", for: "owed:x"), "something that is there"),
      (grant("bundle", for: "apple:x"), "something that is there"),
      (grant("period", for: "premium:x:0"), "something that is there"),
      (grant("free", for: "free:x"), "something that is there"),
      (grant("guest", for: "guest:x"), "something that is there"),
      (grant("guest", for: "merged:x"), "something that is there"),
      (grant("makegood", for: "makegood:x:y"), "something that is there"),
      (
        """
        INSERT INTO transfer (
          seq, kind, account, grant_id, source, destination, amount, available_after, created, previous_hash, hash)
        SELECT 99, 'grant', 'anna', id, 'issued', 'available', 5, 10, 1, '', \(LedgerTable.function)(
          '99', 'grant', \(DeletedAccount.function)('anna'), id, NULL, 'issued', 'available', '5', '10', NULL, '1', '')
        FROM credit_grant LIMIT 1
        """, "follows from the one before it"
      ),
    ])
  func byHand(statement: String, reason: String) async throws {
    try await Self.withLedger { database in
      let connection = try database.server.connect(for: .writing)
      let refusal = #expect(throws: PostgreSQLFault.self) {
        try connection.exchange([.init(text: "BEGIN"), .init(text: statement), .init(text: "COMMIT")])
      }
      #expect(refusal?.message.contains(reason) == true, "\(refusal?.message ?? "")")
    }
  }

  @Test("a service's role cannot let the rules that write balances run on a table of its own")
  func borrowedRule() async throws {
    try await Self.withLedger { database in
      let connection = try database.server.connect(for: .writing)
      _ = try connection.exchange([
        .init(text: "CREATE TEMPORARY TABLE mine (account TEXT, grant_id TEXT, amount BIGINT, source TEXT)")
      ])
      let refusal = #expect(throws: PostgreSQLFault.self) {
        try connection.exchange([
          .init(
            text: """
              CREATE TRIGGER free AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION transfer_moves_credits()
              """)
        ])
      }
      #expect(refusal?.state == "42501")
    }
  }

  @Test("a table of a service's own does not stand before the one whose balances a rule writes")
  func shadow() async throws {
    let (database, fixture) = (try TestDatabase(), try StoreFixture())
    let store = try await Store.open(
      directory: fixture.directory, server: database.server, surroundings: fixture.surroundings)
    try await store.write { session in
      try session.run("CREATE TEMPORARY TABLE account_balance (account TEXT, available BIGINT, held BIGINT)")
    }
    _ = try? await store.grantCredits(5, to: "anna", because: "a test")
    #expect(try Self.value("SELECT count(*) FROM public.account_balance", on: database.owner) == 1)
    await store.close()
  }

  @Test("every table has its privileges, and there are none of others")
  func complete() throws {
    let database = try TestDatabase()
    let tables: [String] = try PostgreSQLSession(try database.server.connect(for: .reading), beginning: []).values(
      "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    #expect(tables.sorted() == PostgreSQLRoles.privileges.keys.sorted())
  }

  @Test("the tables of a database that is not prepared are left to their owner, whom the sentence names")
  func unprepared() async throws {
    let (database, role) = (try TestDatabase.empty(), try TestDatabase.makeService())
    try Self.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC", on: database.server)
    let service = TestDatabase.server(named: database.server.address.database, user: role)
    let error = #expect(throws: StoreError.self) { try PostgreSQLOpening(server: service).open() }
    #expect(error?.kind == .unpreparedDatabase && error?.sentence.contains("atelier store prepare") == true)
    #expect(error?.sentence.contains("--role '\(role)'") == true
      || error?.sentence.contains("--role \(role)") == true)
    // Prepared for nobody.
    _ = try PostgreSQLPreparation(database.server).run(for: nil)
    let fixture = try StoreFixture()
    let refusal = await #expect(throws: StoreError.self) {
      try await Store.open(directory: fixture.directory, server: service, surroundings: fixture.surroundings)
    }
    #expect(refusal?.sentence.contains("atelier store prepare") == true)
    let report = try PostgreSQLPreparation(database.server).run(for: role)
    #expect(report.roles == [role] && report.previousVersion == Schema.version)
    let store = try await Store.open(
      directory: fixture.directory, server: service, surroundings: fixture.surroundings)
    _ = try await store.grantCredits(1, to: "anna", because: "a test")
    await store.close()
  }

  @Test("the tables of an older version are not touched by a service's role, and a newer version is refused as ever")
  func versions() throws {
    let database = try TestDatabase()
    try Self.run("UPDATE atelier_schema SET version = 0", on: database.owner)
    let older = #expect(throws: StoreError.self) { try PostgreSQLOpening(server: database.server).open() }
    #expect(older?.kind == .unpreparedDatabase && older?.sentence.contains("schema is 0") == true)
    try Self.run("UPDATE atelier_schema SET version = 99", on: database.owner)
    let newer = #expect(throws: StoreError.self) { try PostgreSQLOpening(server: database.server).open() }
    #expect(newer?.kind == .newerDatabase)
    let prepared = #expect(throws: StoreError.self) { try PostgreSQLPreparation(database.owner).run(for: nil) }
    #expect(prepared?.kind == .newerDatabase)
  }

  @Test("a preparation refuses a role that is not there, the owner of the tables, and whoever may make no tables")
  func refusals() throws {
    let database = try TestDatabase.empty()
    let preparation = PostgreSQLPreparation(database.server)
    let unknown = #expect(throws: StoreError.self) { try preparation.run(for: "nobody_of_this_name") }
    #expect(unknown?.sentence.contains("CREATE ROLE \"nobody_of_this_name\"") == true)
    #expect(try Self.value("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", on: database.server) == 0)
    #expect(throws: StoreError.self) { try preparation.run(for: "postgres") }
    #expect(try Self.value("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", on: database.server) == 0)
    let prepared = try TestDatabase()
    let service = #expect(throws: StoreError.self) {
      try PostgreSQLPreparation(prepared.server).run(for: TestDatabase.makeService())
    }
    #expect(service?.sentence.contains("own") == true, "\(service?.sentence ?? "")")
  }

  @Test("a role may have any name")
  func names() async throws {
    let name = "a B?'\"\(UInt64.random(in: 0...UInt64.max))"
    let (database, fixture) = (try TestDatabase.empty(), try StoreFixture())
    try TestDatabase.run("CREATE ROLE \(PostgreSQLRoles.quoted(name)) LOGIN")
    defer {
      try? Self.run("DROP OWNED BY \(PostgreSQLRoles.quoted(name))", on: database.server)
      try? TestDatabase.run("DROP ROLE \(PostgreSQLRoles.quoted(name))")
    }
    #expect(try PostgreSQLPreparation(database.server).run(for: name).roles == [name])
    let store = try await Store.open(
      directory: fixture.directory, server: TestDatabase.server(named: database.server.address.database, user: name),
      surroundings: fixture.surroundings)
    _ = try await store.grantCredits(1, to: "anna", because: "a test")
    await store.close()
  }

  /// A database of the administrator's, with a role of services and its address.
  private static func prepared() throws -> (TestDatabase, role: String, service: PostgreSQLServer) {
    let (database, role) = (try TestDatabase.empty(), try TestDatabase.makeService())
    _ = try PostgreSQLPreparation(database.server).run(for: role)
    return (database, role, TestDatabase.server(named: database.server.address.database, user: role))
  }

  @Test(
    "a role that can make itself the owner is refused, and named where it is used already",
    arguments: ["GRANT postgres TO", "ALTER ROLE NAME SUPERUSER"]
      // Since version 16, who may create roles may not grant those of others.
      + (TestDatabase.version < 160_000 ? ["ALTER ROLE NAME CREATEROLE"] : []))
  func members(change: String) throws {
    let (database, role, service) = try Self.prepared()
    let statement = change.contains("NAME") ? change.replacing("NAME", with: role) : "\(change) \(role)"
    try TestDatabase.run(statement)
    try TestDatabase.run("ALTER ROLE \(role) NOINHERIT")
    let error = #expect(throws: StoreError.self) { try PostgreSQLPreparation(database.server).run(for: role) }
    #expect(error?.sentence.contains("can make itself their owner") == true, "\(error?.sentence ?? "")")
    #expect(try Self.findings(service).map(\.kind) == [.serverAdvice])
  }

  @Test(
    "a preparation after which a role could still do more is none, and says what an administrator must do",
    arguments: ["CREATE on the schema public", "TEMPORARY on the database", "DELETE on transfer"])
  func remaining(surplus: String) throws {
    let (owner, role) = (try TestDatabase.makeService(), try TestDatabase.makeService())
    let database = try TestDatabase.empty()
    let name = database.server.address.database
    // The database and its schema belong to the administrator, as before version 15.
    try Self.run("GRANT CREATE ON SCHEMA public TO \(owner)", on: database.server)
    if surplus.hasPrefix("CREATE") { try Self.run("GRANT CREATE ON SCHEMA public TO PUBLIC", on: database.server) }
    if !surplus.hasPrefix("TEMPORARY") {
      try Self.run("REVOKE TEMPORARY ON DATABASE \(name) FROM PUBLIC", on: database.server)
    }
    if surplus.hasPrefix("DELETE") { try TestDatabase.run("GRANT pg_write_all_data TO \(role)") }
    let error = #expect(throws: StoreError.self) {
      try PostgreSQLPreparation(TestDatabase.server(named: name, user: owner)).run(for: role)
    }
    #expect(error?.sentence.contains("REVOKE") == true, "\(error?.sentence ?? "")")
    if !surplus.hasPrefix("DELETE") {
      #expect(error?.sentence.contains(surplus) == true, "\(error?.sentence ?? "")")
    }
    #expect(try Self.value("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", on: database.server) == 0)
  }

  @Test("a role that was given more loses it with the next preparation")
  func again() throws {
    let (database, role, service) = try Self.prepared()
    try Self.run("GRANT UPDATE, TRUNCATE ON transfer TO \(role)", on: database.server)
    #expect(try Self.findings(service).contains { $0.sentence.contains("TRUNCATE on transfer") })
    #expect(try PostgreSQLPreparation(database.server).run(for: nil).roles == [role])
    #expect(try Self.findings(service) == [])
  }

  @Test("an examination finds nothing with a service's role, and says what one role for everything could do")
  func advice() throws {
    let (database, role, service) = try Self.prepared()
    #expect(try Self.findings(service) == [])
    try Self.run("REVOKE INSERT ON transfer FROM \(role)", on: database.server)
    let lack = try Self.findings(service)
    #expect(lack.map(\.kind) == [.weakServer] && lack[0].sentence.contains("INSERT on transfer"))

    let name = "single_\(UInt64.random(in: 0...UInt64.max))"
    try TestDatabase.run("CREATE ROLE \(name) LOGIN")
    let single = try TestDatabase.empty()
    defer {
      try? Self.run("DROP OWNED BY \(name) CASCADE", on: single.server)
      try? TestDatabase.run("DROP ROLE \(name)")
    }
    try Self.run("GRANT CREATE ON SCHEMA public TO \(name)", on: single.server)
    let server = TestDatabase.server(named: single.server.address.database, user: name)
    _ = try PostgreSQLOpening(server: server).open()
    let advice = try Self.findings(server)
    #expect(advice.map(\.kind) == [.serverAdvice] && advice[0].sentence.contains("owns its tables"), "\(advice)")
  }
}

/// Looks at SQLite's statements, which are the same.
@Suite("The privileges of services", .onlySQLite)
struct PrivilegeTests {
  @Test("the privileges are those that the statements of the store need, and no others")
  func exact() async throws {
    let trace = StatementTrace()
    try await EveryStatement(fixture: StoreFixture(), trace: trace).run()
    var needed: [String: Set<String>] = [:]
    // What a trigger does happens in the name of the owner.
    for text in trace.statements where !text.contains(/\b(NEW|OLD)\.\w/) && !text.contains("sqlite_") {
      // A form of statement that is not read here would be a right that nobody has.
      let read = text.contains(/^\s*(INSERT INTO \w+|UPDATE \w+ (INDEXED BY \w+ )?SET|DELETE FROM \w+)\s/)
      #expect(read || !text.contains(/\b(INSERT|UPDATE|DELETE|REPLACE)\s/), "\(text)")
      if let table = text.firstMatch(of: /^\s*INSERT INTO (\w+)/)?.output.1 {
        needed[String(table), default: []].insert("INSERT")
        if let list = text.firstMatch(of: /DO UPDATE SET\s((?s).*)/)?.output.1 {
          needed[String(table), default: []].formUnion(Self.columns(set: list))
        }
      }
      if let update = text.firstMatch(of: /^\s*UPDATE (\w+) (?:INDEXED BY \w+ )?SET\s((?s).*)/)?.output {
        needed[String(update.1), default: []].formUnion(Self.columns(set: update.2))
      }
      if let table = text.firstMatch(of: /^\s*DELETE FROM (\w+)/)?.output.1 {
        needed[String(table), default: []].insert("DELETE")
      }
    }
    for (table, privileges) in Schema.privileges {
      let granted = Schema.Privilege.list(privileges).flatMap { privilege in
        privilege.kind == "UPDATE" ? privilege.columns.map { "UPDATE \($0)" } : [privilege.kind]
      }
      #expect(granted.sorted() == (needed[table] ?? []).sorted(), "\(table)")
    }
    #expect(Set(needed.keys).isSubset(of: Schema.privileges.keys))
  }

  /// The columns that a list of assignments changes, which ends at the condition.
  private static func columns(set list: Substring) -> Set<String> {
    var (columns, depth, rest) = (Set<String>(), 0, list)
    var isName = true
    while let character = rest.first {
      if depth == 0, rest.hasPrefix("WHERE") { break }
      if isName, depth == 0, let name = rest.prefixMatch(of: /\s*(\w+)\s=/)?.output.1 {
        columns.insert("UPDATE \(name)")
        isName = false
      }
      switch character {
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth == 0: isName = true
      default: break
      }
      rest.removeFirst()
    }
    return columns
  }
}
