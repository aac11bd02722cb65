import AtelierProtocol
import GRDB
import Glibc
import POSIX
import Testing

@testable import Store

@Suite("A store that cannot keep anything for a while")
struct StorageFaultTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func open(_ lines: KeptLines) async throws -> Store {
    var surroundings = fixture.surroundings
    surroundings.log = { lines.add($0, $1) }
    return try await fixture.open(with: surroundings)
  }

  @Test("a store refuses after the first failed write, before anything is asked, says so once, and recovers by a trial")
  func recovers() async throws {
    let lines = KeptLines()
    let store = try await open(lines)
    let id = try await store.begin(fixture.acceptance())
    // A file where the folder of temporary files was: no right, no root, nothing to make again.
    let temporary = fixture.directory.temporary
    #expect(rename(temporary, temporary + ".old") == 0)
    try write([], to: temporary)
    let failed = await #expect(throws: AtelierError.self) { try await store.stage([1], mimeType: "image/png") }
    #expect(failed?.kind == .storageUnavailable)
    for _ in 0..<3 {
      let refused = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
      #expect(refused?.kind == .storageUnavailable && refused?.isRetryable == true)
      #expect(await store.status().problem != nil)
    }
    #expect(lines.faults.count == 1 && lines.others.isEmpty, "\(lines.faults)")
    #expect(unlink(temporary) == 0)
    // The folder is made again; nobody has to start anything.
    _ = try await store.accept(fixture.acceptance())
    #expect(lines.others == ["The data directory can be written again."])
    #expect(try await store.succeed(id, with: [1]).finished?.state == .succeeded)
    #expect(await store.status().isHealthy)
    await store.close()
  }

  @Test("damage outlasts a trial that succeeds")
  func damage() {
    let condition = StoreCondition { _, _ in }
    condition.note(StorageFault(reason: StoreError(.storageFull, "The disk is full.")))
    condition.note(StorageFault(reason: StoreError(.damagedDatabase, "The database is damaged.")))
    condition.noteSound()
    #expect(condition.fault?.reason.kind == .damagedDatabase)
  }

  @Test("trials that results contradict again and again show nothing until a result is kept, or after a pause")
  func contradicted() {
    let clock = ServerClock()
    let condition = StoreCondition(now: clock.clock.now) { _, _ in }
    let fault = StorageFault(reason: StoreError(.storageFull, "The disk is full."))
    for _ in 0..<2 {
      condition.noteSound()
      #expect(condition.isProven)
      condition.note(fault, isOfResult: true)
    }
    condition.noteSound()
    #expect(condition.fault == fault, "two results have failed after trials that had succeeded")
    clock.clock.pause(.seconds(60))
    condition.noteSound()
    #expect(condition.fault == nil && condition.isProven)
    condition.note(fault, isOfResult: true)
    condition.noteKept()
    condition.noteSound()
    #expect(condition.fault == nil)
    // What fails while a trial runs is not known to be over.
    let count = condition.failed.count
    condition.note(fault)
    condition.noteSound(since: count)
    #expect(condition.fault == fault)
  }

  @Test("folders that their owner may not write into are told by a check, though the folder above is open")
  func closedFolders() async throws {
    let store = try await open(KeptLines())
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
    let folder = try #require(try FileSystem.names(in: fixture.directory.artifacts).first { $0.utf8.count == 2 })
    let path = "\(fixture.directory.artifacts)/\(folder)"
    #expect(chmod(path, 0o500) == 0)
    #expect(try await store.check().findings.contains { $0.kind == .unwritable && $0.sentence.contains(path) })
    #expect(chmod(path, 0o700) == 0)
    #expect(try await store.check().findings.isEmpty)
    await store.close()
  }

  @Test("a trial writes where the write failed, and finds as much room as was missing")
  func trialIsTheSame() async throws {
    let store = try await open(KeptLines())
    let id = try await store.begin(fixture.acceptance())
    let staged = try await store.stage([1], mimeType: "image/png")
    let folder = fixture.directory.firstFolder(ofArtifact: staged.artifact.name)
    try write([], to: folder)
    let settlement = Settlement(
      id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3, credits: 0)])
    let error = await #expect(throws: AtelierError.self) { try await store.finish(settlement) }
    #expect(error?.kind == .storageUnavailable)
    #expect(unlink(folder) == 0)
    #expect(try await store.finish(settlement).finished?.state == .succeeded)
    try await store.checkReady()
    #expect(store.condition.fault == nil)
    await store.close()
  }

  @Test("room for as much as was missing is what a trial needs", .enabled(if: Mount.isPermitted, "no mounting here"))
  func room() async throws {
    let mount = try #require(try Mount(bytes: 4_194_304))
    let store = try await fixture.open(DataDirectory(path: "\(mount.path)/data"))
    let big = [UInt8](repeating: 7, count: 4_200_000)
    let error = await #expect(throws: AtelierError.self) { try await store.stage(big, mimeType: "image/png") }
    #expect(error?.kind == .storageFull)
    // There is room for a row and for a small picture, but not for one like the last.
    let refused = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
    #expect(refused?.kind == .storageFull)
    await store.close()
  }

  @Test("damage is told with SQLite's number, whether SQLite or the store has found it", .onlySQLite)
  func damageOnTheWire() async throws {
    let store = try await fixture.open()
    for error in [DatabaseError(resultCode: .SQLITE_CORRUPT), SQLFault.damaged("a row is not there")] as [any Error] {
      let told = store.atelierError(error)
      #expect(told.kind == .internal && told.details["sqlite"] == 11)
    }
    await store.close()
  }

  @Test("damage is not taken for mended because something can be written")
  func damageLasts() async throws {
    let store = try await open(KeptLines())
    store.noteFault(in: SQLFault.damaged("a row is not there"))
    for _ in 0..<2 {
      let error = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
      #expect(error?.kind == .internal && error?.forOperators.contains("damaged") == true)
    }
    store.noteFault(in: FileFailure(operation: "write to", path: "\(fixture.directory.path)/x", code: EIO))
    #expect(store.condition.fault?.reason.kind == .damagedDatabase)
    #expect(await store.status().problem?.contains("damaged") == true)
    await store.close()
  }

  @Test("callers that come together share one trial")
  func together() async throws {
    let condition = StoreCondition { _, _ in }
    let trials = KeptLines()
    let (gate, opened) = AsyncStream<Never>.makeStream()
    let results = await withTaskGroup(of: StorageFault?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await condition.share {
            trials.add(true, "begun")
            for await _ in gate {}
            return StorageFault(reason: StoreError(.failed, "x"))
          }
        }
      }
      // All have asked once the first can only wait for the gate.
      while trials.faults.isEmpty { await Task.yield() }
      for _ in 0..<1_000 { await Task.yield() }
      opened.finish()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 8 && results.allSatisfy { $0 != nil })
    #expect(trials.faults.count < 8)
  }

  @Test("every code of SQLite is either of the statement or of the machine; an unknown one is of the machine", .onlySQLite)
  func codes() async throws {
    let engine = try await fixture.open().engine
    let ofTheStatement: Set<Int32> = [1, 2, 4, 9, 17, 18, 19, 20, 21, 24, 25]
    for code in Int32(1)...60 {
      let error = DatabaseError(resultCode: ResultCode(rawValue: code))
      #expect(error.isOfTheStatement == ofTheStatement.contains(code), "\(code)")
      #expect((fixture.directory.unusable(error) == nil) == ofTheStatement.contains(code), "\(code)")
      let isFault = StorageFault(error, in: fixture.directory, engine: engine) != nil
      // 5 and 6: another process writes.
      #expect(isFault == (!ofTheStatement.contains(code) && ![5, 6].contains(code)), "\(code)")
    }
    for code in Int32(1)...133 {
      let failure = FileFailure(operation: "write to", path: "/x", code: code)
      let fault = StorageFault(failure, in: fixture.directory, engine: engine)
      #expect([.storageFull, .storageUnavailable, .overloaded].contains(fault?.reason.atelierError.kind), "\(code)")
    }
    #expect(StorageFault(AtelierError(.notFound), in: fixture.directory, engine: engine) == nil)
  }
}
