import AtelierProtocol
import GRDB
import Testing

@testable import Store

@Suite("A database of an earlier version")
struct MigrationTests {
  let house: StoreFixture
  init() throws { house = try StoreFixture() }

  @Test("was made by a step that stays as it was, now that such databases are in the world")
  func frozen() throws {
    let digest = StoredArtifact.digest(Array(Schema.version1.utf8))
    #expect(digest == "e6bcefa5dd8da8d8b10163748e32e98de3da2f4d9bf62c2356254a87ead23bdc")
  }

  @Test("keeps everything and gets what is new")
  func upgrade() async throws {
    try house.makeVersion1().close()
    let store = try await house.open()
    #expect(await store.status().schemaVersion == Schema.version)
    let row = try #require(try await store.generation("ended", account: "anna"))
    #expect(row.state == .succeeded && row.prompt == "a hat" && row.sequence == 7 && row.creditsCharged == 1)
    #expect(row.created.milliseconds == 1000 && row.finished?.milliseconds == 1002 && row.usage?.costUsd == 0.5)
    #expect(row.images.map(\.sha256) == [StoreFixture.digest(1)] && row.images.first?.view == "front")
    #expect(row.thumbnail?.sha256 == StoreFixture.digest(2))
    #expect(try await store.generation(idempotencyKey: "key", account: "anna") == row)
    guard case .found(let input) = try await store.preparedInput(of: "ended") else {
      Issue.record("the photo is gone")
      return
    }
    #expect(input.artifact.sha256 == StoreFixture.digest(3))
    let failed = try await store.generation("private", account: nil)
    #expect(failed?.isPrivate == true)
    #expect(failed?.error == AtelierError(.offline, "No network.", generationId: "private", details: ["a": 1]))
    #expect(try await store.recover().interrupted.map(\.id) == ["running"])
    #expect(try await store.turns(of: "ended").isEmpty)
    #expect(try await store.cooldowns().isEmpty)
    let late = try await store.stage([9], mimeType: "image/png")
    #expect(try await !store.keepThumbnail(late, for: "ended"))
    #expect(try await store.check().findings.isEmpty)
    let summary = try await store.delete(.all(account: "anna"))
    #expect(summary == DeletionSummary(deleted: 2, bytesFreed: 3, stillRunning: []))
    #expect(house.temporary.files(below: "data/artifacts").isEmpty)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("is upgraded once, whoever comes first", arguments: 0..<12 as Range<UInt64>)
  func together(seed: UInt64) async throws {
    let house = try StoreFixture(seed: seed)
    try house.makeVersion1().close()
    let settled = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<5 {
        group.addTask {
          let store = try await house.open()
          #expect(try await store.generation("ended", account: nil)?.thumbnail?.sha256 == StoreFixture.digest(2))
          return try await store.recover().interrupted.count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(settled == 1)
    let store = try await house.open()
    #expect(try await store.check().findings.isEmpty)
    let versions = try await store.read { try Int.fetchAll($0, sql: "PRAGMA user_version") }
    #expect(versions == [Schema.version])
  }

  @Test("may still be open in a process of that version, whose thumbnails are seen by the new one")
  func oldProcess() async throws {
    let old = try house.makeVersion1()
    try await old.write { database in
      try database.execute(sql: "INSERT INTO artifact VALUES (?, 'image/png', 1, 1)", arguments: [StoreFixture.image(4)])
    }
    let finish = "UPDATE generation SET state = ?, finished = 1, thumbnail = ? WHERE id = ?"
    let store = try await house.open()
    try await old.write {
      try $0.execute(sql: finish, arguments: ["succeeded", StoreFixture.image(4), "running"])
    }
    #expect(try await store.generation("running", account: nil)?.thumbnail?.sha256 == StoreFixture.digest(4))
    #expect(try await store.delete(.one("running", account: nil)).bytesFreed == 1)
    // As that version deletes, knowing nothing of the new tables.
    try await old.write { try $0.execute(sql: "DELETE FROM generation WHERE id = 'ended'") }
    #expect(try await store.generation("ended", account: nil) == nil)
    let findings = try await store.check().findings
    #expect(findings.map(\.kind) == [.unreferencedFile, .unreferencedFile])
    store.leftFiles.store(true, ordering: .relaxed)
    #expect(try await store.recover().sweptFiles == 2)
    #expect(try await store.check().findings.isEmpty)
    #expect(house.temporary.files(below: "data/artifacts").count == 1)
  }

  @Test("stays as it is when a step fails, and is upgraded once what was in the way is gone")
  func failure() async throws {
    let old = try house.makeVersion1()
    try await old.write { try $0.execute(sql: "CREATE TABLE generation_turn (x INTEGER) STRICT") }
    let error = await #expect(throws: StoreError.self) { try await house.open() }
    #expect(error?.kind == .failed)
    let found = try await old.read { database in
      (
        try Int.fetchOne(database, sql: "PRAGMA user_version"),
        try String.fetchAll(
          database, sql: "SELECT name FROM sqlite_schema WHERE name IN ('provider_cooldown', 'generation_thumbnail')")
      )
    }
    #expect(found.0 == 1 && found.1.isEmpty)
    try await old.write { try $0.execute(sql: "DROP TABLE generation_turn") }
    #expect(try await house.open().generation("ended", account: nil)?.thumbnail != nil)
  }
}
