import AtelierProtocol
import Foundation
import Glibc
import POSIX
import Support
import Synchronization
import Testing

@testable import Store

@Suite("A delete and a put of equal bytes", .timeLimit(.minutes(20)))
struct FileRaceTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func open(
    random: (@Sendable () -> UInt64)? = nil, reached: @escaping @Sendable (FileStep) -> Void
  ) async throws -> Store {
    var surroundings = fixture.surroundings
    surroundings.reached = reached
    if let random { surroundings.random = random }
    return try await fixture.open(with: surroundings)
  }

  private func keep(_ bytes: [UInt8], of account: AccountID, in store: Store) async throws -> PreparedInput {
    let staged = try await store.stage(bytes, mimeType: "image/png")
    return try await store.keepPrepared(
      PreparedKeeping(
        id: PreparedID(rawValue: "prep_\(fixture.next())"), account: account, artifact: staged, width: 1, height: 1))
  }

  // MARK: Each moment

  @Test("a file that was put and not yet recorded outlasts the deletion of equal bytes")
  func pending() async throws {
    let deleter = try await fixture.open()
    let old = try await deleter.begin(fixture.acceptance())
    try await deleter.succeed(old, with: [1])
    let isDeleted = Mutex(false)
    let putter = try await open { step in
      guard step == .synced else { return }
      Blocking.run {
        let summary = try? await deleter.delete(.one(old, account: nil))
        isDeleted.withLock { $0 = summary?.deleted == 1 }
      }
    }
    let row = try await putter.succeed(try await putter.begin(fixture.acceptance()), with: [1]).finished
    #expect(isDeleted.withLock { $0 })
    #expect(try await deleter.read(try #require(row?.images.first?.artifact)) == [1])
    #expect(try await deleter.check().findings.isEmpty)
  }

  @Test("a put waits while equal bytes are being removed, and then puts them again")
  func locked() async throws {
    let (isWaiting, isNamed, isAsked) = (Flag(), Flag(), Flag())
    // A put asks for the length of a wait when somebody else has the lock.
    let putter = try await open(random: { isWaiting.set(); return 0 }) { step in if step == .named { isNamed.set() } }
    let next = try await putter.begin(fixture.acceptance())
    let deleter = try await open { step in
      guard step == .foundUnreferenced else { return }
      isWaiting.clear()
      isAsked.set()
      while !isWaiting.isSet, !isNamed.isSet { sched_yield() }
    }
    let old = try await deleter.begin(fixture.acceptance())
    try await deleter.succeed(old, with: [1])
    async let deletion = deleter.delete(.one(old, account: nil))
    while !isAsked.isSet { await Task.yield() }
    let row = try await putter.succeed(next, with: [1]).finished
    #expect(try await deletion.deleted == 1)
    #expect(try await putter.read(try #require(row?.images.first?.artifact)) == [1])
    #expect(try await putter.check().findings.isEmpty)
  }

  @Test("bytes whose last row was deleted while they were put again are removed if no row comes to refer to them")
  func cameToNothing() async throws {
    let deleter = try await fixture.open()
    let old = try await deleter.begin(fixture.acceptance())
    let artifact = try #require(try await deleter.succeed(old, with: [1]).finished?.images.first?.artifact)
    let next = try await deleter.begin(fixture.acceptance())
    let putter = try await open { step in
      guard step == .synced else { return }
      // Another process also ends the generation that the bytes are for.
      Blocking.run {
        _ = try? await deleter.delete(.one(old, account: nil))
        _ = try? await deleter.cancel(next, account: nil)
      }
      #expect(FileStatus.exists(artifact.file))
    }
    #expect(try await putter.succeed(next, with: [1]).finished == nil)
    #expect(!FileStatus.exists(artifact.file))
    #expect(try await deleter.check().findings.isEmpty)
  }

  @Test("bytes that were put for a request that is refused are removed when they are discarded, or at the end")
  func refused() async throws {
    let store = try await fixture.open()
    var paths: [String] = []
    for number in 0..<2 as Range<UInt8> {
      let staged = try await store.stage([number], mimeType: "image/png")
      var acceptance = fixture.acceptance("anna", metering: Metering(credits: 1_000, limits: []))
      acceptance.inputs = [
        PreparedKeeping(
          id: PreparedID(rawValue: "prep_\(number)"), account: "anna", artifact: staged, width: 1, height: 1)
      ]
      let request = acceptance
      let error = await #expect(throws: AtelierError.self) { try await store.accept(request) }
      #expect(error?.kind == .insufficientCredits)
      for path in [staged.artifact.file, staged.temporaryPath] { #expect(FileStatus.exists(path)) }
      #expect(try await store.check().findings.isEmpty)
      if number == 0 { await store.discard(staged) }
      paths.append(staged.artifact.file)
    }
    #expect(paths.map(FileStatus.exists) == [false, true])
    await store.close()
    #expect(paths.map(FileStatus.exists) == [false, false])
    #expect(fixture.temporary.files(below: "data/processes").isEmpty)
  }

  @Test("a staged file of a dead process keeps nobody from removing equal bytes")
  func deadNote() async throws {
    let survivor = try await fixture.open()
    let old = try await survivor.begin(fixture.acceptance())
    let artifact = try #require(try await survivor.succeed(old, with: [1]).finished?.images.first?.artifact)
    let staged = try await fixture.dying { try await $0.stage([1], mimeType: "image/png") }
    _ = try await survivor.delete(.one(old, account: nil))
    #expect(!FileStatus.exists(artifact.file))
    #expect(FileStatus.exists(staged.temporaryPath))
    _ = try await survivor.recoverAndSweep()
    #expect(!FileStatus.exists(staged.temporaryPath))
  }

  @Test("a file whose note somebody has removed is not relied on")
  func noteGone() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
    let staged = try await store.stage([1], mimeType: "image/png")
    #expect(unlink(staged.temporaryPath) == 0)
    #expect(await store.hasLost(.staged(staged)))
    await #expect(throws: AtelierError.self) {
      try await store.finish(
        Settlement(
          id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3)]))
    }
    #expect(try await store.generation(id, account: nil)?.state == .running)
  }

  @Test("a file system without hard links gets a copy, and the note stays")
  func copied() async throws {
    let store = try await fixture.open()
    let staged = try await store.stage([1, 2], mimeType: "image/png")
    let path = "\(fixture.directory.artifacts)/copy"
    try store.folder.copy(staged, to: path)
    #expect(try contents(of: path) == [1, 2])
    #expect(try store.folder.pendingNames() == [staged.artifact.name])
    #expect(try FileSystem.names(in: store.directory.temporary(of: store.process)).count == 1)
  }

  // MARK: All of them

  private static let rounds = ProcessInfo.processInfo.environment["ATELIER_PROOFS"] == nil ? 200 : 10_000

  /// Stretches moments at random, so that the other process may come in between.
  private static func delays(seed: UInt64) -> @Sendable (FileStep) -> Void {
    let random = Mutex(SplitMix64(seed: seed))
    return { step in
      let draw = random.withLock { $0.next() }
      if draw & 1 == 0 { usleep(UInt32(draw >> 32) % (step == .foundUnreferenced ? 8_000 : 1_000)) }
    }
  }

  @Test("no row is without its file, and no file without a row, whoever puts and deletes equal bytes", arguments: [1, 2])
  func race(seed: UInt64) async throws {
    let stores = [try await open(reached: Self.delays(seed: seed)), try await open(reached: Self.delays(seed: ~seed))]
    var random = SplitMix64(seed: seed)
    var account: AccountID = "0"
    _ = try await keep([7], of: account, in: stores[0])
    for round in 1...Self.rounds / 2 {
      let (deleter, putter) = random.next() & 1 == 0 ? (stores[0], stores[1]) : (stores[1], stores[0])
      let (old, next) = (account, AccountID(rawValue: "\(round)"))
      let discards = random.next() & 3 == 0
      async let bytesFreed = deleter.erasePrepared(of: old)
      async let discarded: Void = {
        if discards { await deleter.discard(try await deleter.stage([7], mimeType: "image/png")) }
      }()
      usleep(UInt32(random.next() >> 32) % 4_000)
      let kept = try await keep([7], of: next, in: putter)
      _ = try await (bytesFreed, discarded)
      let bytes = try? await deleter.read(kept.artifact)
      try #require(bytes == [7], "seed \(seed), round \(round): a row is without its file")
      account = next
    }
    _ = try await stores[0].erasePrepared(of: account)
    #expect(fixture.temporary.files(below: "data/artifacts") == [], "seed \(seed)")
    for store in stores { await store.close() }
  }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
  func clear() { value.store(false, ordering: .releasing) }
}
