import AtelierProtocol
import GRDB
import Glibc
import POSIX
import Support
import Testing

@testable import Store

@Suite("Opening the store")
struct OpeningTests {
  let fixture: StoreFixture
  let path: String
  init() throws {
    fixture = try StoreFixture()
    path = fixture.directory.path
  }

  /// Opens, expecting a refusal, and checks that it changed no file.
  func refusal(of directory: DataDirectory? = nil) async throws -> StoreError? {
    func everything() throws -> [String: [UInt8]] {
      let root = fixture.temporary.path
      // What is no database's content: SQLite may make its shared memory to find out what is in a file.
      let names = fixture.temporary.files().filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("migration.lock") }
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try contents(of: "\(root)/\($0)")) })
    }
    let before = try everything()
    do {
      let store = try await fixture.open(directory)
      await store.close()
      return nil
    } catch {
      #expect(try everything() == before)
      #expect(error.sentence.hasSuffix(".") || error.sentence.contains(".recover"), "\(error.sentence)")
      #expect(!error.atelierError.message.contains(fixture.temporary.path))
      return error
    }
  }

  @Test("a missing directory is made, with its parents, and everything in it is its owner's only")
  func makesDirectory() async throws {
    let directory = DataDirectory(path: "\(path)/a/b c/日本")
    let store = try await fixture.open(directory)
    let id = try await store.begin(fixture.acceptance())
    let row = try await store.succeed(id, with: [1]).finished
    let artifact = try #require(row?.images.first?.artifact)
    let staged = try await store.stage([2], mimeType: "image/jpeg")
    #expect(permissions(of: staged.temporaryPath) == 0o600)
    for part in directory.parts + [path, "\(path)/a", directory.path, directory.temporary(of: store.process)] {
      #expect(permissions(of: part) == 0o700, "\(part)")
    }
    for file in fixture.temporary.files() {
      #expect(permissions(of: "\(fixture.temporary.path)/\(file)") == 0o600, "\(file)")
    }
    for file in directory.databaseFiles where FileStatus.exists(file) {
      #expect(permissions(of: file) == 0o600, "\(file)")
    }
    #expect(permissions(of: directory.folder(ofArtifact: artifact.name)) == 0o700)
    #expect(permissions(of: directory.firstFolder(ofArtifact: artifact.name)) == 0o700)
  }

  @Test("rights are ours alone under a umask that takes none")
  func ignoresUmask() async throws {
    let folder = fixture.temporary.path
    try await underUmask(0) {
      #expect(try FileSystem.makeDirectory("\(folder)/directory"))
      try FileSystem.writeDurably([1], to: "\(folder)/file")
      let lock = try FileLock(path: "\(folder)/lock", creating: true)
      #expect(permissions(of: "\(folder)/lock") == 0o600)
      withExtendedLifetime(lock) {}
      try DataDirectory(path: "\(folder)/home/data").prepare()
      let database = try DatabaseQueue()
      try database.writeWithoutTransaction { database in
        try BackupFile.copyDatabase(SQLiteSession(database), to: "\(folder)/backup")
      }
    }
    for name in ["directory", "home", "home/data"] + ["artifacts", "temporary", "processes"].map({ "home/data/\($0)" }) {
      #expect(permissions(of: "\(folder)/\(name)") == 0o700, "\(name)")
    }
    for name in ["file", "backup"] { #expect(permissions(of: "\(folder)/\(name)") == 0o600, "\(name)") }
  }

  @Test("a relative path begins at the working directory, and slashes at the end count for nothing")
  func paths() throws {
    let working = try #require(getcwd(nil, 0))
    defer { free(working) }
    let here = String(cString: working)
    #expect(DataDirectory(path: "data/x//").path == "\(here)/data/x")
    #expect(DataDirectory(path: "").path == here)
    #expect(DataDirectory(path: "/").path == "/")
    #expect(DataDirectory(path: "/a/").path == "/a")
  }

  @Test("a directory of ours with wide rights is narrowed, with everything in it")
  func narrows() async throws {
    await (try await fixture.open()).close()
    let directory = fixture.directory
    for part in directory.parts + [path] { #expect(chmod(part, 0o755) == 0) }
    if !TestDatabase.isUsed { #expect(chmod(directory.database, 0o644) == 0) }
    let store = try await fixture.open()
    for part in directory.parts + [path] { #expect(permissions(of: part) == 0o700, "\(part)") }
    if !TestDatabase.isUsed { #expect(permissions(of: directory.database) == 0o600) }
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a directory that others may enter and that holds other things is refused and left as it is")
  func refusesSharedDirectory() async throws {
    #expect(mkdir(path, 0o755) == 0)
    try write([1], to: "\(path)/holiday.jpg")
    let error = try await refusal()
    #expect(error?.kind == .directoryUnusable)
    #expect(error?.sentence.contains("holiday.jpg") == true)
    #expect(permissions(of: path) == 0o755)
    #expect(chmod(path, 0o700) == 0)
    #expect(try await refusal() == nil)
  }

  @Test("a symbolic link may lead to the directory, but no part of it may be one")
  func symbolicLinks() async throws {
    let link = DataDirectory(path: "\(fixture.temporary.path)/link")
    #expect(mkdir(path, 0o700) == 0)
    #expect(symlink(path, link.path) == 0)
    #expect(try await refusal(of: link) == nil)
    for part in fixture.directory.parts + (TestDatabase.isUsed ? [] : [fixture.directory.database]) {
      let elsewhere = "\(fixture.temporary.path)/elsewhere"
      #expect(rename(part, elsewhere) == 0)
      #expect(symlink(elsewhere, part) == 0)
      #expect(try await refusal()?.kind == .directoryUnusable, "\(part)")
      #expect(unlink(part) == 0)
      #expect(rename(elsewhere, part) == 0)
    }
    #expect(try await refusal() == nil)
  }

  enum Obstacle: String, CaseIterable {
    case file, fileInPath, databaseIsFolder, artifactsIsFile, danglingLink, tooLong, zeroByte

    static let here = allCases.filter { $0 != .databaseIsFolder || !TestDatabase.isUsed }
  }

  @Test("an obstacle in the way is named, and stays", arguments: Obstacle.here)
  func obstacles(obstacle: Obstacle) async throws {
    var directory = fixture.directory
    switch obstacle {
    case .file: try write([1], to: path)
    case .fileInPath:
      try write([1], to: path)
      directory = DataDirectory(path: "\(path)/deeper/down")
    case .databaseIsFolder:
      #expect(mkdir(path, 0o700) == 0)
      #expect(mkdir(directory.database, 0o700) == 0)
    case .artifactsIsFile:
      #expect(mkdir(path, 0o700) == 0)
      try write([1], to: directory.artifacts)
    case .danglingLink: #expect(symlink("/nowhere/at/all", path) == 0)
    case .tooLong: directory = DataDirectory(path: path + String(repeating: "/x", count: 4_000))
    case .zeroByte: directory = DataDirectory(path: "\(path)\u{0}x")
    }
    #expect(try await refusal(of: directory)?.kind == .directoryUnusable)
  }

  @Test("a directory of another user's is refused", .enabled(if: geteuid() == 0, "only root can give files away"))
  func foreignOwner() async throws {
    #expect(mkdir(path, 0o700) == 0)
    #expect(chown(path, 12_345, 12_345) == 0)
    let error = try await refusal()
    #expect(error?.kind == .directoryUnusable)
    #expect(error?.sentence.contains("12345") == true)
    #expect(chown(path, geteuid(), getegid()) == 0)
    await (try await fixture.open()).close()
    let part = TestDatabase.isUsed ? fixture.directory.artifacts : fixture.directory.database
    #expect(chown(part, 12_345, 12_345) == 0)
    #expect(try await refusal()?.kind == .directoryUnusable)
  }

  @Test("a directory that cannot be written is refused", .enabled(if: geteuid() != 0, "root may write everywhere"))
  func unwritable() async throws {
    #expect(mkdir(path, 0o500) == 0)
    #expect(try await refusal()?.kind == .directoryUnusable)
  }

  @Test("a read-only disk is refused", .enabled(if: Mount.isPermitted, "mounting is not permitted here"))
  func readOnly() async throws {
    let mount = try #require(try Mount(bytes: 4_194_304))
    for isNew in [true, false] {
      let directory = DataDirectory(path: "\(mount.path)/\(isNew ? "new" : "old")")
      if !isNew { await (try await fixture.open(directory)).close() }
      if isNew { #expect(mkdir(directory.path, 0o700) == 0) }
    }
    try await mount.makeReadOnly()
    for name in ["new", "old", "missing"] {
      let error = try await refusal(of: DataDirectory(path: "\(mount.path)/\(name)"))
      #expect(error?.kind == .directoryUnusable, "\(name): \(error?.sentence ?? "opened")")
      #expect(error?.sentence.contains("read-only") == true, "\(name): \(error?.sentence ?? "opened")")
    }
  }

  @Test("a full disk is told as such", .onlySQLite, .enabled(if: Mount.isPermitted, "mounting is not permitted here"))
  func fullDisk() async throws {
    let mount = try #require(try Mount(bytes: 65_536))
    let error = try await refusal(of: DataDirectory(path: "\(mount.path)/data"))
    #expect(error?.kind == .storageFull, "\(error?.sentence ?? "opened")")
    #expect(error?.atelierError.kind == .storageFull)
  }

  @Test("a database of a newer version is refused with both versions, and left as it is", .onlySQLite)
  func newerVersion() async throws {
    await (try await fixture.open()).close()
    try await DatabaseQueue(path: fixture.directory.database).writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA user_version = 99")
      _ = try database.checkpoint(.truncate)
    }
    let error = try await refusal()
    #expect(error?.kind == .newerDatabase)
    #expect(error?.sentence.contains("99") == true && error?.sentence.contains("\(Store.schemaVersion)") == true)
  }

  @Test("a database that becomes newer under a store at work is not written any more, and nothing waits for it", .onlySQLite)
  func newerMeanwhile() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    try await DatabaseQueue(path: fixture.directory.database).writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA user_version = 99")
    }
    for _ in 0..<2 {
      let error = await #expect(throws: AtelierError.self) { try await store.succeed(id, with: [1]) }
      #expect(error?.kind == .internal && error?.hint?.contains("newer version") == true)
      let refused = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
      #expect(refused?.kind == .internal && refused?.isRetryable == false)
    }
    let fault = await store.currentFault()
    #expect(fault?.isLasting == true && fault?.reason.isPermanent == true && fault?.reason.kind == .newerDatabase)
    #expect(try await store.generation(id, account: nil)?.state == .running)
    await store.close()
  }

  @Test("a database from before the first release is refused with what to do, and left as it is", .onlySQLite)
  func unreleased() async throws {
    #expect(mkdir(path, 0o700) == 0)
    try await DatabaseQueue(path: fixture.directory.database).write { database in
      try database.execute(
        sql: "PRAGMA application_id = \(SQLiteSchema.unreleasedApplicationID); PRAGMA user_version = 12; CREATE TABLE a (b)")
    }
    let error = try await refusal()
    #expect(error?.kind == .foreignDatabase)
    for word in ["0.1.0", "atelier export", "atelier backup", "--data-dir"] {
      #expect(error?.sentence.contains(word) == true, "\(word)")
    }
  }

  @Test("another program's database is refused, and left as it is", .onlySQLite, arguments: [true, false])
  func foreignDatabase(isMarked: Bool) async throws {
    #expect(mkdir(path, 0o700) == 0)
    try await DatabaseQueue(path: fixture.directory.database).write { database in
      try database.execute(sql: isMarked ? "PRAGMA application_id = 77" : "CREATE TABLE song (title TEXT)")
    }
    #expect(try await refusal()?.kind == .foreignDatabase)
  }

  @Test("a file that is no database is refused, and left as it is", .onlySQLite, arguments: [2, 15, 16, 100, 5_000])
  func noDatabase(length: Int) async throws {
    #expect(mkdir(path, 0o700) == 0)
    var random = SplitMix64(seed: UInt64(length))
    try write((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }, to: fixture.directory.database)
    #expect(try await refusal()?.kind == .foreignDatabase)
  }

  @Test("an empty file, as a crash at a first start leaves it, becomes the database", .onlySQLite)
  func emptyFile() async throws {
    #expect(mkdir(path, 0o700) == 0)
    try write([], to: fixture.directory.database)
    let store = try await fixture.open()
    _ = try await store.accept(fixture.acceptance())
  }

  @Test("many processes may open a new directory at once", arguments: 0..<24 as Range<UInt64>)
  func concurrentFirstStart(seed: UInt64) async throws {
    let fixture = try StoreFixture(seed: seed)
    let processes = try await withThrowingTaskGroup(of: ProcessID.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let store = try await fixture.open()
          _ = try await store.accept(fixture.acceptance())
          return store.process
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(processes.count == 6)
    #expect(try await fixture.open().running(account: nil).count == 6)
  }

  @Test(
    "a migration that fails leaves the database as it was, with none of its steps; a later one does them all", .onlySQLite)
  func failedMigration() async throws {
    let queue = try DatabaseQueue(path: "\(fixture.temporary.path)/steps.sqlite")
    let good = "CREATE TABLE one (a) STRICT".replacing(" STRICT", with: "")
    let bad = "CREATE TABLE two (a); INSERT INTO two VALUES (1); CREATE TABLE one (b);"
    func state() async throws -> (Int?, [String]) {
      try await queue.read { database in
        (
          try Int.fetchOne(database, sql: "PRAGMA user_version"),
          try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema ORDER BY name")
        )
      }
    }
    await #expect(throws: DatabaseError.self) {
      try await queue.writeWithoutTransaction { try Migration.apply([good, bad], from: 0, to: $0) }
    }
    #expect(try await state() == (0, []))
    try await queue.writeWithoutTransaction {
      try Migration.apply([good, "CREATE TABLE two (a)"], from: 0, to: $0)
    }
    #expect(try await state() == (2, ["one", "two"]))
  }

  @Test("everything fails clearly once the store is closed")
  func closed() async throws {
    let store = try await fixture.open()
    await store.close()
    let error = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
    #expect(error == .storeClosed || error?.message == AtelierError.storeClosed.message)
    #expect(await store.status().isHealthy == false)
    await store.close()
    #expect(fixture.temporary.files(below: "data/processes").isEmpty)
  }
}
