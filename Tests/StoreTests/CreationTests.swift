import GRDB
import Glibc
import Support
import Testing

@testable import Store

@Suite("A new database", .timeLimit(.minutes(5)))
struct CreationTests {
  let house: StoreFixture
  init() throws { house = try StoreFixture() }

  @Test("is what the steps from an empty file make, with a write-ahead log")
  func sameAsMigrated() async throws {
    let stepped = "\(house.temporary.path)/stepped.sqlite"
    try await Self.make(stepped)
    if let path = getenv("ATELIER_WRITE_EMPTY_DATABASE") {
      try write(try contents(of: stepped), to: String(cString: path))
      return
    }
    await (try await house.open()).close()
    let made = try await Self.content(of: house.directory.database)
    #expect(
      try await Self.content(of: stepped) == made, "the steps have changed: run make empty-database")
    #expect(made.last == ["wal", "ok"])
  }

  /// Takes an empty file through all steps.
  private static func make(_ path: String) async throws {
    let database = try DatabaseQueue(path: path)
    try await database.writeWithoutTransaction { database in
      _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
      try Migration.apply(Schema.steps, from: 0, to: database)
    }
    // The last connection to be closed takes the log with it.
    try database.close()
  }

  /// What is in a database, its rows and settings included.
  private static func content(of path: String) async throws -> [[String?]] {
    try await DatabaseQueue(path: path).writeWithoutTransaction { database in
      let schema = try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      let rows = try tables.flatMap { table in
        try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"").map { "\(table): \($0)" }
      }
      func settings(_ names: [String]) throws -> [String?] {
        try names.map { try String.fetchOne(database, sql: "PRAGMA \($0)") }
      }
      return schema.map { row in row.databaseValues.map { String.fromDatabaseValue($0) } } + [
        rows, try settings(["application_id", "user_version", "page_size", "encoding", "auto_vacuum"]),
        try settings(["journal_mode", "integrity_check"]),
      ]
    }
  }

  /// A rollback journal as a process leaves it that dies while it changes another database.
  private static func journal(in folder: String) async throws -> [UInt8] {
    let path = "\(folder)/other.sqlite"
    return try await DatabaseQueue(path: path).writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = OFF; CREATE TABLE other (content); PRAGMA user_version = 7")
      var journal: [UInt8] = []
      try database.inTransaction {
        try database.execute(sql: "PRAGMA user_version = 8")
        journal = try contents(of: "\(path)-journal")
        return .rollback
      }
      return journal
    }
  }

  @Test("takes nothing from the logs that another one has left, nor from a draft of its own that was cut short")
  func leftovers() async throws {
    let log = "\(house.directory.database)-wal"
    let first = try await house.open()
    let id = try await first.begin(house.acceptance())
    let left = try contents(of: log)
    #expect(!left.isEmpty)
    await first.close()
    #expect(unlink(house.directory.database) == 0)
    try write(left, to: log)
    try write([1, 2, 3], to: house.directory.databaseDraft)
    let journal = "\(house.directory.database)-journal"
    try write(try await Self.journal(in: house.temporary.path), to: journal)
    for path in [log, journal, house.directory.databaseDraft] { #expect(chmod(path, 0o600) == 0) }
    let second = try await house.open()
    #expect(try await second.generation(id, account: nil) == nil)
    #expect(try await second.check().findings.isEmpty)
    #expect(house.temporary.files().filter { $0.hasSuffix(".new") || $0.hasSuffix("-journal") }.isEmpty)
    _ = try await second.begin(house.acceptance())
  }
}
