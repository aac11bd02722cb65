import AtelierProtocol
import POSIX
import Support
import Synchronization
import Testing

@testable import Store

@Suite("A backup of a store on a server", .withPostgreSQL, .onlySQLite)
struct ServerBackupTests {
  let fixture: StoreFixture
  let database: TestDatabase
  private let other: DataDirectory
  private var target: String { fixture.temporary.path("backup") }

  init() throws {
    fixture = try StoreFixture()
    database = try TestDatabase()
    other = DataDirectory(path: fixture.temporary.path("other"))
  }

  private final class Work: Sendable {
    let isDone = Atomic<Bool>(false)
  }

  private func open(_ server: PostgreSQLServer?, in directory: DataDirectory? = nil) async throws -> Store {
    try await Store.open(
      directory: directory ?? fixture.directory, server: server, surroundings: fixture.surroundings)
  }

  private func sums(of store: Store) async throws -> TableCopy.Sums { try await store.read { try TableCopy().sums(of: $0) } }

  private func fill(_ store: Store) async throws {
    try await LedgerScene.fill(store, of: fixture)
    for number in 0..<3 {
      try await store.succeed(try await store.begin(fixture.acceptance()), with: [7, UInt8(number)])
    }
  }

  private func restore(to server: PostgreSQLServer?, in directory: DataDirectory) async throws -> Restoration.Report {
    try await Restoration(of: target, into: directory, server: server, surroundings: fixture.surroundings).run()
  }

  @Test("a backup of a server is restored into another server and into a data directory, each time the same")
  func everywhere() async throws {
    let store = try await open(database.server)
    try await fill(store)
    let before = try await sums(of: store)
    let report = try await store.backup(into: target)
    #expect(report.lost == [] && report.copied == report.pictures && report.pictures > 3)
    // Only what is new is copied again.
    #expect(try await store.backup(into: target).copied == 0)
    await store.close()

    let empty = try TestDatabase.empty()
    let restored = try await restore(to: empty.server, in: other)
    #expect(restored.pictures == report.pictures && restored.server == empty.server.address.shown)
    #expect(!FileStatus.exists(other.database))
    let third = DataDirectory(path: fixture.temporary.path("third"))
    #expect(try await restore(to: nil, in: third).server == nil)
    for (server, directory) in [(empty.server, other), (nil, third)] {
      let copy = try await open(server, in: directory)
      #expect(try await sums(of: copy).firstDifference(from: before) == nil)
      #expect(try await copy.auditLedger() == [])
      #expect(try await copy.check().findings == [])
      await copy.close()
    }
  }

  @Test("a backup of a file is restored into a server")
  func fromFile() async throws {
    let store = try await open(nil)
    try await fill(store)
    let before = try await sums(of: store)
    _ = try await store.backup(into: target)
    await store.close()
    let empty = try TestDatabase.empty()
    _ = try await restore(to: empty.server, in: other)
    let copy = try await open(empty.server, in: other)
    #expect(try await sums(of: copy).firstDifference(from: before) == nil)
    await copy.close()
  }

  @Test("a backup is one moment, whatever is written and deleted while it is made")
  func meanwhile() async throws {
    let store = try await open(database.server)
    try await fill(store)
    let work = Work()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [fixture] in
        var number = 0
        while !work.isDone.load(ordering: .acquiring) {
          number += 1
          let id = try await store.begin(fixture.acceptance("bert0"))
          try await store.succeed(id, with: [8, UInt8(truncatingIfNeeded: number)])
          _ = try await store.grantCredits(1, to: "anna0", because: "meanwhile")
          _ = try await store.delete(.one(id, account: "bert0"))
        }
      }
      for _ in 0..<5 {
        let report = try await store.backup(into: target)
        #expect(report.lost == [])
      }
      work.isDone.store(true, ordering: .releasing)
      try await group.waitForAll()
    }
    await store.close()
    _ = try await restore(to: nil, in: other)
    let copy = try await open(nil, in: other)
    #expect(try await copy.auditLedger() == [])
    #expect(try await copy.check().findings == [])
    await copy.close()
  }

  @Test("a backup is restored only into an empty database, and by the role that owns its tables")
  func refusals() async throws {
    let store = try await open(database.server)
    try await fill(store)
    _ = try await store.backup(into: target)
    await store.close()
    let full = await #expect(throws: StoreError.self) { _ = try await restore(to: database.owner, in: other) }
    #expect(full?.sentence.contains("is not empty") == true, "\(full?.sentence ?? "")")
    let prepared = try TestDatabase()
    let service = await #expect(throws: StoreError.self) { _ = try await restore(to: prepared.server, in: other) }
    #expect(service?.sentence.contains("does not own the tables") == true, "\(service?.sentence ?? "")")
    _ = try await restore(to: prepared.owner, in: other)
    let copy = try await open(prepared.server, in: other)
    #expect(try await copy.auditLedger() == [])
    await copy.close()
  }

  @Test("a backup whose connection ends in its midst leaves the earlier one whole")
  func cut() async throws {
    let store = try await open(database.server)
    try await fill(store)
    let first = try await store.backup(into: target)
    _ = try await store.grantCredits(1, to: "anna0", because: "later")
    let work = Work()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [database] in
        while !work.isDone.load(ordering: .acquiring) {
          try? database.terminateAll()
          await Task.yield()
        }
      }
      // It may succeed between two ends of connections.
      for _ in 0..<5 { _ = try? await store.backup(into: target) }
      work.isDone.store(true, ordering: .releasing)
    }
    await store.close()
    let manifest = try #require(try BackupFolder(path: target).readManifest())
    #expect(manifest.isComplete && manifest.pictures == first.pictures)
    _ = try await restore(to: nil, in: other)
  }
}
