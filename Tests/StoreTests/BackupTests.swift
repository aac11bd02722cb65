import AtelierProtocol
import GRDB
import Glibc
import POSIX
import Testing

@testable import Store

@Suite("A backup", .onlySQLite)
struct BackupTests {
  let fixture: StoreFixture
  var target: String { fixture.temporary.path("backup") }
  var folder: BackupFolder { BackupFolder(path: target) }

  init() throws { fixture = try StoreFixture() }

  private func manifest() throws -> BackupManifest { try #require(try folder.readManifest()) }

  /// A finished picture of these bytes.
  @discardableResult
  private func make(_ bytes: [UInt8], in store: Store) async throws -> (id: GenerationID, name: String) {
    let id = try await store.begin(fixture.acceptance())
    try await store.succeed(id, with: bytes)
    return (id, StoredArtifact.name(sha256: StoredArtifact.digest(bytes), mimeType: "image/png"))
  }

  private func refusal(of path: String, in store: Store) async -> AtelierError? {
    await #expect(throws: AtelierError.self) { _ = try await store.backup(into: path) }
  }

  // MARK: What is in it

  @Test("a backup restored elsewhere holds history, balances, pictures and templates")
  func whole() async throws {
    let store = try await fixture.open()
    try await LedgerScene.fill(store, of: fixture)
    try fixture.temporary.makeFolder("data/templates/pictures")
    try write([1], to: "\(fixture.directory.templates)/a.json")
    // Of the same content.
    for name in ["b.json", "pictures/c.png"] { try write([2], to: "\(fixture.directory.templates)/\(name)") }
    let history = try await store.history(HistoryFilter(), limit: 100)
    let ledger = try await store.creditHistory(of: "anna0", limit: 100, cursor: nil)
    let report = try await store.backup(into: target)
    #expect(report.pictures == 5 && report.copied == 5 && report.lost == [] && report.databaseBytes > 0)
    // What comes later is not in it.
    _ = try await store.grantCredits(7, to: "bert0", because: "later")
    let balance = try await store.creditBalance(of: "bert0")
    await store.close()

    let other = DataDirectory(path: fixture.temporary.path("other"))
    let restored = try await Restoration(of: target, into: other, surroundings: fixture.surroundings).run()
    #expect(restored.pictures == 5 && restored.copied == 5 && restored.replaced == nil)
    let copy = try await Store.open(directory: other, surroundings: fixture.surroundings)
    #expect(try await copy.auditLedger() == [])
    #expect(try await copy.creditHistory(of: "anna0", limit: 100, cursor: nil) == ledger)
    #expect(try await copy.creditBalance(of: "bert0").available == balance.available.map { $0 - 7 })
    #expect(try await copy.check().findings == [])
    #expect(try await copy.history(HistoryFilter(), limit: 100).totals == history.totals)
    for (name, bytes) in [("a.json", [1]), ("b.json", [2]), ("pictures/c.png", [2])] as [(String, [UInt8])] {
      #expect(try contents(of: "\(other.templates)/\(name)") == bytes)
    }
    // It is the same data directory, so its backups go on in the same folder.
    #expect(try await copy.backup(into: target).copied == 0)
    await copy.close()
  }

  @Test("a backup that breaks off before it is complete leaves the earlier one whole")
  func brokenOff() async throws {
    let store = try await fixture.open()
    try await make([1], in: store)
    _ = try await store.backup(into: target)
    let earlier = try manifest()
    let picture = try await make([2], in: store)
    _ = try await store.delete(.one(picture.id, account: nil))
    try await make([3], in: store)
    // The manifest cannot be written.
    try fixture.temporary.makeFolder("backup/backup.json.new/occupied")
    await #expect(throws: (any Error).self) { _ = try await store.backup(into: target) }
    await store.close()
    #expect(try manifest() == earlier)
    let other = DataDirectory(path: fixture.temporary.path("other"))
    #expect(try await Restoration(of: target, into: other, surroundings: fixture.surroundings).run().pictures == 1)
  }

  @Test("a backup is closed to others, whatever the folder was", arguments: [nil, 0o755, 0o777] as [mode_t?])
  func permissionBits(before: mode_t?) async throws {
    if let before { try fixture.temporary.makeFolder("backup", permissions: before) }
    let store = try await fixture.open()
    try await make([1, 2, 3], in: store)
    try write([1], to: "\(fixture.directory.path)/credentials.json")
    _ = try await store.backup(into: target, includingCredentials: true)
    #expect(permissions(of: target) == 0o700)
    var folders = ["files", "artifacts", "partial"]
    for file in fixture.temporary.files(below: "backup") {
      #expect(permissions(of: "\(target)/\(file)") == 0o600, "\(file)")
      let parts = file.split(separator: "/").dropLast()
      for count in 1..<max(parts.count + 1, 1) where !parts.isEmpty {
        folders.append(parts.prefix(count).joined(separator: "/"))
      }
    }
    for part in folders { #expect(permissions(of: "\(target)/\(part)") == 0o700, "\(part)") }
  }

  @Test("a backup has the API keys only when they are asked for, and no longer when they are not")
  func credentials() async throws {
    let store = try await fixture.open()
    let secret = Array("a-secret-of-these-keys".utf8)
    try write(secret, to: "\(fixture.directory.path)/credentials.json")
    func isSecretThere() throws -> Bool {
      try fixture.temporary.files(below: "backup").contains { try contents(of: "\(target)/\($0)") == secret }
    }
    #expect(try await !store.backup(into: target).hasCredentials)
    #expect(try !isSecretThere())
    #expect(try await store.backup(into: target, includingCredentials: true).hasCredentials)
    #expect(try isSecretThere())
    await store.close()
    for isAsked in [false, true] {
      let other = DataDirectory(path: fixture.temporary.path("other \(isAsked)"))
      let report = try await Restoration(of: target, into: other, surroundings: fixture.surroundings)
        .run(includingCredentials: isAsked)
      #expect(report.hasCredentials && report.restoredCredentials == isAsked)
      #expect(FileStatus.exists("\(other.path)/credentials.json") == isAsked)
    }
    let again = try await fixture.open()
    #expect(try await !again.backup(into: target).hasCredentials)
    #expect(try !isSecretThere())
    await again.close()
  }

  @Test("a backup takes templates that a link inside their folder names, and none that a link brings in")
  func links() async throws {
    let store = try await fixture.open()
    try fixture.temporary.makeFolder("data/templates")
    try write([1], to: "\(fixture.directory.templates)/a.json")
    try write([9], to: fixture.temporary.path("secret"))
    #expect(symlink("a.json", "\(fixture.directory.templates)/b.json") == 0)
    #expect(symlink(fixture.temporary.path("secret"), "\(fixture.directory.templates)/c.json") == 0)
    #expect(symlink("nowhere", "\(fixture.directory.templates)/d.json") == 0)
    #expect(mkfifo("\(fixture.directory.templates)/e.json", 0o600) == 0)
    _ = try await store.backup(into: target)
    #expect(try manifest().files.map(\.path) == ["atelier.sqlite", "templates/a.json", "templates/b.json"])
  }

  // MARK: The next one

  @Test("a backup brought up to date copies what is new, and forgets what was deleted")
  func incremental() async throws {
    let store = try await fixture.open()
    var made = [try await make([1], in: store), try await make([2], in: store)]
    #expect(try await store.backup(into: target).copied == 2)
    made.append(try await make([3], in: store))
    _ = try await store.delete(.one(made[0].id, account: nil))
    let report = try await store.backup(into: target)
    #expect(report.copied == 1 && report.pictures == 2)
    let pictures = try DataDirectory(path: target).artifactFiles()
    #expect(Set(pictures) == [made[1].name, made[2].name])
    #expect(try FileSystem.names(in: folder.files) == (try manifest().files.map(\.sha256)).sorted())
    #expect(try FileSystem.names(in: folder.partial) == [])
  }

  @Test("a backup is repaired where its disk has damaged it; what is damaged at home stays good in the backup")
  func damage() async throws {
    let store = try await fixture.open()
    let (kept, lost) = (try await make([1], in: store), try await make([2], in: store))
    _ = try await store.backup(into: target)
    // On the disk of the backup.
    try write([0], to: folder.path(ofArtifact: kept.name))
    #expect(try await store.backup(into: target).copied == 1)
    #expect(try contents(of: folder.path(ofArtifact: kept.name)) == [1])
    // At home.
    let home = fixture.directory
    try write([0], to: home.path(ofArtifact: kept.name))
    #expect(try await store.backup(into: target).lost == [])
    // In both places, in each way in which a file can be unusable.
    let ways: [(String) throws -> Void] = [
      { try write([0], to: $0) }, { unlink($0) }, { unlink($0); mkdir($0, 0o700) },
      { rmdir($0); symlink("/etc/hostname", $0) },
    ]
    for way in ways {
      try way(home.path(ofArtifact: lost.name))
      unlink(folder.path(ofArtifact: lost.name))
      let report = try await store.backup(into: target)
      #expect(report.lost == [home.path(ofArtifact: lost.name)] && report.pictures == 1)
      #expect(try manifest().lost == [lost.name])
    }
    await store.close()
    // A loss that is known does not keep the rest from being restored.
    let other = DataDirectory(path: fixture.temporary.path("other"))
    let report = try await Restoration(of: target, into: other, surroundings: fixture.surroundings).run()
    #expect(report.lost == [lost.name] && report.pictures == 1)
    #expect(try contents(of: other.path(ofArtifact: kept.name)) == [1])
  }

  // MARK: While others work

  @Test("a backup has every picture of its moment, while others make and delete")
  func meanwhile() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    try await LedgerScene.fill(store, of: fixture, households: 1)
    let writing = Task {
      for number in 0..<60 {
        _ = try await other.grantCredits(1, to: "dora", because: "a drop", source: "drop \(number)")
        let made = try await make([100, UInt8(number)], in: other)
        if number.isMultiple(of: 2) { _ = try await other.delete(.one(made.id, account: nil)) }
      }
    }
    for number in 0..<4 {
      #expect(try await store.backup(into: target).lost == [])
      let copy = DataDirectory(path: fixture.temporary.path("copy \(number)"))
      _ = try await Restoration(of: target, into: copy, surroundings: fixture.surroundings).run()
      let restored = try await Store.open(directory: copy, surroundings: fixture.surroundings)
      #expect(try await restored.check().findings == [])
      await restored.close()
    }
    try await writing.value
    #expect(try await store.creditBalance(of: "dora").available == 61)
  }

  @Test("a backup is written by one process at a time")
  func together() async throws {
    let store = try await fixture.open()
    _ = try await store.backup(into: target)
    let held = try folder.lockForWriting()
    let error = await refusal(of: target, in: store)
    #expect(error?.kind == .overloaded && error?.message.contains(target) == true)
    held.release()
    _ = try await store.backup(into: target)
  }

  // MARK: Refusals

  @Test("a backup is not made where it would be lost, or where something else is")
  func places() async throws {
    let store = try await fixture.open()
    let home = fixture.directory.path
    #expect(symlink(home, fixture.temporary.path("link")) == 0)
    #expect(symlink("/nowhere/at/all", fixture.temporary.path("dangling")) == 0)
    try write([1], to: fixture.temporary.path("file"))
    try fixture.temporary.makeFolder("full")
    try write([1], to: fixture.temporary.path("full/letter"))
    let linked = fixture.temporary.path("link")
    for (path, words) in [
      (home, "inside one another"), ("\(home)/backup", "inside one another"), ("\(home)/a/b/c", "inside one another"),
      (linked, "inside one another"), ("\(linked)/artifacts/x", "inside one another"),
      (fixture.temporary.path, "inside one another"), (fixture.temporary.path("file"), "is a file"),
      (fixture.temporary.path("file/x"), "Not a directory"), (fixture.temporary.path("full"), "letter"),
      (fixture.temporary.path("dangling"), "symbolic link to nothing"), ("/proc/nothing", "/proc/nothing"),
    ] {
      let error = await refusal(of: path, in: store)
      #expect(error?.kind == .fileAccessDenied && error?.message.contains(words) == true, "\(path): \(error?.message ?? "")")
    }
    #expect(try contents(of: fixture.temporary.path("full/letter")) == [1])
    #expect(try FileSystem.names(in: home).allSatisfy { !$0.hasPrefix("backup/") && $0 != "a" })
  }

  @Test("a backup is never replaced by one of another data directory, or of one that was emptied")
  func identity() async throws {
    let store = try await fixture.open()
    try await LedgerScene.fill(store, of: fixture)
    _ = try await store.backup(into: target)
    let before = try manifest()
    await store.close()

    func isRefused(_ directory: DataDirectory, _ words: String) async throws {
      let other = try await Store.open(directory: directory, surroundings: fixture.surroundings)
      let error = await refusal(of: target, in: other)
      #expect(error?.kind == .fileAccessDenied && error?.message.contains(words) == true, "\(error?.message ?? "")")
      await other.close()
      #expect(try manifest() == before)
    }
    try await isRefused(DataDirectory(path: fixture.temporary.path("other")), "another data directory")
    // Its database is gone, and a service has made a new one.
    for file in fixture.directory.databaseFiles { unlink(file) }
    try await isRefused(fixture.directory, "movements of credits")
    unlink(fixture.directory.identityFile)
    try await isRefused(fixture.directory, "another data directory")
  }

  @Test("a backup of generations alone is not replaced by an empty one")
  func emptied() async throws {
    let store = try await fixture.open()
    try await make([1], in: store)
    _ = try await store.backup(into: target)
    await store.close()
    for file in fixture.directory.databaseFiles { unlink(file) }
    let empty = try await fixture.open()
    let error = await refusal(of: target, in: empty)
    #expect(error?.message.contains("is empty") == true)
    #expect(try manifest().generations == 1)
  }

  @Test("a backup of a damaged ledger or database replaces nothing", arguments: ["ledger", "reference"])
  func damagedDatabase(what: String) async throws {
    let store = try await fixture.open()
    try await LedgerScene.fill(store, of: fixture)
    _ = try await store.backup(into: target)
    let before = try manifest()
    try await store.withWriter { database in
      let sql =
        what == "ledger"
        ? "UPDATE account_balance SET available = available + 1 WHERE account = 'anna0'"
        : "PRAGMA foreign_keys = OFF; DELETE FROM artifact; PRAGMA foreign_keys = ON"
      try database.execute(sql: sql)
    }
    let error = await refusal(of: target, in: store)
    #expect(error?.kind == .internal && error?.forOperators.contains("doctor") == true, "\(error?.message ?? "")")
    #expect(try manifest() == before)
    #expect(try FileSystem.names(in: folder.files).contains(before.files[0].sha256))
  }

  @Test("a backup whose manifest cannot be trusted is left alone", arguments: [
    "{", "[]",
    #"{"format":2,"dataDirectory":"x","madeAt":"2026-11-21T05:26:00Z","schemaVersion":1,"files":[],"pictures":0,"lost":[],"generations":0}"#,
    #"{"format":1,"dataDirectory":"x","madeAt":"2026-11-21T05:26:00Z","schemaVersion":1,"files":[{"path":"templates/../x","sha256":"\#(String(repeating: "0", count: 64))","bytes":1}],"pictures":0,"lost":[],"generations":0}"#,
    #"{"format":1,"dataDirectory":"x","madeAt":"2026-11-21T05:26:00Z","schemaVersion":1,"files":[{"path":"templates/x","sha256":"../x","bytes":1}],"pictures":0,"lost":[],"generations":0}"#,
    #"{"format":1,"dataDirectory":"x","madeAt":"2026-11-21T05:26:00Z","schemaVersion":1,"files":[],"pictures":0,"lost":["../x"],"generations":0}"#,
  ])
  func manifests(text: String) async throws {
    let store = try await fixture.open()
    try fixture.temporary.makeFolder("backup")
    try write(Array(text.utf8), to: folder.manifest)
    #expect(await refusal(of: target, in: store)?.kind == .fileAccessDenied)
    await store.close()
    await #expect(throws: AtelierError.self) {
      _ = try await Restoration(of: target, into: fixture.directory, surroundings: fixture.surroundings).run()
    }
    #expect(try contents(of: folder.manifest) == Array(text.utf8))
  }

  // MARK: Disks

  @Test("a backup that its disk has no room for leaves the earlier one whole, wherever it stops",
    .enabled(if: Mount.isPermitted, "mounting is not permitted here"),
    arguments: Array(stride(from: 0, through: 900, by: 60)))
  func fullDisk(spareKilobytes: Int) async throws {
    let mount = try #require(try Mount(bytes: 4 << 20))
    let path = "\(mount.path)/backup"
    let store = try await fixture.open()
    let first = try await make([1], in: store)
    _ = try await store.backup(into: path)
    for number in 0..<8 { try await make([UInt8](repeating: UInt8(number), count: 40_000), in: store) }
    // Leaves so much room.
    let taken = open("\(mount.path)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    var status = statvfs()
    #expect(statvfs(mount.path, &status) == 0)
    let room = Int(status.f_bavail) * Int(status.f_bsize) - spareKilobytes << 10
    let block = [UInt8](repeating: 0, count: max(room, 0))
    #expect(write(taken, block, block.count) == block.count)
    close(taken)
    do {
      _ = try await store.backup(into: path)
    } catch {
      #expect(error.kind == .storageFull && error.message.contains(mount.path), "\(error.message)")
      let other = DataDirectory(path: fixture.temporary.path("other"))
      let report = try await Restoration(of: path, into: other, surroundings: fixture.surroundings).run()
      #expect(report.pictures == 1)
      #expect(try contents(of: other.path(ofArtifact: first.name)) == [1])
    }
    // With room, it goes on.
    unlink("\(mount.path)/filler")
    #expect(try await store.backup(into: path).pictures == 9)
  }

  @Test("a backup onto a read-only disk says so; one on such a disk can be restored",
    .enabled(if: Mount.isPermitted, "mounting is not permitted here"))
  func readOnlyDisk() async throws {
    let mount = try #require(try Mount(bytes: 4 << 20))
    let path = "\(mount.path)/backup"
    let store = try await fixture.open()
    try await make([1], in: store)
    _ = try await store.backup(into: path)
    try await mount.makeReadOnly()
    let error = await refusal(of: path, in: store)
    #expect(error?.kind == .fileAccessDenied && error?.message.contains("Read-only") == true, "\(error?.message ?? "")")
    await store.close()
    let other = DataDirectory(path: fixture.temporary.path("other"))
    #expect(try await Restoration(of: path, into: other, surroundings: fixture.surroundings).run().pictures == 1)
  }

  @Test("a backup is refused by a store that is closed")
  func closed() async throws {
    let store = try await fixture.open()
    await store.close()
    await #expect(throws: AtelierError.storeClosed) { _ = try await store.backup(into: target) }
    #expect(!FileStatus.exists(target))
  }
}
