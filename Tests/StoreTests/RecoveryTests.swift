import AtelierProtocol
import Glibc
import POSIX
import StatementCounting
import Support
import Testing

@testable import Store

@Suite("Recovery after a process died", .timeLimit(.minutes(5)))
struct RecoveryTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("a generation that the dead had sent is interrupted; one that anybody may run is queued; the rest is left alone")
  func recovers() async throws {
    let survivor = try await fixture.open()
    let own = try await survivor.begin(fixture.acceptance())
    let (running, queued, adoptable, ended) = try await fixture.dying { store in
      let running = try await store.begin(fixture.acceptance(isRequeueable: true))
      #expect(try await store.noteSending(running) == .goOn)
      let queued = try await store.accept(fixture.acceptance()).row.id
      var adoptable: [GenerationID] = []
      for _ in 0..<3 {
        fixture.clock.advance(by: 1)
        adoptable.append(try await store.accept(fixture.acceptance(isRequeueable: true)).row.id)
      }
      let ended = try await store.begin(fixture.acceptance())
      try await store.succeed(ended, with: [1])
      return (running, queued, adoptable, ended)
    }
    let before = try await survivor.generation(ended, account: nil)
    let recovery = try await survivor.recover()
    #expect(Set(recovery.interrupted.map(\.id)) == [running, queued])
    #expect(recovery.interrupted.allSatisfy { $0.state == .interrupted && $0.error?.kind == .interrupted })
    #expect(recovery.interrupted.allSatisfy { $0.finished == fixture.clock.now })
    #expect(recovery.requeued == adoptable.count)
    for id in adoptable {
      let row = try await survivor.generation(id, account: nil)
      #expect(row?.state == .queued && row?.process == .nobody)
    }
    #expect(try await survivor.waitingLines(of: nil).map(\.count) == [3])
    #expect(try await survivor.queuePosition(of: adoptable[2]) == 3)
    #expect(try await survivor.generation(ended, account: nil) == before)
    #expect(try await survivor.generation(own, account: nil)?.state == .running)
    #expect(try await survivor.claimAll() == adoptable)
    #expect(try await survivor.queueState().isEmpty)
    #expect(try await survivor.succeed(adoptable[0], with: [2]).finished?.state == .succeeded)
    let again = try await survivor.recover()
    #expect(again == Recovery())
    #expect(fixture.temporary.files(below: "data/processes").count == 2)
    #expect(try await survivor.sweep() == 0)
    #expect(fixture.temporary.files(below: "data/processes") == ["\(survivor.process.rawValue).lock"])
  }

  /// What a generation was when its process died.
  struct Dead: Sendable {
    var isRequeueable = true
    var isBegun = true
    var isSent = false
    /// Put back afterwards, as its provider has provably done nothing.
    var isReleased = false
    var becomes: GenerationState
  }

  @Test("a generation whose process died is begun again exactly where nothing can have been sent for it", arguments: [
    Dead(becomes: .queued), Dead(isBegun: false, becomes: .queued), Dead(isSent: true, becomes: .interrupted),
    Dead(isSent: true, isReleased: true, becomes: .queued), Dead(isRequeueable: false, becomes: .interrupted),
    Dead(isRequeueable: false, isBegun: false, becomes: .interrupted),
    Dead(isRequeueable: false, isSent: true, becomes: .interrupted),
  ])
  func unsent(dead: Dead) async throws {
    let survivor = try await fixture.open()
    var acceptance = fixture.acceptance(isRequeueable: dead.isRequeueable)
    // Its work begins with its acceptance, or it waits for a slot.
    acceptance.begins = dead.isBegun
    let id = try await fixture.dying { [acceptance] store in
      let row = try await store.accept(acceptance).row
      #expect(row.state == (dead.isBegun ? .running : .queued))
      if dead.isSent {
        let noted = try await store.noteSending(row.id)
        #expect(noted == .goOn)
      }
      if dead.isReleased {
        let released = try await store.release([row.id])
        #expect(released == [row.id])
      }
      return row.id
    }
    _ = try await survivor.recover()
    let row = try #require(try await survivor.generation(id, account: nil))
    #expect(row.state == dead.becomes)
    if row.state == .queued {
      #expect(row.process == .nobody && row.phase == .queued && row.started == nil)
      #expect(try await survivor.claimAll() == [id])
    }
  }

  @Test("a generation that waits for its provider again is unsent again")
  func parked() async throws {
    let survivor = try await fixture.open()
    let id = try await fixture.dying { store in
      let id = try await store.begin(fixture.acceptance(isRequeueable: true))
      #expect(try await store.noteSending(id) == .goOn)
      let place = QueueEntry(
        provider: .gemini, deadline: Timestamp(milliseconds: fixture.clock.now.milliseconds + 60_000), attempts: 0,
        request: [:], inputs: [], message: "Waiting…")
      #expect(try await store.park(id, at: place, outage: nil) != nil)
      #expect(try await store.claimAll() == [id])
      return id
    }
    #expect(try await survivor.recover().requeued == 1)
    #expect(try await survivor.generation(id, account: nil)?.state == .queued)
  }

  @Test("nothing is sent for a generation that another process has ended, taken or deleted")
  func sendingTooLate() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let cancelled = try await store.begin(fixture.acceptance())
    _ = try await other.cancel(cancelled, account: nil)
    #expect(try await store.noteSending(cancelled) == .ended(.cancelled))
    #expect(try await store.noteSending("gen_none") == .ended(nil))
    let taken = try await store.begin(fixture.acceptance(isRequeueable: true))
    #expect(try await store.release([taken]) == [taken])
    #expect(try await other.claimAll() == [taken])
    #expect(try await store.noteSending(taken) == .ended(.running))
  }

  @Test("a generation during which process after process dies is not begun for ever")
  func poison() async throws {
    var acceptance = fixture.acceptance(isRequeueable: true)
    acceptance.begins = true
    let id = acceptance.id
    try await fixture.dying { [acceptance] in _ = try await $0.accept(acceptance) }
    for _ in 0..<3 {
      let (requeued, claimed) = try await fixture.dying { store in
        (try await store.recover().requeued, try await store.claimAll())
      }
      #expect(requeued == 1 && claimed == [id])
    }
    let survivor = try await fixture.open()
    #expect(try await survivor.recover().interrupted.map(\.id) == [id])
  }

  @Test("a recovery of many that were queued takes a few statements, however many there are")
  func bounded() async throws {
    let many = TestDatabase.isUsed ? 3_000 : 10_000
    _ = try await fixture.dying { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<many { group.addTask { _ = try await store.accept(fixture.acceptance(isRequeueable: true)) } }
        try await group.waitForAll()
      }
    }
    let survivor = try await fixture.open()
    let counter = StatementCounter()
    counter.attach(to: survivor)
    #expect(try await survivor.recover().requeued == many)
    // Choosing, moving and queueing for each thousand, and a few looks.
    #expect(counter.statements.count <= 10 + 6 * (many / 1_000 + 1), "\(counter.statements)")
    #expect(try await survivor.waitingLines(of: nil).map(\.count) == [many])
  }

  @Test("the living are never touched")
  func living() async throws {
    let one = try await fixture.open()
    let two = try await fixture.open()
    let id = try await one.begin(fixture.acceptance())
    let queued = try await one.accept(fixture.acceptance(isRequeueable: true)).row.id
    let staged = try await one.stage([1], mimeType: "image/png")
    for _ in 0..<3 {
      #expect(try await two.recover() == Recovery())
      #expect(try await two.sweep() == 0)
    }
    #expect(FileStatus.exists(staged.temporaryPath))
    #expect(try await one.start(queued) == .goOn)
    #expect(try await one.succeed(id, with: [1]).finished != nil)
  }

  @Test("a generation that an orderly end left queued is begun by the next process")
  func orderlyEnd() async throws {
    let first = try await fixture.open()
    let id = try await first.accept(fixture.acceptance(isRequeueable: true)).row.id
    await first.close()
    #expect(fixture.temporary.files(below: "data/processes").isEmpty)
    let second = try await fixture.open()
    #expect(try await second.recover().requeued == 1)
    #expect(try await second.claimAll() == [id])
  }

  @Test("temporary files of the dead are removed")
  func temporaryFiles() async throws {
    let path = try await fixture.dying { try await $0.stage([1, 2], mimeType: "image/png").temporaryPath }
    let survivor = try await fixture.open()
    let mine = try await survivor.stage([3], mimeType: "image/png")
    #expect(FileStatus.exists(path))
    _ = try await survivor.recoverAndSweep()
    #expect(!FileStatus.exists(path))
    #expect(FileStatus.exists(mine.temporaryPath))
    #expect(try FileSystem.names(in: fixture.directory.temporary) == [survivor.process.rawValue])
  }

  @Test("a file that was named but not recorded when its process died is removed, one that was recorded stays")
  func fileWithoutRow() async throws {
    let (lost, kept) = try await fixture.dying { store in
      let kept = try await store.begin(fixture.acceptance())
      let row = try #require(try await store.succeed(kept, with: [1]).finished)
      // Killed between naming the file and committing the row.
      let lost = try await store.stage([2, 2], mimeType: "image/png")
      #expect(try store.nameWithoutRow(lost))
      return (lost, try #require(row.images.first?.artifact))
    }
    let survivor = try await fixture.open()
    let before = try await survivor.check()
    #expect(before.findings.map(\.kind) == [.unreferencedFile])
    #expect(before.isSound)
    #expect(try await survivor.recoverAndSweep().sweptFiles == 1)
    #expect(!FileStatus.exists(lost.artifact.file))
    #expect(try await survivor.read(kept) == [1])
    #expect(try await survivor.check().findings.isEmpty)
  }

  @Test("files whose rows were deleted when the process died are removed")
  func deletionCutShort() async throws {
    let artifact = try await fixture.dying { store in
      let id = try await store.begin(fixture.acceptance())
      let row = try #require(try await store.succeed(id, with: [1]).finished)
      let artifact = try #require(row.images.first?.artifact)
      // Killed between deleting the rows and removing the file.
      try await store.write { session in
        try session.run("DELETE FROM generation")
        _ = try store.forgetUnreferenced([artifact.name], in: session)
      }
      return artifact
    }
    let survivor = try await fixture.open()
    #expect(FileStatus.exists(artifact.file))
    #expect(try await survivor.recoverAndSweep().sweptFiles == 1)
    #expect(!FileStatus.exists(artifact.file))
  }

  @Test("a process that dies while it starts or recovers leaves nothing the next one does not recover")
  func diesWhileRecovering() async throws {
    let id = try await fixture.dying { try await $0.begin(fixture.acceptance()) }
    try write([], to: "\(fixture.directory.processes)/proc_x.starting")
    try await fixture.dying { store in
      // Killed after it took the dead one's lock: the kernel gave it back.
      let lock = try FileLock(path: "\(fixture.directory.processes)/proc_x.starting", creating: false)
      #expect(lock != nil)
    }
    let survivor = try await fixture.open()
    #expect(try await survivor.recoverAndSweep().interrupted.map(\.id) == [id])
    #expect(fixture.temporary.files(below: "data/processes") == ["\(survivor.process.rawValue).lock"])
  }

  @Test("a recovered generation stays recovered although the sweep fails, and the next one goes on")
  func failsHalfway() async throws {
    let id = try await fixture.dying { store in
      let staged = try await store.stage([2, 2], mimeType: "image/png")
      #expect(try store.nameWithoutRow(staged))
      return try await store.accept(fixture.acceptance(isRequeueable: true)).row.id
    }
    let survivor = try await fixture.open()
    // A file where the artifacts should be cannot be listed.
    let elsewhere = "\(fixture.temporary.path)/elsewhere"
    #expect(rename(fixture.directory.artifacts, elsewhere) == 0)
    try write([], to: fixture.directory.artifacts)
    #expect(try await survivor.recover().requeued == 1)
    await #expect(throws: AtelierError.self) { try await survivor.sweep() }
    await #expect(throws: AtelierError.self) { try await survivor.sweep() }
    #expect(unlink(fixture.directory.artifacts) == 0)
    #expect(rename(elsewhere, fixture.directory.artifacts) == 0)
    #expect(try await survivor.sweep() == 1)
    #expect(try await survivor.claimAll() == [id])
    #expect(fixture.temporary.files(below: "data/processes") == ["\(survivor.process.rawValue).lock"])
  }

  @Test("generations are recovered although somebody emptied the folder of locks")
  func locksGone() async throws {
    let id = try await fixture.dying { try await $0.begin(fixture.acceptance()) }
    for name in try FileSystem.names(in: fixture.directory.processes) {
      try FileSystem.remove("\(fixture.directory.processes)/\(name)")
    }
    let survivor = try await fixture.open()
    #expect(try await survivor.recoverAndSweep().interrupted.map(\.id) == [id])
  }

  @Test("the names in the folders that are not ours are not followed")
  func strangeNames() async throws {
    _ = try await fixture.dying { try await $0.begin(fixture.acceptance()) }
    try write([1], to: "\(fixture.temporary.path)/precious")
    try write([], to: "\(fixture.directory.processes)/...lock")
    try write([], to: "\(fixture.directory.processes)/a b.lock")
    #expect(symlink("\(fixture.temporary.path)/precious", "\(fixture.directory.processes)/link.lock") == 0)
    #expect(mkdir("\(fixture.directory.processes)/folder.lock", 0o700) == 0)
    try write([], to: "\(fixture.directory.temporary)/own_file")
    #expect(mkdir("\(fixture.directory.temporary)/own_folder", 0o700) == 0)
    #expect(mkdir("\(fixture.directory.temporary)/own_folder/deeper", 0o700) == 0)
    let survivor = try await fixture.open()
    #expect(try await survivor.recoverAndSweep().interrupted.count == 1)
    #expect(try await survivor.recoverAndSweep().interrupted.isEmpty)
    #expect(try contents(of: "\(fixture.temporary.path)/precious") == [1])
  }

  @Test("each generation is recovered by one of several processes that recover at once", arguments: 0..<6 as Range<UInt64>)
  func race(seed: UInt64) async throws {
    let fixture = try StoreFixture(seed: seed)
    var ids: Set<GenerationID> = []
    for _ in 0..<3 {
      ids.formUnion(
        try await fixture.dying { store in
          let queued = try await store.accept(fixture.acceptance(isRequeueable: true)).row.id
          return [queued, try await store.begin(fixture.acceptance())]
        })
    }
    let survivors = [try await fixture.open(), try await fixture.open(), try await fixture.open()]
    let recovered = try await withThrowingTaskGroup(of: [GenerationID].self) { group in
      for survivor in survivors {
        group.addTask { try await survivor.recover().interrupted.map(\.id) + survivor.claimAll() }
      }
      var ids = try await group.reduce(into: [GenerationID]()) { $0 += $1 }
      // What one has put into the queue may come after another has looked into it.
      ids += try await survivors[0].claimAll()
      return ids
    }
    #expect(recovered.count == ids.count, "seed \(seed)")
    #expect(Set(recovered) == ids, "seed \(seed)")
  }

  @Test(
    "no file is without row and no row without file in the end, whatever happens",
    arguments: 0..<10 as Range<UInt64>)
  func anything(seed: UInt64) async throws {
    let fixture = try StoreFixture(seed: seed)
    var random = SplitMix64(seed: seed &+ 77)
    var stores = [try await fixture.open(), try await fixture.open()]
    var open: [(store: Int, id: GenerationID)] = []
    var dead: [ProcessID] = []
    for step in 0..<70 {
      let index = Int.random(in: stores.indices, using: &random)
      let store = stores[index]
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2: open.append((index, try await store.begin(fixture.acceptance(isRequeueable: true))))
      case 3, 4, 5:
        guard let place = open.indices.randomElement(using: &random) else { continue }
        let (process, id) = open.remove(at: place)
        // Few contents, so that results share files.
        _ = try await stores[process].succeed(id, with: [UInt8.random(in: 0..<4, using: &random)])
      case 6: _ = try await store.stage([UInt8(step)], mimeType: "image/png")
      case 7:
        let page = try await store.history(HistoryFilter(state: .succeeded), limit: 100)
        guard let victim = page.entries.randomElement(using: &random) else { continue }
        _ = try await store.delete(.one(victim.id, account: nil))
      case 8: _ = try await store.recoverAndSweep()
      default:
        // This one dies; perhaps with a file just named.
        dead.append(store.process)
        if Bool.random(using: &random) {
          let staged = try await store.stage([UInt8.random(in: 0..<6, using: &random)], mimeType: "image/png")
          _ = try store.nameWithoutRow(staged)
        }
        stores[index] = try await fixture.open()
        open.removeAll { $0.store == index }
      }
      #expect(try await store.check().isSound, "seed \(seed), step \(step)")
    }
    let last = try await fixture.open()
    for store in stores { await store.close() }
    stores = []
    for process in dead { try await fixture.isDead(process) }
    _ = try await last.recoverAndSweep()
    let report = try await last.check()
    #expect(report.findings.isEmpty, "seed \(seed): \(report.findings)")
    #expect(try await last.running(account: nil).allSatisfy { $0.process == .nobody }, "seed \(seed)")
  }
}
