import AtelierProtocol
import ServiceFixture
import Support
import Testing

@testable import Engine

@Suite("The id of a request that is being accepted", .timeLimit(.minutes(3)))
struct TentativeIDTests {
  private static let key = "the key"
  private static let cancel = Cancel(target: .idempotencyKey(key))
  private static let status = Status(target: .idempotencyKey(key))

  /// Accepts nothing until the lock is released: the store is open already.
  private func lock(_ engines: [TestEngine], in fixture: ServiceFixture) async throws -> WriteLock {
    for engine in engines { _ = try await engine.engine.lazyStore.store() }
    return try await WriteLock(fixture.directory)
  }

  private func told(_ engine: TestEngine) async throws -> GenerationID? {
    guard case .generation(let generation) = try await engine.engine.status(Self.status, for: Caller()) else { return nil }
    return generation.generationId
  }

  @Test("a tentative id is nobody's to look at: it is not found, and nothing waits for it")
  func byID() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    let lock = try await lock([engine], in: fixture)
    let task = engine.generate(.picture())
    try await until { await engine.generations.knows("gen_1") }
    let unknown = await #expect(throws: AtelierError.self) { try await engine.cancel("gen_1") }
    #expect(unknown?.kind == .notFound)
    await #expect(throws: AtelierError.self) { _ = try await engine.status("gen_1") }
    await #expect(throws: AtelierError.self) {
      _ = try await engine.generations.watch(GenerationWatch(generationId: "gen_1"), for: Caller())
    }
    #expect(await !engine.generations.isCancelRequested("gen_1"))
    try await lock.release()
    #expect(try await task.value.result?.state == .succeeded)
    await engine.leave()
  }

  @Test(
    "a tentative id gives way to that of the generation of its key, wherever the key is used twice at once",
    arguments: [false, true], [false, true])
  func oneKeyTwice(inTwoProcesses: Bool, isDetached: Bool) async throws {
    let fixture = try ServiceFixture()
    let provider = ScriptedProvider(waitingAt: Gate())
    let one = try fixture.engine([provider])
    let other = inTwoProcesses ? try fixture.engine([provider]) : one
    let lock = try await lock([one, other], in: fixture)
    let request = Generate.picture(key: Self.key, detach: isDetached, timeoutMs: 3_600_000)
    let first = one.generate(request)
    try await until { await one.generations.knows("gen_1") }
    let second = other.generate(request)
    try await until { await other.generations.knows("gen_2") }
    let cancelling = Task { try await other.generations.cancel(Self.cancel, for: Caller()) }
    let looking = Task { try await told(other) }
    try await until { other.generations.arrivingKeys.lookupCount(of: Self.key) == 2 }
    try await lock.release()
    let time = fixture.clock.goOn()
    defer { time.cancel() }
    let (mine, theirs) = (try await first.value.generationId, try await second.value.generationId)
    #expect(mine == theirs)
    #expect(try await looking.value == mine)
    let cancelled = try await cancelling.value
    #expect(cancelled.generationId == mine && cancelled.state == .cancelled)
    #expect(try await one.row(mine)?.state == .cancelled)
    #expect(try await one.row(mine == "gen_1" ? "gen_2" : "gen_1") == nil)
    await one.leave()
    if inTwoProcesses { await other.leave() }
  }

  @Test(
    "a tentative id of another account does not hold a cancel of the same key to its own",
    arguments: [AccountID?.none, "anna"])
  func accounts(account: AccountID?) async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    let lock = try await lock([engine], in: fixture)
    let task = engine.generate(.picture(key: Self.key, account: "bob"))
    try await until { await engine.generations.knows("gen_1") }
    let cancelling = Task {
      try await engine.generations.cancel(Cancel(target: .idempotencyKey(Self.key), account: account), for: Caller())
    }
    try await until { engine.generations.arrivingKeys.lookupCount(of: Self.key) == 1 }
    try await lock.release()
    let unknown = await #expect(throws: AtelierError.self) { try await cancelling.value }
    #expect(unknown?.kind == .notFound)
    #expect(try await task.value.result?.state == .succeeded)
    await engine.leave()
  }

  @Test(
    "a tentative id is told to nobody, and a cancel behind its request is never lost",
    arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let fixture = try ServiceFixture()
    let provider = ScriptedProvider { _, _ in
      for _ in 0..<50 { await Task.yield() }
      return try ScriptedProvider.picture()
    }
    let engines = [try fixture.engine([provider]), try fixture.engine([provider])]
    for engine in engines { _ = try await engine.engine.lazyStore.store() }
    var requests: [Task<Generation, any Error>] = []
    var cancels: [Task<Generation, any Error>] = []
    var looks: [Task<GenerationID?, any Error>] = []
    for _ in 0..<12 {
      let engine = engines[Int(random.next() % 2)]
      switch random.next() % 3 {
      case 0:
        // As the server does on arrival, before anything of the request runs.
        var caller = Caller()
        caller.arrival = engine.generations.noteArrival(of: Self.key)
        requests.append(engine.generate(.picture(key: Self.key, detach: true), for: caller))
        if random.next() % 3 == 0 {
          cancels.append(Task { try await engine.generations.cancel(Self.cancel, for: Caller()) })
        }
      case 1: looks.append(Task { try await told(engine) })
      default: for _ in 0..<(random.next() % 60) { await Task.yield() }
      }
    }
    var ids: Set<GenerationID> = []
    for request in requests { ids.insert(try await request.value.generationId) }
    #expect(ids.count <= 1, "seed \(seed)")
    for look in looks {
      do {
        if let id = try await look.value { ids.insert(id) }
      } catch {
        #expect(AtelierError(wrapping: error).kind == .notFound, "seed \(seed)")
      }
    }
    for cancel in cancels {
      do {
        ids.insert(try await cancel.value.generationId)
      } catch {
        #expect(AtelierError(wrapping: error).kind == .alreadyFinished, "seed \(seed)")
      }
    }
    for id in ids { #expect(try await engines[0].row(id) != nil, "seed \(seed): \(id) was told and does not exist") }
    for engine in engines { await engine.leave() }
  }

  @Test("a tentative id is followed to the end, if its generation was claimed and ended before its acceptance returned")
  func claimed() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    let ended = Answer.failure(AtelierError(.contentBlocked))
    #expect(await engine.generations.waitAfterTheEnd(as: ended) == ended)
    await engine.leave()
  }
}

extension GenerationManager {
  /// What a request is answered that begins to wait when its generation has ended.
  fileprivate func waitAfterTheEnd(as ended: Answer) async -> Answer? {
    let number = waits.expect()
    waits.answer(number, with: ended)
    return await answer(to: number)
  }
}

extension ManualClock {
  /// Lets whoever looks at another process's generation, and each heart, go on, until the task is cancelled.
  fileprivate func goOn() -> Task<Void, Never> {
    let steps = [Duration.milliseconds(250), .milliseconds(EngineConfiguration().heartbeatMs / 2)]
    return Task {
      while !Task.isCancelled {
        for step in steps where sleepers(for: step) > 0 { advance(by: step) }
        await Task.yield()
      }
    }
  }
}
