import AtelierProtocol
import Imaging
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("Cancelling", .timeLimit(.minutes(3)))
struct CancelTests {
  /// How a generation can be cancelled.
  enum Way: CaseIterable, Sendable {
    case generationID, idempotencyKey, callingTask
  }

  /// Where a generation stands when it is cancelled.
  enum Moment: CaseIterable, Sendable {
    case queued, preparing, processing, saving
  }

  /// A generation held at a moment.
  struct Held {
    let fixture: ServiceFixture
    let engine: TestEngine
    let task: Task<Generation, any Error>
    let id: GenerationID
    /// What holds the generation before it in the queue, if there is one.
    var before: Gate?
    /// What holds it while it is saved.
    var disk: HeldDisk?
  }

  private static let key = "the key"

  private func hold(at moment: Moment) async throws -> Held {
    let fixture = try ServiceFixture()
    switch moment {
    case .queued:
      let gate = Gate()
      let engine = try fixture.engine([ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate)])
      _ = engine.generate(.picture("the first"))
      await gate.hasSeen()
      let task = engine.generate(.picture(key: Self.key))
      await engine.announcements.reach(.queued, of: "gen_2")
      return Held(fixture: fixture, engine: engine, task: task, id: "gen_2", before: gate)
    case .preparing:
      let engine = try fixture.engine([ScriptedProvider()], worker: try MuteWorker(in: fixture.temporary).worker)
      let task = engine.generate(
        Generate(
          recipe: .headshot, image: .path(Fixture.path("images/orientation-6.jpg")), style: Style(),
          idempotencyKey: Self.key))
      await engine.announcements.reach(.preparing)
      return Held(fixture: fixture, engine: engine, task: task, id: "gen_1")
    case .processing:
      let gate = Gate()
      let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
      let task = engine.generate(.picture(key: Self.key))
      await gate.hasSeen()
      return Held(fixture: fixture, engine: engine, task: task, id: "gen_1")
    case .saving:
      // The disk is looked at before the provider is asked, so it stops answering afterwards.
      let gate = Gate()
      let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
      let task = engine.generate(.picture(key: Self.key))
      await gate.hasSeen()
      let disk = await HeldDisk(of: try await engine.engine.lazyStore.store())
      gate.open()
      await engine.announcements.reach(.saving)
      return Held(fixture: fixture, engine: engine, task: task, id: "gen_1", disk: disk)
    }
  }

  @Test("a cancel leaves a detached request that is still being accepted to the next process when all is abandoned")
  func abandonedWhileAccepted() async throws {
    let fixture = try ServiceFixture()
    let opening = Gate()
    let provider = ScriptedProvider()
    let engine = try fixture.engine([provider], opening: opening)
    let task = engine.generate(.picture(detach: true))
    await opening.hasSeen()
    engine.generations.willAbandon()
    // As the connection does, which cancels every request in flight.
    task.cancel()
    let abandoning = Task { await engine.generations.abandon() }
    opening.open()
    #expect(try await task.value.state == .queued)
    await abandoning.value
    await engine.leave()
    #expect(provider.requests.isEmpty)
    let next = try fixture.engine([provider])
    #expect(try await next.status("gen_1")?.state == .queued)
    await next.leave()
  }

  private func cancel(_ held: Held, _ way: Way) async throws {
    switch way {
    case .generationID: #expect(try await held.engine.cancel(held.id).state == .cancelled)
    case .idempotencyKey:
      let answer = try await held.engine.generations.cancel(
        Cancel(target: .idempotencyKey(Self.key)), for: Caller())
      #expect(answer.generationId == held.id)
      #expect(answer.state == .cancelled)
    case .callingTask: held.task.cancel()
    }
  }

  @Test("a cancel ends a generation wherever it stands, however it is asked", arguments: Moment.allCases, Way.allCases)
  func ends(moment: Moment, way: Way) async throws {
    let held = try await hold(at: moment)
    try await cancel(held, way)
    let result = try #require(try await held.task.value.result)
    #expect(result.state == .cancelled)
    #expect(result.generationId == held.id)
    #expect(result.images.isEmpty)
    #expect(result.credits == Credits(balanceAfter: nil))

    // Again, and again: the same answer.
    #expect(try await held.engine.cancel(held.id).state == .cancelled)
    #expect(try await held.engine.cancel(held.id).state == .cancelled)
    // Nobody who cancels waits for the disk; who looks at history does.
    await held.disk?.release()
    let entry = try #require(try await held.engine.entry(held.id))
    #expect(entry.state == .cancelled)
    #expect(entry.images.isEmpty)
    #expect(entry.thumbnail == nil)
    held.before?.open()
    await held.engine.leave()
    let pictures = moment == .queued ? 2 : 0
    #expect(held.fixture.temporary.files(below: "data/artifacts").count == pictures)
  }

  @Test("a cancel leaves no file behind, not even until the process ends", arguments: Moment.allCases)
  func leavesNoFile(moment: Moment) async throws {
    let held = try await hold(at: moment)
    try await cancel(held, .generationID)
    _ = try await held.task.value
    await held.disk?.release()
    // The work itself may take a moment longer than the answer.
    try await until { held.fixture.temporary.files(below: "data/temporary").isEmpty }
    held.before?.open()
    await held.engine.leave()
  }

  @Test("a cancel before the request is accepted is remembered until it is", arguments: [Way.idempotencyKey, .callingTask])
  func beforeAcceptance(way: Way) async throws {
    let fixture = try ServiceFixture()
    let provider = ScriptedProvider(waitingAt: Gate())
    let engine = try fixture.engine([provider])
    _ = try await engine.engine.lazyStore.store()
    let lock = try await WriteLock(fixture.directory)
    let task = engine.generate(.picture(key: Self.key))
    try await until { await engine.generations.knows("gen_1") }
    let cancelling = Task {
      if way == .callingTask { return task.cancel() }
      _ = try await engine.generations.cancel(Cancel(target: .idempotencyKey(Self.key)), for: Caller())
    }
    if way == .idempotencyKey { try await until { engine.generations.arrivingKeys.lookupCount(of: Self.key) == 1 } }
    try await lock.release()
    try await cancelling.value
    #expect(try await task.value.result?.state == .cancelled)
    #expect(try await engine.row("gen_1")?.state == .cancelled)
    #expect(provider.requests.isEmpty)
    await engine.leave()
  }

  @Test("a cancel while the end is being written comes too late, for everybody", arguments: Way.allCases)
  func duringTheLastTransaction(way: Way) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(.picture(key: Self.key))
    await gate.hasSeen()
    let lock = try await WriteLock(fixture.directory)
    gate.open()
    try await until { await engine.generations.isSettling("gen_1") }
    let cancelling = Task {
      switch way {
      case .generationID: _ = try await engine.cancel("gen_1")
      case .idempotencyKey:
        _ = try await engine.generations.cancel(Cancel(target: .idempotencyKey(Self.key)), for: Caller())
      case .callingTask: task.cancel()
      }
    }
    try await lock.release()
    #expect(try await task.value.result?.state == .succeeded)
    if way == .callingTask {
      try await cancelling.value
    } else {
      let error = await #expect(throws: AtelierError.self) { try await cancelling.value }
      #expect(error?.kind == .alreadyFinished)
      #expect(error?.details["state"] == "succeeded")
    }
    #expect(try await engine.row("gen_1")?.images.count == 1)
    await engine.leave()
  }

  @Test("a cancel after success is refused with the state")
  func afterSuccess() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(key: Self.key), for: Caller())
    for target in [GenerationTarget.id("gen_1"), .idempotencyKey(Self.key)] {
      let error = await #expect(throws: AtelierError.self) {
        try await engine.generations.cancel(Cancel(target: target), for: Caller())
      }
      #expect(error?.kind == .alreadyFinished)
      #expect(error?.generationId == "gen_1")
      #expect(error?.details["state"] == "succeeded")
    }
    await engine.leave()
  }

  @Test("a cancel of what is unknown is refused", arguments: [GenerationTarget.id("gen_nobody"), .idempotencyKey("nothing")])
  func unknown(target: GenerationTarget) async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.cancel(Cancel(target: target), for: Caller())
    }
    #expect(error?.kind == .notFound)
    await engine.leave()
  }

  @Test("another account's generation is not found, and naming the account is not permitted")
  func anotherAccount() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(.picture(key: Self.key, account: "alice"))
    await gate.hasSeen()
    let bob = Caller(confinedTo: "bob")
    for target in [GenerationTarget.id("gen_1"), .idempotencyKey(Self.key)] {
      let unseen = await #expect(throws: AtelierError.self) {
        try await engine.generations.cancel(Cancel(target: target), for: bob)
      }
      #expect(unseen?.kind == .notFound)
      let refused = await #expect(throws: AtelierError.self) {
        try await engine.generations.cancel(Cancel(target: target, account: "alice"), for: bob)
      }
      #expect(refused?.kind == .permissionDenied)
    }
    #expect(try await engine.status("gen_1")?.state == .running)
    gate.open()
    #expect(try await task.value.result?.state == .succeeded)
    await engine.leave()
  }

  @Test("a cancel by a key that a request being accepted cannot have ends the generation that has it")
  func duringRefusedAcceptance() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    _ = try await engine.engine.lazyStore.store()
    let lock = try await WriteLock(fixture.directory)
    let first = engine.generate(.picture("one", key: Self.key))
    try await until { await engine.generations.knows("gen_1") }
    // Its key was new when it was looked up.
    let second = engine.generate(.picture("another", key: Self.key))
    try await until { await engine.generations.knows("gen_2") }
    let cancelling = Task {
      try await engine.generations.cancel(Cancel(target: .idempotencyKey(Self.key)), for: Caller())
    }
    try await until { engine.generations.arrivingKeys.lookupCount(of: Self.key) == 1 }
    try await lock.release()
    let mismatch = await #expect(throws: AtelierError.self) { try await second.value }
    #expect(mismatch?.kind == .idempotencyMismatch)
    #expect(try await cancelling.value.generationId == "gen_1")
    #expect(try await first.value.result?.state == .cancelled)
    await engine.leave()
  }
}
