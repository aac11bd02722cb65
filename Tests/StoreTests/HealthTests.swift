import AtelierProtocol
import GRDB
import Glibc
import Testing

@testable import Store

@Suite("Health of the store")
struct HealthTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("status counts generations by state, over all accounts and processes")
  func status() async throws {
    let store = try await fixture.open()
    let other = try await fixture.open()
    _ = try await store.accept(fixture.acceptance("anna"))
    _ = try await other.begin(fixture.acceptance("bert"))
    for _ in 0..<2 { try await store.succeed(try await store.begin(fixture.acceptance()), with: [1]) }
    #expect(
      await store.status()
        == StoreStatus(
          path: fixture.directory.path, schemaVersion: Store.schemaVersion,
          countByState: [.queued: 1, .running: 1, .succeeded: 2]))
  }

  @Test("a check finds missing, altered and unreferenced files, wide rights and broken references, each once")
  func findings() async throws {
    let store = try await fixture.open()
    var artifacts: [StoredArtifact] = []
    for number in 0..<4 as Range<UInt8> {
      let row = try await store.succeed(try await store.begin(fixture.acceptance()), with: [number]).finished
      artifacts.append(try #require(row?.images.first?.artifact))
    }
    let sound = try await store.check()
    #expect(sound.findings.isEmpty && sound.isSound && sound.artifactsChecked == 4)
    try #require(artifacts.count > 2)
    #expect(unlink(artifacts[0].file) == 0)
    try write([77], to: artifacts[1].file)
    #expect(chmod(artifacts[1].file, 0o600) == 0)
    #expect(chmod(artifacts[2].file, 0o644) == 0)
    #expect(chmod(fixture.directory.artifacts, 0o750) == 0)
    let staged = try await store.stage([9], mimeType: "image/png")
    #expect(try store.nameWithoutRow(staged))
    #expect(unlink(staged.temporaryPath) == 0)
    // PostgreSQL lets nothing break.
    if !TestDatabase.isUsed {
      try await store.writer.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        try database.execute(
          sql: """
            INSERT INTO prepared (id, account, artifact, width, height, created, expires)
            VALUES ('p', 'a', ?, 1, 1, 1, 1)
            """,
          arguments: [String(repeating: "0", count: 64) + ".png"])
        try database.execute(sql: "PRAGMA foreign_keys = ON")
      }
    }
    let report = try await store.check()
    #expect(!report.isSound)
    let kinds = report.findings.map(\.kind)
    for (kind, count) in [
      (IntegrityReport.Finding.Kind.missingFile, 1), (.alteredFile, 1), (.unreferencedFile, 1), (.widePermissions, 2),
      (.brokenReference, TestDatabase.isUsed ? 0 : 1), (.damagedDatabase, 0),
    ] {
      #expect(kinds.filter { $0 == kind }.count == count, "\(kind)")
    }
    #expect(report.findings.allSatisfy { $0.sentence.contains(". ") })
  }

  @Test("a check looks at every table that refers to another", .onlySQLite)
  func references() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    let gone = String(repeating: "0", count: 64) + ".png"
    func file(_ id: String, _ role: String) -> String {
      "INSERT INTO generation_file VALUES ('\(id)', '\(role)', 0, NULL, '\(gone.prefix(64))', 'x', 1, 1, 1, '\(gone)', NULL)"
    }
    let rows = [
      file("gone", "thumbnail"),
      "INSERT INTO generation_turn VALUES ('gone', 0, '1')",
      file("gone", "image"), file(id.rawValue, "thumbnail"),
    ]
    for (count, row) in zip([2, 3, 5, 6], rows) {
      try await store.writer.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        try database.execute(sql: row)
        try database.execute(sql: "PRAGMA foreign_keys = ON")
      }
      #expect(try await store.check().findings.filter { $0.kind == .brokenReference }.count == count, "\(row)")
    }
  }

  @Test("a check can be cancelled")
  func cancelled() async throws {
    let store = try await fixture.open()
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.check()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
