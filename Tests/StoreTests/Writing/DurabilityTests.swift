import AtelierProtocol
import GRDB
import Support
import Testing

@testable import Store

/// Files first (temporary, fsync, name, fsync of the folder), then the transaction.
@Suite("What is synced to the disk, and when", .onlySQLite)
struct DurabilityTests {
  let fixture: StoreFixture
  let record: SyncRecord
  init() throws {
    fixture = try StoreFixture()
    record = SyncRecord(below: fixture.temporary.path)
  }

  /// Records an issue unless all of `paths` are synced, each before the next.
  private func expect(_ paths: [String], _ sourceLocation: SourceLocation = #_sourceLocation) {
    var rest = record.paths[...]
    for path in paths {
      guard let index = rest.firstIndex(of: path) else {
        Issue.record("\(path) is not synced at its turn: \(record.paths)", sourceLocation: sourceLocation)
        return
      }
      rest = rest[(index + 1)...]
    }
  }

  @Test("a new data directory syncs each folder's name, the database and its name")
  func creation() async throws {
    let directory = DataDirectory(path: "\(fixture.temporary.path)/a/b")
    let store = try await Store.open(directory: directory, surroundings: fixture.surroundings)
    // The folder a, then b in it, then the three parts of b.
    expect(["", "a", "a/b", "a/b/atelier.sqlite", "a/b"])
    await store.close()
  }

  @Test("a picture syncs its content, then its name and those of its folders, then the row that refers to it")
  func picture() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    record.clear()
    let staged = try await store.stage([1, 2, 3], mimeType: "image/png")
    #expect(record.paths == [relative(staged.temporaryPath)])
    record.clear()
    let settlement = Settlement(
      id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3)])
    _ = try await store.finish(settlement)
    let (first, second) = (
      store.directory.firstFolder(ofArtifact: staged.artifact.name),
      store.directory.folder(ofArtifact: staged.artifact.name)
    )
    for folder in [store.directory.artifacts, first, second] { expect([relative(folder), "data/atelier.sqlite-wal"]) }
    #expect(record.paths.last == "data/atelier.sqlite-wal")
    #expect(record.paths.count == 4, "\(record.paths)")
    await store.close()
  }

  /// Whatever is answered has reached the disk, but for progress, which need not.
  @Test("every transaction that is answered syncs the log, once")
  func transactions() async throws {
    let store = try await fixture.open()
    let log = "data/atelier.sqlite-wal"
    func expectSync(_ count: Int, _ what: String, _ work: () async throws -> Void) async throws {
      record.clear()
      try await work()
      #expect(record.paths.filter { $0 == log }.count == count, "\(what): \(record.paths)")
    }
    let acceptance = fixture.acceptance("anna", metering: Metering(credits: 1, limits: []))
    // The first write after the file was made syncs the log's beginning as well.
    _ = try await store.grantCredits(1, to: "bert", because: "to begin")
    try await expectSync(1, "accept") { _ = try await store.accept(acceptance) }
    try await expectSync(1, "start") { _ = try await store.start(acceptance.id) }
    try await expectSync(0, "progress") {
      _ = try await store.note(
        ProgressNote(phase: .processing, message: "", fraction: nil, sequence: 3), for: acceptance.id)
    }
    try await expectSync(1, "cancel") { _ = try await store.cancel(acceptance.id, account: nil) }
    try await expectSync(1, "gift") { _ = try await store.grantCredits(1, to: "anna", because: "a gift") }
    await store.close()
  }

  @Test("a copy of the database syncs its content, whether SQLite has synced it or not", arguments: ["FULL", "OFF"])
  func backup(synchronous: String) throws {
    let folder = try fixture.temporary.makeFolder("backups")
    let database = try DatabaseQueue()
    try database.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = \(synchronous)")
      try BackupFile.copyDatabase(SQLiteSession(database), to: "\(folder)/backup")
    }
    #expect(record.paths.last == "backups/backup", "\(record.paths)")
  }

  @Test("a backup syncs all its files and their names, then what completes it, then that one's name")
  func wholeBackup() async throws {
    let store = try await fixture.open()
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [6])
    _ = try await store.backup(into: fixture.temporary.path("backup"))
    let last = record.paths.suffix(4)
    #expect(last == ["backup/files", "backup/artifacts", "backup/backup.json.new", "backup"], "\(record.paths)")
    await store.close()
  }

  private func relative(_ path: String) -> String { String(path.dropFirst(fixture.temporary.path.count + 1)) }
}
