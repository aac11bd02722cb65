import POSIX
import Support
import Testing

@testable import Store

@Suite("Opening a database on a PostgreSQL server", .withPostgreSQL)
struct PostgreSQLOpeningTests {
  private static func run(_ text: String, in database: TestDatabase) throws {
    _ = try database.server.connect(for: .writing).exchange([.init(text: text)])
  }

  private static func tables(in database: TestDatabase) throws -> Int? {
    let session = PostgreSQLSession(try database.server.connect(for: .reading), beginning: [])
    return try session.value("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
  }

  private static func refusal(of database: TestDatabase) throws -> StoreError? {
    #expect(throws: StoreError.self) { try PostgreSQLOpening(server: database.server).open() }
  }

  @Test("an empty database gets its tables from one of those that open it at once, and serves all of them")
  func together() async throws {
    let database = try TestDatabase.empty()
    let temporary = try TemporaryDirectory()
    let fixture = try StoreFixture()
    let accounts = try await withThrowingTaskGroup(of: Store.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let store = try await Store.open(
            directory: DataDirectory(path: "\(temporary.path)/data"), server: database.server,
            surroundings: fixture.surroundings)
          _ = try await store.grantCredits(1, to: "anna", because: "a test")
          return store
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for store in accounts {
      #expect(try await store.creditSums(of: "anna").available == 9)
      #expect(try await store.auditLedger() == [])
      await store.close()
    }
  }

  @Test("a server that is away leaves nothing of a process that could not open its database")
  func away() async throws {
    let fixture = try StoreFixture()
    let directory = DataDirectory(path: "\(fixture.temporary.path)/away")
    let server = TestDatabase.server(named: "nothing_of_this_name")
    await #expect(throws: StoreError.self) {
      try await Store.open(directory: directory, server: server, surroundings: fixture.surroundings)
    }
    for folder in [directory.processes, directory.temporary] { #expect(try FileSystem.names(in: folder) == []) }
  }

  @Test("a database that was opened before is opened again as it is")
  func again() throws {
    let database = try TestDatabase.empty()
    _ = try PostgreSQLOpening(server: database.server).open()
    try Self.run("INSERT INTO account (id, tier, created) SELECT 'anna', 'free', 1 WHERE FALSE", in: database)
    let count = try Self.tables(in: database)
    _ = try PostgreSQLOpening(server: database.server).open()
    #expect(try Self.tables(in: database) == count)
  }

  @Test("a database of a newer version is refused with both versions, and left as it is")
  func newer() throws {
    let database = try TestDatabase.empty()
    try Self.run("CREATE TABLE atelier_schema (version BIGINT NOT NULL)", in: database)
    try Self.run("INSERT INTO atelier_schema VALUES (99)", in: database)
    let error = try Self.refusal(of: database)
    #expect(error?.kind == .newerDatabase)
    #expect(error?.sentence.contains("99") == true && error?.sentence.contains("\(Schema.version)") == true)
    #expect(try Self.tables(in: database) == 1)
  }

  @Test("a database with tables of something else is refused, and left as it is")
  func foreign() throws {
    let database = try TestDatabase.empty()
    try Self.run("CREATE TABLE song (title TEXT)", in: database)
    let error = try Self.refusal(of: database)
    #expect(error?.kind == .foreignDatabase && error?.sentence.contains("of its own") == true)
    #expect(try Self.tables(in: database) == 1)
  }

  @Test("a database that keeps texts in another encoding is refused with what to do", arguments: ["LATIN1", "SQL_ASCII"])
  func encoding(name: String) throws {
    let error = try Self.refusal(of: try TestDatabase.empty(encoding: name))
    #expect(error?.kind == .foreignDatabase && error?.sentence.contains("UTF-8") == true)
  }

  @Test("a database whose migration fails stays empty")
  func broken() throws {
    let database = try TestDatabase.empty()
    // A function of ours that somebody else has made.
    try Self.run("CREATE FUNCTION instr(text TEXT, part TEXT) RETURNS BIGINT LANGUAGE sql AS 'SELECT 1'", in: database)
    #expect(throws: PostgreSQLFault.self) { try PostgreSQLOpening(server: database.server).open() }
    #expect(try Self.tables(in: database) == 0)
    try Self.run("DROP FUNCTION instr", in: database)
    _ = try PostgreSQLOpening(server: database.server).open()
    #expect(try Self.tables(in: database) ?? 0 > 40)
  }

  @Test("a database that is not there is told with its address, without user and password")
  func missing() async throws {
    var server = TestDatabase.server(named: "not_there")
    server.password = RenewableSecret(constant: "secret")
    let fixture = try StoreFixture()
    let error = await #expect(throws: StoreError.self) {
      try await Store.open(directory: fixture.directory, server: server, surroundings: fixture.surroundings)
    }
    #expect(error?.sentence.contains("/not_there") == true && error?.sentence.contains("secret") == false)
  }

  @Test("every text of the tables is compared byte by byte, whatever the order of the database")
  func collation() throws {
    let database = try TestDatabase()
    let session = PostgreSQLSession(try database.server.connect(for: .reading), beginning: [])
    let others = try session.values(
      """
      SELECT table_name || '.' || column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
      """, as: String.self)
    #expect(others == [])
  }
}
