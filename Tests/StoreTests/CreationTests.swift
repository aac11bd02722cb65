import GRDB
import Glibc
import Support
import Testing

@testable import Store

@Suite("A new database")
struct CreationTests {
  let house: House
  init() throws { house = try House() }

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
      let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      let rows = try tables.map { try Int.fetchOne(database, sql: "SELECT count(*) FROM \"\($0)\"").map(String.init) }
      func settings(_ names: [String]) throws -> [String?] {
        try names.map { try String.fetchOne(database, sql: "PRAGMA \($0)") }
      }
      return schema.map { row in row.databaseValues.map { String.fromDatabaseValue($0) } } + [
        rows, try settings(["application_id", "user_version", "page_size", "encoding", "auto_vacuum"]),
        try settings(["journal_mode", "integrity_check"]),
      ]
    }
  }

  @Test("takes nothing from the log that another one has left, nor from its own draft of a start that was cut short")
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
    for path in [log, house.directory.databaseDraft] { #expect(chmod(path, 0o600) == 0) }
    let second = try await house.open()
    #expect(try await second.generation(id, account: nil) == nil)
    #expect(try await second.check().findings.isEmpty)
    #expect(!house.temporary.files().contains("data/atelier.sqlite.new"))
    _ = try await second.begin(house.acceptance())
  }

  @Test("is made once, whoever comes first", arguments: 0..<6 as Range<UInt64>)
  func together(seed: UInt64) async throws {
    let house = try House(seed: seed)
    let stores = try await withThrowingTaskGroup(of: Store.self) { group in
      for _ in 0..<6 {
        group.addTask { try await house.open() }
      }
      return try await group.reduce(into: [Store]()) { $0.append($1) }
    }
    let id = try await stores[0].begin(house.acceptance())
    for store in stores { #expect(try await store.generation(id, account: nil)?.id == id) }
    #expect(try await stores[0].check().findings.isEmpty)
  }
}
