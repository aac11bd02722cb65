import GRDB
import Glibc
import Support
import Testing

@testable import Store

@Suite("A new database", .onlySQLite, .timeLimit(.minutes(5)))
struct CreationTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

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

  @Test("a new database takes nothing from the logs that another one has left")
  func leftovers() async throws {
    let log = "\(fixture.directory.database)-wal"
    let first = try await fixture.open()
    let id = try await first.begin(fixture.acceptance())
    let left = try contents(of: log)
    #expect(!left.isEmpty)
    await first.close()
    #expect(unlink(fixture.directory.database) == 0)
    try write(left, to: log)
    let journal = "\(fixture.directory.database)-journal"
    try write(try await Self.journal(in: fixture.temporary.path), to: journal)
    for path in [log, journal] { #expect(chmod(path, 0o600) == 0) }
    let second = try await fixture.open()
    #expect(try await second.generation(id, account: nil) == nil)
    #expect(try await second.check().findings.isEmpty)
    #expect(fixture.temporary.files().filter { $0.hasSuffix("-journal") }.isEmpty)
    _ = try await second.begin(fixture.acceptance())
  }
}
