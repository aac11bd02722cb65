import AtelierProtocol
import Foundation
import Glibc
import POSIX
import Testing

@testable import Store

/// What happens to the files of a data directory while a store has them open.
@Suite("A name that leads elsewhere while the store is open")
struct MovedFilesTests {
  let fixture: StoreFixture
  let path: String
  init() throws {
    fixture = try StoreFixture()
    path = fixture.directory.path
  }

  /// What somebody does to the directory, and how they take it back, if they can.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var make: @Sendable (DataDirectory) throws -> Void
    var undo: (@Sendable (DataDirectory) throws -> Void)?
  }

  private static func move(_ from: String, _ to: String) throws {
    guard rename(from, to) == 0 else { throw SystemError(code: errno, operation: "move \(from)") }
  }

  private static func overwrite(_ path: String, with bytes: [UInt8]) throws {
    let number = Glibc.open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    defer { close(number) }
    try FileSystem.write(bytes, to: number, path: path)
  }

  /// A valid database of another directory, at rest.
  private static let other = "other.sqlite"

  static let changes: [Change] = [
    Change(
      testDescription: "another database is moved over it",
      make: { directory in
        link(directory.database, "\(directory.path)/aside")
        try move("\(directory.path)/\(other)", directory.database)
      },
      undo: { try move("\($0.path)/aside", $0.database) }),
    Change(
      testDescription: "the database is moved away", make: { try move($0.database, $0.database + ".old") },
      undo: { try move($0.database + ".old", $0.database) }),
    Change(testDescription: "the database is deleted", make: { try FileSystem.remove($0.database) }),
    Change(
      testDescription: "a link stands for the database",
      make: {
        try move($0.database, $0.database + ".real")
        symlink($0.database + ".real", $0.database)
      },
      undo: { try move($0.database + ".real", $0.database) }),
    Change(
      testDescription: "a folder has the database's name",
      make: {
        try move($0.database, $0.database + ".old")
        mkdir($0.database, 0o700)
      },
      undo: {
        rmdir($0.database)
        try move($0.database + ".old", $0.database)
      }),
    Change(
      testDescription: "another database is copied over it",
      make: { try overwrite($0.database, with: contents(of: "\($0.path)/\(other)")) }),
    Change(testDescription: "the log is deleted", make: { try FileSystem.remove($0.log) }),
    Change(
      testDescription: "the log is moved away", make: { try move($0.log, $0.log + ".old") },
      undo: { try move($0.log + ".old", $0.log) }),
    Change(testDescription: "the log is emptied", make: { try overwrite($0.log, with: []) }),
    Change(
      testDescription: "the log is overwritten",
      make: { try overwrite($0.log, with: [UInt8](repeating: 7, count: 4_000_000)) }),
    Change(testDescription: "the log's index is deleted", make: { try FileSystem.remove($0.database + "-shm") }),
    Change(
      testDescription: "the directory is moved away", make: { try move($0.path, $0.path + ".old") },
      undo: { try move($0.path + ".old", $0.path) }),
    Change(
      testDescription: "the directory is moved away and there is an empty one",
      make: {
        try move($0.path, $0.path + ".old")
        mkdir($0.path, 0o700)
      },
      undo: {
        rmdir($0.path)
        try move($0.path + ".old", $0.path)
      }),
    Change(
      testDescription: "the directory is deleted", make: { try FileManager.default.removeItem(atPath: $0.path) }),
    Change(
      testDescription: "a copy of the directory takes its place",
      make: {
        try FileManager.default.copyItem(atPath: $0.path, toPath: $0.path + ".copy")
        try move($0.path, $0.path + ".old")
        try move($0.path + ".copy", $0.path)
      },
      undo: {
        try FileManager.default.removeItem(atPath: $0.path)
        try move($0.path + ".old", $0.path)
      }),
  ]

  /// Those that can happen where the database is on a server.
  private static let changesHere = TestDatabase.isUsed ? changes.suffix(4) : changes

  private func open(_ lines: KeptLines = KeptLines()) async throws -> Store {
    let elsewhere = DataDirectory(path: "\(fixture.temporary.path)/elsewhere")
    let foreign = try await Store.open(directory: elsewhere, surroundings: fixture.surroundings)
    for number in 0..<3 { _ = try await foreign.grantCredits(7, to: "bert", because: "a gift", source: "\(number)") }
    await foreign.close()
    var surroundings = fixture.surroundings
    surroundings.log = { lines.add($0, $1) }
    let store = try await fixture.open(with: surroundings)
    try Self.copy(elsewhere.database, "\(path)/\(Self.other)")
    return store
  }

  private static func copy(_ from: String, _ to: String) throws { try write(try contents(of: from), to: to) }

  private func expectRefusals(by store: Store, _ change: String) async throws {
    let calls: [(String, @Sendable () async throws -> Void)] = [
      ("grant", { _ = try await store.grantCredits(1, to: "anna", because: "a gift", source: "late") }),
      ("accept", { [fixture] in _ = try await store.accept(fixture.acceptance()) }),
      ("claim", { _ = try await store.claimNext(for: .gemini, includingUnclaimed: true) }),
      ("ready", { try await store.checkReady() }),
    ]
    // Without a file in it, a gift is safe on a server whatever becomes of the directory.
    for (name, call) in calls.dropFirst(TestDatabase.isUsed ? 1 : 0) {
      let error = await #expect(throws: AtelierError.self, "\(change): \(name)") { try await call() }
      // What SQLite reads of a log that was overwritten may not make sense to it before anybody looks at the log.
      let isDamage = change.hasPrefix("the log is") && error?.forOperators.contains("damaged") == true
      let isTold = error?.kind == .storageUnavailable || isDamage
      #expect(isTold, "\(change): \(name): \(error.map { "\($0)" } ?? "promised")")
      #expect(error?.message.contains(fixture.temporary.path) == false)
    }
    let status = await store.status()
    #expect(!status.isHealthy && status.problem?.isEmpty == false, "\(change): \(status)")
  }

  @Test("nothing is promised, read or claimed, and all of it goes on when the right one is back", arguments: changesHere)
  func losses(change: Change) async throws {
    let lines = KeptLines()
    let store = try await open(lines)
    _ = try await store.grantCredits(5, to: "anna", because: "a gift", source: "early")
    let waiting = fixture.acceptance(isRequeueable: true)
    _ = try await store.accept(waiting)
    #expect(try await store.release([waiting.id]) == [waiting.id])
    #expect(await store.status().isHealthy)

    try change.make(fixture.directory)
    try await expectRefusals(by: store, change.testDescription)
    #expect(lines.faults.count == 1, "\(lines.faults)")
    #expect(lines.faults.first?.contains(path) == true)

    guard let undo = change.undo else { return await store.close() }
    try undo(fixture.directory)
    #expect(await store.status().problem == nil)
    #expect(lines.others.last == "The data directory can be written again.")
    let late = try await store.grantCredits(1, to: "anna", because: "a gift", source: "late")
    #expect(late.isNew && late.balance.available == 7)
    #expect(try await store.claimNext(for: .gemini, includingUnclaimed: true)?.id == waiting.id)
    await store.close()
    // What was promised before and after is there for the next process.
    let next = try await fixture.open()
    #expect(try await next.creditBalance(of: "anna").available == 7)
    #expect(try await next.check().findings.filter { $0.kind != .unreferencedFile } == [])
    await next.close()
  }

  @Test("a start goes on with what is there after another database was moved over the open one", .onlySQLite)
  func startAfterwards() async throws {
    let store = try await open()
    _ = try await store.grantCredits(5, to: "anna", because: "a gift", source: "early")
    try Self.changes[0].make(fixture.directory)
    try await expectRefusals(by: store, "moved over")
    await store.close()
    let next = try await fixture.open()
    #expect(try await next.creditBalance(of: "bert").available == 22)
    #expect(try await next.auditLedger() == [])
    await next.close()
  }

  static let harmlessChanges: [Change] = [
    Change(testDescription: "the database is touched", make: { utimes($0.database, nil) }),
    Change(testDescription: "a second name is made for it", make: { link($0.database, $0.path + "/second") }),
    Change(
      testDescription: "the folder of temporary files is removed",
      make: { try FileManager.default.removeItem(atPath: $0.temporary) }),
    Change(
      testDescription: "the locks are removed", make: { try FileManager.default.removeItem(atPath: $0.processes) }),
    Change(
      testDescription: "a link stands for the directory",
      make: {
        try move($0.path, $0.path + ".real")
        symlink($0.path + ".real", $0.path)
      }),
  ]

  @Test(
    "a harmless change is taken as it is, or made again",
    arguments: TestDatabase.isUsed ? harmlessChanges.suffix(3) : harmlessChanges)
  func harmless(change: Change) async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    try change.make(fixture.directory)
    _ = try await store.grantCredits(5, to: "anna", because: "a gift", source: "early")
    #expect(try await store.succeed(id, with: [1]).finished?.images.count == 1)
    #expect(await store.status().problem == nil)
    // Another process sees that this one lives.
    let other = try await fixture.open()
    #expect(await !other.isGone(store.process))
    #expect(try await other.recover().interrupted == [])
    #expect(try await store.check().findings == [])
    await other.close()
    await store.close()
  }

  @Test("the folder of the pictures is not exchanged under a result", arguments: [true, false])
  func pictures(isReplaced: Bool) async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let staged = try await store.stage([1], mimeType: "image/png")
    try Self.move(fixture.directory.artifacts, "\(path)/aside")
    if isReplaced { mkdir(fixture.directory.artifacts, 0o700) }
    #expect(await store.status().problem?.contains("moved, deleted or replaced") == true)
    let settlement = Settlement(
      id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3, credits: 0)])
    let error = await #expect(throws: AtelierError.self) { try await store.finish(settlement) }
    #expect(error?.kind == .storageUnavailable)
    await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
    if isReplaced { rmdir(fixture.directory.artifacts) }
    try Self.move("\(path)/aside", fixture.directory.artifacts)
    #expect(try await store.finish(settlement).finished?.state == .succeeded)
    #expect(await store.status().isHealthy)
    await store.close()
  }
}
