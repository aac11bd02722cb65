import AtelierProtocol
import GRDB
import JSON
import Providers
import ServiceFixture
import Store
import Support
import Testing

@testable import Engine

@Suite("Watching a generation", .timeLimit(.minutes(3)))
struct WatchTests {
  private let fixture: ServiceFixture
  private let gate = Gate()

  init() throws { fixture = try ServiceFixture() }

  /// The heartbeat of the process at work, and the look of the one that watches.
  private static let heartbeatInterval = Duration.milliseconds(EngineConfiguration().heartbeatMs / 2)
  private static let look = Duration.milliseconds(250)
  /// Longer than any test lets the work take, in milliseconds.
  private static let forever = 3_600_000

  private func pass(_ time: Duration) async {
    await fixture.clock.someoneSleeps(for: time)
    fixture.clock.advance(by: time)
  }

  /// Lets time go by for a watcher, and for the process at work, until `condition` holds.
  private func look(hasHeartbeat: Bool = true, until condition: () async throws -> Bool) async throws {
    while try await !condition() {
      try Task.checkCancellation()
      await fixture.clock.someoneSleeps(for: Self.look)
      if hasHeartbeat { await fixture.clock.someoneSleeps(for: Self.heartbeatInterval) }
      fixture.clock.advance(by: .milliseconds(50))
      await Task.yield()
    }
  }

  /// Waits until the watchers of other processes have looked: they look again when time goes by.
  private func asleep() async throws {
    try await until { fixture.clock.sleepers(for: Self.look) == 1 }
  }

  @Test("a watch in the same process tells the present state at once, then what the starter is told, and the same end")
  func here() async throws {
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(.picture(inline: true), for: Caller(requestID: 1))
    await gate.hasSeen()
    await engine.announcements.reach(.processing)
    let before = engine.announcements.told("w").count
    let watch = engine.watch("gen_1", as: "w")
    await engine.announcements.meet { $0.told("w").count == 1 }
    let first = try #require(engine.announcements.told("w").first)
    #expect(before == 0 && first.phase == .processing && first.fraction == 0.5 && first.state == .running)
    await pass(Self.heartbeatInterval)
    await engine.announcements.meet { $0.told("w").count == 2 }
    gate.open()
    let (answer, made) = (try await watch.value, try await task.value)
    #expect(answer == made.withoutInlineData && made.images[0].data != nil)
    let (told, starter) = (engine.announcements.told("w"), engine.announcements.told(1))
    #expect(told.dropFirst().map(\.sequence) == starter.suffix(told.count - 1).map(\.sequence))
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    await engine.leave()
  }

  @Test("a watch in another process tells the present state at once, then what the starter is told, and the same end")
  func elsewhere() async throws {
    let provider = ScriptedProvider(isLocal: false) { [gate] _, progress in
      progress(ImageProgress(phase: .processing, message: "Painting…", fraction: 0.5))
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let worker = try fixture.engine([provider])
    let other = try fixture.engine([ScriptedProvider()])
    let task = worker.generate(.picture(count: 2, timeoutMs: Self.forever), for: Caller(requestID: 1))
    await gate.hasSeen(2)
    let watch = other.watch("gen_1", as: "w")
    await other.announcements.meet { $0.told("w").count == 1 }
    #expect(other.announcements.told("w").first?.state == .running)
    try await look { other.announcements.told("w").contains { $0.step != nil && $0.fraction == 0.5 } }
    try await asleep()
    gate.open()
    let made = try await task.value
    fixture.clock.advance(by: Self.look)
    #expect(try await watch.value.images == made.images)
    let told = other.announcements.told("w")
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.sequence < $1.sequence && $0.elapsedMs <= $1.elapsedMs })
    #expect(told.allSatisfy { $0.generationId == "gen_1" })
    await worker.leave()
    await other.leave()
  }

  @Test("the work of a process that nobody watches stays unwritten within a phase")
  func unwatched() async throws {
    let updates = AsyncStream.makeStream(of: Double.self)
    let provider = ScriptedProvider { _, progress in
      for await fraction in updates.stream {
        progress(ImageProgress(phase: .processing, message: "Painting…", fraction: fraction))
      }
      return try ScriptedProvider.picture()
    }
    let worker = try fixture.engine([provider])
    let other = try fixture.engine([ScriptedProvider()])
    let task = worker.generate(.picture(timeoutMs: Self.forever))
    updates.continuation.yield(0.25)
    await worker.announcements.reach(.processing)
    try await until { try await other.row("gen_1")?.phase == .preparing }
    await pass(Self.heartbeatInterval)
    try await until { try await other.row("gen_1")?.phase == .processing }
    #expect(try await other.row("gen_1")?.fraction == 0.25)
    updates.continuation.yield(0.5)
    await worker.announcements.meet { $0.contains { $0.progress?.fraction == 0.5 } }
    for _ in 0..<4 { await pass(Self.heartbeatInterval) }
    await worker.generations.settleDown()
    #expect(try await other.row("gen_1")?.fraction == 0.25)
    let watch = other.watch("gen_1", as: "w")
    try await look { other.announcements.told("w").contains { $0.fraction == 0.5 } }
    #expect(try await other.row("gen_1")?.fraction == 0.5)
    watch.cancel()
    await #expect(throws: CancellationError.self) { try await watch.value }
    updates.continuation.finish()
    _ = try await task.value
    await worker.leave()
    await other.leave()
  }

  @Test("a watch is told something at least once a second, also of what no process owns")
  func unowned() async throws {
    let far = FarProvider()
    let engine = try fixture.engine([far.provider()])
    _ = try await engine.generations.generate(.patient(detach: true), for: Caller())
    await engine.waits("gen_1")
    await engine.leave()
    let other = try fixture.engine([far.provider()])
    let watch = other.watch("gen_1", as: "w")
    try await look(hasHeartbeat: false) { other.announcements.told("w").count >= 8 }
    let told = other.announcements.told("w")
    #expect(told.allSatisfy { $0.state == .queued && $0.queuePosition == 1 })
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.sequence < $1.sequence && $1.elapsedMs - $0.elapsedMs <= 1000 })
    watch.cancel()
    await #expect(throws: CancellationError.self) { try await watch.value }
    #expect(try await other.status("gen_1")?.state == .queued)
    await other.leave()
  }

  @Test("a watch of a process that dies ends with the generation, also where that cannot be written for a while",
    arguments: [nil, ResultCode.SQLITE_FULL, .SQLITE_IOERR])
  func dies(code: ResultCode?) async throws {
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    _ = worker.generate(.picture(timeoutMs: Self.forever))
    await gate.hasSeen()
    let watches = [other.watch("gen_1", as: 1), other.watch("gen_1", as: 2, progress: false)]
    await other.announcements.meet { !$0.told(1).isEmpty }
    try await asleep()
    let writes = try await other.failingWrites()
    if let code { writes.begin(code) }
    await worker.engine.lazyStore.close()
    if code != nil {
      try await look(hasHeartbeat: false) { writes.tries >= 4 }
      // Nobody else is told of it either.
      #expect(try await other.status("gen_1")?.state == .running)
      #expect(try await other.engine.history(History(), for: Caller()).entries.count == 1)
      _ = try await other.queue()
      writes.end()
    }
    try await look(hasHeartbeat: false) { try await other.row("gen_1")?.state == .interrupted }
    try await asleep()
    fixture.clock.advance(by: Self.look)
    for watch in watches { #expect(try await watch.value.state == .interrupted) }
    gate.open()
    await other.leave()
    await worker.leave()
  }

  @Test("a thousand watches cost one look of each process at a time, and end for all of them")
  func many() async throws {
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    let tasks = (1...2).map { worker.generate(.picture("picture \($0)", timeoutMs: Self.forever)) }
    await gate.hasSeen(2)
    // Each looks once by itself when it comes.
    let reads = try await other.engine.lazyStore.store().countReads(with: "process, state, created, until, progress")
    let watches = (0..<1_000).map { other.watch(GenerationID(rawValue: "gen_\($0 % 2 + 1)"), as: .number(JSONNumber($0))) }
    for id in ["gen_1", "gen_2"] as [GenerationID] {
      try await until { await other.generations.distantWatcherCount(of: id) == 500 }
    }
    try await until { reads.count >= 1_000 }
    for number in 1...8 {
      try await asleep()
      fixture.clock.advance(by: Self.look)
      try await until { reads.count >= 1_000 + number }
    }
    try await asleep()
    #expect(reads.count == 1_008)
    gate.open()
    for task in tasks { _ = try await task.value }
    fixture.clock.advance(by: Self.look)
    for watch in watches { #expect(try await watch.value.state == .succeeded) }
    #expect(await other.generations.distantWatcherCount(of: "gen_1") == 0)
    await worker.leave()
    await other.leave()
  }

  @Test("a watch is silent where no progress is wanted")
  func silent() async throws {
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(.picture(progress: false))
    await gate.hasSeen()
    let watches = [
      engine.watch("gen_1", as: 1, progress: false), engine.watch("gen_1", as: 2, host: false),
      engine.watch("gen_1", as: 3, progress: true, host: false),
    ]
    try await until { await engine.generations.waiterCount(of: "gen_1") == 4 }
    await pass(Self.heartbeatInterval)
    await engine.announcements.meet { $0.told(3).count >= 2 }
    gate.open()
    for watch in watches { #expect(try await watch.value == task.value) }
    #expect(engine.announcements.told(1).isEmpty && engine.announcements.told(2).isEmpty)
    await engine.leave()
  }

  @Test("a watch of a generation that has ended is answered at once; a failure is an answer")
  func ended() async throws {
    let engine = try fixture.engine([
      ScriptedProvider { request, _ in
        if request.model == "fail" { throw AtelierError(.contentBlocked) }
        return try ScriptedProvider.picture()
      }
    ])
    _ = try await engine.generations.generate(.picture(inline: true), for: Caller())
    await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.picture().by("fail"), for: Caller())
    }
    let other = try fixture.engine([ScriptedProvider()])
    let succeeded = try await other.watch("gen_1", as: "w").value
    #expect(succeeded.state == .succeeded && succeeded.images[0].data == nil)
    let failed = try await other.watch("gen_2", as: "w").value
    #expect(failed.state == .failed && failed.error?.data.kind == ErrorKind.contentBlocked.rawValue)
    #expect(other.announcements.told("w").isEmpty)
    await engine.leave()
    await other.leave()
  }

  @Test("a watch can be ended without ending the generation, here and elsewhere")
  func cancelWatch() async throws {
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    let task = worker.generate(.picture())
    await gate.hasSeen()
    for engine in [worker, other] {
      let watch = engine.watch("gen_1", as: "w")
      await engine.announcements.meet { !$0.told("w").isEmpty }
      watch.cancel()
      await #expect(throws: CancellationError.self) { try await watch.value }
    }
    #expect(await worker.generations.waiterCount(of: "gen_1") == 1)
    #expect(try await other.status("gen_1")?.state == .running)
    gate.open()
    #expect(try await task.value.state == .succeeded)
    await worker.leave()
    await other.leave()
  }

  @Test("a watch learns that the generation is cancelled, or deleted, by whomever")
  func cancelledAndDeleted() async throws {
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    let tasks = [worker.generate(.picture("one")), worker.generate(.picture("two"))]
    await gate.hasSeen(2)
    let watches = ["gen_1", "gen_2"].map { other.watch(GenerationID(rawValue: $0), as: .string($0)) }
    for id in ["gen_1", "gen_2"] { await other.announcements.meet { !$0.told(.string(id)).isEmpty } }
    try await asleep()
    _ = try await worker.cancel("gen_1")
    _ = try await worker.engine.deleteHistory(HistoryDelete(target: .generation("gen_2", account: nil)), for: Caller())
    fixture.clock.advance(by: Self.look)
    #expect(try await watches[0].value.state == .cancelled)
    let error = await #expect(throws: AtelierError.self) { try await watches[1].value }
    #expect(error?.kind == .notFound && error?.message.contains("deleted") == true)
    for task in tasks { #expect(try await task.value.state == .cancelled) }
    await worker.leave()
    await other.leave()
  }

  @Test("a watch of another account's generation is not found")
  func accounts() async throws {
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(.picture(account: "anna"))
    await gate.hasSeen()
    func refusal(_ request: GenerationWatch, _ caller: Caller) async -> ErrorKind? {
      await #expect(throws: AtelierError.self) { try await engine.generations.watch(request, for: caller) }?.kind
    }
    #expect(await refusal(GenerationWatch(generationId: "gen_1"), Caller(confinedTo: "bert")) == .notFound)
    #expect(await refusal(GenerationWatch(generationId: "gen_1", account: "bert"), Caller()) == .notFound)
    #expect(
      await refusal(GenerationWatch(generationId: "gen_1", account: "anna"), Caller(confinedTo: "bert"))
        == .permissionDenied)
    #expect(await refusal(GenerationWatch(generationId: "gen_9"), Caller()) == .notFound)
    gate.open()
    let account = try await engine.generations.watch(
      GenerationWatch(generationId: "gen_1"), for: Caller(confinedTo: "anna")).account
    #expect(account == "anna")
    _ = try await task.value
    await engine.leave()
  }

  @Test("a repeated idempotency key is a watch: with progress for its own request, here and elsewhere")
  func repeatedKey() async throws {
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    let task = worker.generate(.picture(key: "k"), for: Caller(requestID: 1))
    await gate.hasSeen()
    var repeated: [Task<Generation, any Error>] = []
    for engine in [worker, other] {
      repeated.append(engine.generate(.picture(key: "k"), for: Caller(requestID: "again")))
      await engine.announcements.meet { !$0.told("again").isEmpty }
    }
    try await asleep()
    gate.open()
    let made = try await task.value
    #expect(try await repeated[0].value == made)
    fixture.clock.advance(by: Self.look)
    #expect(try await repeated[1].value == made)
    await worker.leave()
    await other.leave()
  }

  @Test("a watch does not keep a process that is told to stop from leaving the generation to another one")
  func leaving() async throws {
    let engine = try fixture.engine([ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate)])
    _ = try await engine.generations.generate(.picture("one", detach: true), for: Caller())
    await gate.hasSeen()
    _ = try await engine.generations.generate(.picture("two", detach: true), for: Caller())
    let watch = engine.watch("gen_2", as: "w")
    await engine.announcements.meet { !$0.told("w").isEmpty }
    await engine.generations.abandon()
    let error = await #expect(throws: AtelierError.self) { try await watch.value }
    #expect(error?.kind == .interrupted && error?.isRetryable == true)
    await engine.leave()
    let other = try fixture.engine([ScriptedProvider()])
    #expect(try await other.status("gen_2")?.state == .queued)
    await other.leave()
  }

  @Test("a watch goes on with the process that takes the generation over, and its numbers still rise")
  func takenOver() async throws {
    let first = try fixture.engine([ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate)])
    _ = try await first.generations.generate(.picture("one", detach: true, timeoutMs: Self.forever), for: Caller())
    await gate.hasSeen()
    _ = try await first.generations.generate(.picture("two", detach: true), for: Caller())
    let other = try fixture.engine([ScriptedProvider()])
    await other.engine.serve()
    let watch = other.watch("gen_2", as: "w")
    try await look { other.announcements.told("w").last?.sequence ?? 0 > 3 }
    await first.generations.abandon()
    await first.leave()
    await pass(.milliseconds(OfflineQueue.idleMs))
    try await fixture.heartbeats { other.announcements.finished.contains { $0.generationId == "gen_2" } }
    fixture.clock.advance(by: Self.look)
    #expect(try await watch.value.state == .succeeded)
    let told = other.announcements.told("w")
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    await other.leave()
  }
}

extension TestEngine {
  /// `generation/watch` in a task of its own.
  fileprivate func watch(
    _ id: GenerationID, as requestID: JSONValue, progress: Bool? = nil, host wantsProgress: Bool = true
  ) -> Task<Generation, any Error> {
    let request = GenerationWatch(generationId: id, progress: progress)
    let caller = Caller(requestID: requestID, wantsProgress: wantsProgress)
    return Task { [generations] in try await generations.watch(request, for: caller) }
  }
}

extension Announcement {
  fileprivate var progress: GenerationProgress? { if case .progress(let progress, _) = self { progress } else { nil } }
}

extension [Announcement] {
  /// The progress told to one request.
  fileprivate func told(_ requestID: JSONValue) -> [GenerationProgress] {
    compactMap(\.progress).filter { $0.requestId == requestID }
  }
}
extension Announcements { fileprivate func told(_ requestID: JSONValue) -> [GenerationProgress] { all.told(requestID) } }

extension Generate {
  /// The same request of a model.
  fileprivate func by(_ model: String) -> Generate {
    var request = self
    request.model = model
    return request
  }
}
