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
    await (try await house.open()).close()
    let stepped = try DatabaseQueue()
    try await stepped.writeWithoutTransaction { try Migration.apply(Schema.steps, from: 0, to: $0) }
    let made = try DatabaseQueue(path: house.directory.database)
    @Sendable func content(_ database: Database) throws -> [[String?]] {
      let rows = try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
      let pragmas = try ["application_id", "user_version", "page_size", "encoding"].map {
        try String.fetchOne(database, sql: "PRAGMA \($0)")
      }
      return rows.map { row in row.databaseValues.map { String.fromDatabaseValue($0) } } + [pragmas]
    }
    #expect(try await made.read(content) == (try await stepped.read(content)))
    #expect(try await made.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    #expect(try await made.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
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

  @Test("is made once, whoever comes first", arguments: 0..<8 as Range<UInt64>)
  func together(seed: UInt64) async throws {
    let house = try House(seed: seed)
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let store = try await house.open()
          return try await store.begin(house.acceptance()).rawValue
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(ids.count == 6)
    let store = try await house.open()
    for id in ids { #expect(try await store.generation(.init(rawValue: id), account: nil) != nil) }
    #expect(try await store.check().findings.isEmpty)
  }
}
