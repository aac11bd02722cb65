import AtelierProtocol
import GRDB
import Glibc
import POSIX
import Synchronization
import Testing

@testable import Store

@Suite("Restoring a backup", .onlySQLite)
struct RestorationTests {
  let fixture: StoreFixture
  var target: String { fixture.temporary.path("backup") }
  var folder: BackupFolder { BackupFolder(path: target) }
  var directory: DataDirectory { fixture.directory }

  init() throws { fixture = try StoreFixture() }

  private struct BrokenOff: Error {}

  private func restoration() -> Restoration { Restoration(of: target, into: directory, surroundings: fixture.surroundings) }

  /// A backup of one picture and six credits, one of them a guest's. Afterwards there are two pictures and thirteen
  /// credits, partly in the log.
  private func prepare() async throws {
    let store = try await fixture.open()
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
    _ = try await store.grantCredits(5, to: "dora", because: "a gift", source: "gift 1")
    _ = try await store.backup(into: target)
    await store.close()
    // Connections that are closed in order fold the log into the database; those of a killed process do not.
    let files = [directory.database, "\(directory.database)-wal"]
    let left = try await fixture.dying { store in
      try await store.succeed(try await store.begin(fixture.acceptance()), with: [2])
      _ = try await store.grantCredits(7, to: "dora", because: "a gift", source: "gift 2")
      return try files.map(contents)
    }
    for (file, bytes) in zip(files, left) { try write(bytes, to: file) }
    for file in files { #expect(chmod(file, 0o600) == 0) }
  }

  /// How many credits of dora's there are, after everything was checked.
  private func credits(in directory: DataDirectory) async throws -> Int? {
    let store = try await Store.open(directory: directory, surroundings: fixture.surroundings)
    let findings = try await store.check().findings
    #expect(findings.allSatisfy { $0.kind == .unreferencedFile }, "\(findings)")
    let available = try await store.creditBalance(of: "dora").available
    await store.close()
    return available
  }

  @Test("a restoration puts the backup in the place of what is there, without its log, and keeps what was replaced")
  func replaces() async throws {
    try await prepare()
    let report = try await restoration().run()
    #expect(report.replaced == directory.replacedDatabase && report.pictures == 1 && report.copied == 0)
    for suffix in ["-wal", "-shm", "-journal"] { #expect(!FileStatus.exists(directory.database + suffix)) }
    for file in [directory.database, directory.replacedDatabase] { #expect(permissions(of: file) == 0o600) }
    #expect(try FileSystem.names(in: directory.processes).count == 1, "only that of the process that died is left")
    #expect(try await credits(in: directory) == 6)
    // What was replaced is whole, with all that its log had.
    let old = DataDirectory(path: fixture.temporary.path("old"))
    #expect(mkdir(old.path, 0o700) == 0)
    #expect(rename(directory.replacedDatabase, old.database) == 0)
    #expect(rename(directory.artifacts, old.artifacts) == 0)
    #expect(try await credits(in: old) == 13)
  }

  @Test("a second restoration keeps what the first one replaced as well")
  func twice() async throws {
    try await prepare()
    let first = try await restoration().run()
    let kept = try contents(of: directory.replacedDatabase)
    let second = try await restoration().run()
    #expect(first.replaced == directory.replacedDatabase && second.replaced == "\(directory.replacedDatabase).2")
    #expect(try contents(of: directory.replacedDatabase) == kept)
    // What is kept is the directory's own: one that was opened to others is closed again.
    #expect(chmod(directory.path, 0o755) == 0)
    #expect(try await credits(in: directory) == 6)
    #expect(permissions(of: directory.path) == 0o700)
  }

  @Test(
    "a restoration broken off after any step leaves either all of the old or all of the new",
    arguments: Restoration.Step.allCases)
  func brokenOff(step: Restoration.Step) async throws {
    try await prepare()
    var restoration = restoration()
    restoration.reached = { if $0 == step { throw BrokenOff() } }
    let broken = restoration
    await #expect(throws: BrokenOff.self) { _ = try await broken.run() }
    let isReplaced = step == .databaseReplaced || step == .filesPlaced
    #expect(try await credits(in: directory) == (isReplaced ? 6 : 13))
    // Repeated, it comes to its end.
    #expect(try await self.restoration().run().pictures == 1)
    #expect(try await credits(in: directory) == 6)
  }

  @Test(
    "a restoration replaces a picture that is there under its name with other content",
    arguments: [[9], [1, 1], []] as [[UInt8]])
  func damagedPicture(bytes: [UInt8]) async throws {
    try await prepare()
    let picture = directory.path(ofArtifact: StoredArtifact.name(sha256: StoredArtifact.digest([1]), mimeType: "image/png"))
    try write(bytes, to: picture)
    #expect(try await restoration().run().copied == 1)
    #expect(try contents(of: picture) == [1])
    #expect(try await credits(in: directory) == 6)
  }

  @Test("a restoration lets nobody in before it is done")
  func alone() async throws {
    try await prepare()
    var restoration = restoration()
    let steps = Mutex(0)
    let directory = directory
    restoration.reached = { _ in
      steps.withLock { $0 += 1 }
      let error = #expect(throws: StoreError.self) { _ = try DirectoryEntrance(directory) }
      #expect(error?.kind == .busy && error?.sentence.contains("is being restored") == true)
    }
    _ = try await restoration.run()
    #expect(steps.withLock { $0 } == Restoration.Step.allCases.count)
    #expect(try await credits(in: directory) == 6)
  }

  @Test("a restoration refuses while a process works with the data directory, and another program with the database")
  func inUse() async throws {
    try await prepare()
    let store = try await fixture.open()
    var error = await #expect(throws: StoreError.self) { _ = try await restoration().run() }
    #expect(error?.kind == .busy && error?.sentence.contains("uses \(directory.path)") == true)
    await store.close()
    // As the command line tool of SQLite does, which takes no lock of ours.
    let other = try DatabaseQueue(path: directory.database)
    try await other.read { _ = try Row.fetchOne($0, sql: "SELECT * FROM generation") }
    error = await #expect(throws: StoreError.self) { _ = try await restoration().run() }
    #expect(error?.kind == .busy && error?.sentence.contains("Another program") == true)
    try other.close()
    #expect(try await credits(in: directory) == 13)
    _ = try await restoration().run()
  }

  @Test("a restoration replaces a database that is damaged, or none, and keeps it with its log", arguments: [0, 1, 2])
  func damaged(_ what: Int) async throws {
    try await prepare()
    switch what {
    case 0: try write([UInt8](repeating: 7, count: 5000), to: directory.database)
    case 1: try write([], to: directory.database)
    default: unlink(directory.database)
    }
    let report = try await restoration().run()
    #expect((report.replaced == nil) == (what == 2))
    if what == 0 {
      #expect(try contents(of: directory.replacedDatabase) == [UInt8](repeating: 7, count: 5000))
      // A log whose file may be of another database has a name of its own.
      #expect(["\(directory.replacedDatabase)-wal", directory.strayLog].contains(where: FileStatus.exists))
    }
    #expect(try await credits(in: directory) == 6)
    // The next one replaces what the last one kept.
    _ = try await restoration().run()
    #expect(try await credits(in: directory) == 6)
  }

  @Test(
    "a restoration refuses a backup whose database or templates are not what was backed up, and replaces nothing",
    arguments: [0, 1, 2, 3])
  func damagedBackup(_ way: Int) async throws {
    let store = try await fixture.open()
    try fixture.temporary.makeFolder("data/templates")
    try write([1], to: "\(directory.templates)/a.json")
    await store.close()
    try await prepare()
    for file in try #require(try folder.readManifest()).files {
      let path = folder.path(ofFile: file.sha256)
      let whole = try contents(of: path)
      switch way {
      case 0:
        var bytes = whole
        bytes[bytes.count / 2] ^= 1
        try write(bytes, to: path)
      case 1: try write(Array(whole.dropLast()), to: path)
      case 2: unlink(path)
      default:
        unlink(path)
        #expect(symlink(fixture.temporary.path("elsewhere"), path) == 0)
      }
      let error = await #expect(throws: AtelierError.self) { _ = try await restoration().run() }
      #expect(error?.message.contains(file.path) == true, "\(error?.message ?? "")")
      unlink(path)
      try write(whole, to: path)
    }
    #expect(try await credits(in: directory) == 13)
    #expect(try await restoration().run().pictures == 1)
  }

  /// What somebody has changed of a database before it was backed up, and how it is called.
  private static let foreign = [
    ("CREATE TRIGGER gift AFTER INSERT ON hold BEGIN UPDATE clock SET trusted = 0; END", "trigger gift"),
    ("DROP TRIGGER transfer_stays", "trigger transfer_stays"),
    (
      "DROP TRIGGER transfer_stays; CREATE TRIGGER transfer_stays BEFORE UPDATE ON transfer BEGIN SELECT 1; END",
      "trigger transfer_stays"
    ),
    ("CREATE VIEW \"a \"\"view\" AS SELECT 1", "view a \"view"), ("DROP INDEX transfer_by_hold", "index transfer_by_hold"),
  ]

  @Test("a restoration brings no rule of somebody else's, and every one of its own, and says which", arguments: foreign)
  func foreignObjects(statement: String, name: String) async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(5, to: "dora", because: "a gift", source: "gift 1")
    try await DatabaseQueue(path: directory.database).writeWithoutTransaction { try $0.execute(sql: statement) }
    _ = try await store.backup(into: target)
    await store.close()
    #expect(try await restoration().run().mended == [name])
    let due = try SchemaObjects(ofVersion: Store.schemaVersion)
    let found = try await DatabaseQueue(path: directory.database).read { try SchemaObjects(in: SQLiteSession($0)) }
    #expect(found.differences(from: due) == [])
    #expect(try await credits(in: directory) == 6)
  }

  @Test("a restoration refuses a database with a table of somebody else's, or without one of its own", arguments: [
    ("CREATE TABLE other (id INTEGER)", "table other"), ("DROP TABLE location_answer", "table location_answer"),
    ("ALTER TABLE location_answer ADD COLUMN other TEXT", "table location_answer"),
  ])
  func foreignTables(statement: String, name: String) async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(5, to: "dora", because: "a gift", source: "gift 1")
    try await DatabaseQueue(path: directory.database).writeWithoutTransaction { try $0.execute(sql: statement) }
    _ = try await store.backup(into: target)
    await store.close()
    let error = await #expect(throws: AtelierError.self) { _ = try await restoration().run() }
    #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
  }

  @Test("a restoration refuses a backup with a damaged picture, unless that is to be left out")
  func damagedPicture() async throws {
    try await prepare()
    let name = StoredArtifact.name(sha256: StoredArtifact.digest([1]), mimeType: "image/png")
    try write([0], to: folder.path(ofArtifact: name))
    // What is good at home is not needed.
    #expect(try await restoration().run().lost == [])
    unlink(directory.path(ofArtifact: name))
    let error = await #expect(throws: AtelierError.self) { _ = try await restoration().run() }
    #expect(error?.message.contains(name) == true && error?.message.contains("--skip-damaged") == true)
    #expect(try await restoration().run(skippingDamaged: true).lost == [name])
  }

  @Test(
    "a restoration refuses what is no complete backup of this version",
    arguments: ["nothing", "file", "incomplete", "newer", "other database"])
  func unusable(_ what: String) async throws {
    try await prepare()
    var manifest = try #require(try folder.readManifest())
    switch what {
    case "nothing": unlink(folder.manifest)
    case "file":
      #expect(rename(target, fixture.temporary.path("away")) == 0)
      try write([1], to: target)
    case "incomplete": manifest.files = []
    case "newer": manifest.schemaVersion = Store.schemaVersion + 1
    default:
      let foreign = fixture.temporary.path("foreign")
      let queue = try DatabaseQueue(path: foreign)
      try await queue.write { try $0.execute(sql: "CREATE TABLE a (b)") }
      try queue.close()
      let content = try FileCopy.copy(foreign, to: fixture.temporary.path("copy"))
      #expect(rename(fixture.temporary.path("copy"), folder.path(ofFile: content.sha256)) == 0)
      manifest.files[0].sha256 = content.sha256
    }
    if !["nothing", "file"].contains(what) { try folder.write(manifest) }
    let error = await #expect(throws: AtelierError.self) { _ = try await restoration().run() }
    #expect(error?.message.contains(target) == true && error?.message.hasSuffix(".") == true, "\(error?.message ?? "")")
    #expect(try await credits(in: directory) == 13)
  }

  @Test("a restoration refuses folders inside one another")
  func inside() async throws {
    try await prepare()
    for path in [target, "\(target)/data", fixture.temporary.path] {
      let other = Restoration(of: target, into: DataDirectory(path: path), surroundings: fixture.surroundings)
      let error = await #expect(throws: AtelierError.self) { _ = try await other.run() }
      #expect(error?.message.contains("inside one another") == true, "\(path)")
    }
  }

  @Test("a restoration needs room on the disk of the data directory, and says so before anything is replaced",
    .enabled(if: Mount.isPermitted, "mounting is not permitted here"))
  func fullDisk() async throws {
    try await prepare()
    let mount = try #require(try Mount(bytes: 200_000))
    let small = DataDirectory(path: "\(mount.path)/data")
    let error = await #expect(throws: StoreError.self) {
      _ = try await Restoration(of: target, into: small, surroundings: fixture.surroundings).run()
    }
    #expect(error?.kind == .storageFull && error?.sentence.contains(mount.path) == true, "\(error?.sentence ?? "")")
    #expect(!FileStatus.exists(small.database))
  }
}
