import AtelierProtocol
import GRDB
import Providers
import ServiceFixture
import Store
import Synchronization
import Testing

@testable import Engine

/// What hosts are told agrees with the record at every moment.
@Suite("What is told while an end is on its way to the record", .timeLimit(.minutes(3)))
struct ToldTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  private static let heartbeatInterval = Duration.milliseconds(EngineConfiguration().heartbeatMs / 2)

  @Test("the state before the end is told, and nothing of the work that still goes on", arguments: [true, false])
  func beforeTheRecord(isCancelled: Bool) async throws {
    let updates = AsyncStream.makeStream(of: Double.self)
    let provider = ScriptedProvider { _, progress in
      for await fraction in updates.stream {
        progress(ImageProgress(phase: .processing, message: "Painting…", fraction: fraction))
      }
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider])
    let task = engine.generate(.picture(timeoutMs: 3_600_000), for: Caller(requestID: 1))
    updates.continuation.yield(0.25)
    await engine.announcements.reach(.processing)
    let lock = try await WriteLock(fixture.directory)
    if isCancelled { task.cancel() } else { updates.continuation.finish() }
    try await until { await engine.generations.isSettling("gen_1") }
    let told = engine.announcements.all.count
    updates.continuation.yield(0.5)
    for _ in 0..<5 {
      await fixture.clock.someoneSleeps(for: Self.heartbeatInterval)
      fixture.clock.advance(by: Self.heartbeatInterval)
      for _ in 0..<200 { await Task.yield() }
      let status = try #require(await engine.generations.liveGeneration("gen_1"))
      #expect(status.state == .running && status.images.isEmpty && status.finishedAt == nil)
    }
    #expect(engine.announcements.all.count == told)
    try await lock.release()
    updates.continuation.finish()
    let answer = Task { try await task.value.state }
    try await fixture.heartbeats { try await engine.row("gen_1")?.state.isFinal == true }
    #expect(try await answer.value == (isCancelled ? .cancelled : .succeeded))
    #expect(engine.announcements.all.count == told)
    await engine.leave()
  }

  @Test("the estimate of how long it may take comes from work, not from answers out of history, here and elsewhere")
  func estimate() async throws {
    let gate = Gate()
    let provider = ScriptedProvider(maximumConcurrentImages: 1) { request, _ in
      if request.prompt?.contains("slow") == true {
        try await gate.pass()
      }
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider])
    let slow = engine.generate(.picture("a slow one"))
    await gate.hasSeen()
    await fixture.clock.someoneSleeps(for: .seconds(60))
    fixture.clock.advance(by: .seconds(20))
    gate.open()
    _ = try await slow.value
    for _ in 0..<60 {
      #expect(try await engine.generations.generate(.picture("a slow one"), for: Caller()).cached)
    }
    let kind = DurationEstimator.Kind(provider: "scripted", recipe: .create)
    #expect(await engine.generations.forecast.durations.typicalMs(for: kind) == 20_000)
    let samples = try await engine.engine.lazyStore.store().durationSamples(ofLatest: 500)
    #expect(samples.map(\.milliseconds) == [20_000])
    await engine.leave()
  }
}

@Suite("A disk that fails more than once", .timeLimit(.minutes(3)))
struct SecondOutageTests {
  @Test(
    "a disk that fails more than once costs no end, whichever time it is, with pictures and without", arguments: [1, 2, 3])
  func everyTime(outages: Int) async throws {
    let fixture = try ServiceFixture()
    let gates = (0..<outages).map { _ in Gate() }
    let round = Mutex(0)
    let provider = ScriptedProvider { _, _ in
      try await gates[round.withLock(\.self)].pass()
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider])
    let writes = try await engine.failingWrites()
    for number in 0..<outages {
      round.withLock { $0 = number }
      let (made, dropped) = (
        GenerationID(rawValue: "gen_\(2 * number + 1)"), GenerationID(rawValue: "gen_\(2 * number + 2)")
      )
      for picture in 1...2 {
        let request = Generate.picture("\(picture) of \(number)", detach: true, timeoutMs: 3_600_000)
        _ = try await engine.generations.generate(request, for: Caller())
      }
      await gates[number].hasSeen(2)
      writes.begin(.SQLITE_FULL)
      _ = try await engine.cancel(dropped)
      gates[number].open()
      // Each is tried again and again.
      try await fixture.heartbeats { writes.tries >= 6 }
      #expect(try await engine.row(made)?.state == .running)
      #expect(try await engine.row(dropped)?.state == .running)
      writes.end()
      try await fixture.heartbeats { try await engine.row(made)?.state == .succeeded }
      try await fixture.heartbeats { try await engine.row(dropped)?.state == .cancelled }
    }
    await engine.leave()
  }
}

@Suite("Work that the store cannot do now", .timeLimit(.minutes(1)))
struct StoreRetriesTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  /// A disk that is full until it is emptied.
  private actor Disk {
    var isFull = true
    private(set) var tries = 0
    private(set) var kept = 0

    func keep() throws {
      tries += 1
      if isFull { throw AtelierError(.storageFull) }
      kept += 1
    }

    func empty() { isFull = false }
  }

  private func parts() throws -> EngineParts { try fixture.engine([ScriptedProvider()]).engine.parts }

  @Test("work that the store cannot do is tried a few times a minute, however much waits, and all of it once there is room")
  func many() async throws {
    let (parts, disk) = (try parts(), Disk())
    let tasks = (0..<600).map { _ in Task { try await parts.persistently { try await disk.keep() } } }
    try await until { await disk.tries == 600 }
    for _ in 0..<150 {
      try await until { fixture.clock.sleepers(for: parts.heartbeatInterval) == 1 }
      fixture.clock.advance(by: parts.heartbeatInterval)
      for _ in 0..<20 { await Task.yield() }
    }
    #expect((600 + 7...600 + 20).contains(await disk.tries))
    await disk.empty()
    let start = fixture.clock.uptimeMs
    while await disk.kept == 0 {
      try await until { fixture.clock.sleepers(for: parts.heartbeatInterval) == 1 }
      fixture.clock.advance(by: parts.heartbeatInterval)
      for _ in 0..<200 { await Task.yield() }
    }
    #expect(fixture.clock.uptimeMs - start <= 10_000)
    // The others follow without a further pause.
    for task in tasks { try await task.value }
    #expect(await disk.kept == 600)
  }

  @Test("work that the store cannot do is given up with its task; whatever else waits goes on, also after another error")
  func cancelled() async throws {
    let (parts, disk) = (try parts(), Disk())
    let first = Task { try await parts.persistently { try await disk.keep() } }
    let broken = Task { [disk] in
      try await parts.persistently {
        if await !disk.isFull { throw AtelierError(.internal) }
        try await disk.keep()
      }
    }
    try await until { await disk.tries == 2 }
    let last = Task { try await parts.persistently { try await disk.keep() } }
    try await until { await disk.tries == 3 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await disk.empty()
    for _ in 0..<60 {
      fixture.clock.advance(by: parts.heartbeatInterval)
      for _ in 0..<200 { await Task.yield() }
    }
    await #expect(throws: AtelierError.self) { try await broken.value }
    try await last.value
    #expect(await disk.kept == 1)
  }
}
