import AtelierProtocol
import GRDB
import Providers
import ServiceFixture
import Store
import Synchronization
import Testing

@testable import Engine

/// The other side decides neither how often a photo is sent nor for how long.
@Suite("A provider that refuses again and again", .timeLimit(.minutes(5)))
struct RefusedAgainTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  private static func refusal(_ retryAfterMs: Int?) -> AtelierError {
    AtelierError(.rateLimited, retryAfterMs: retryAfterMs, provider: "scripted")
  }

  @Test(
    "a provider that refuses is asked less and less often by a request that waits, which fails in the end",
    arguments: [0, 1, 500, 999])
  func waits(retryAfterMs: Int) async throws {
    let times = Mutex<[Timestamp]>([])
    let provider = ScriptedProvider(isLocal: false) { [clock = fixture.clock] _, _ in
      times.withLock { $0.append(clock.now) }
      throw Self.refusal(retryAfterMs)
    }
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    let store = try await engine.engine.lazyStore.store()
    let task = engine.generate(.patient())
    // The pauses as they are recorded, by their ends: the time between two sends would be longer by what the clock goes on
    // while the work is under way on other threads.
    let recorded = Mutex<[Timestamp: Int64]>([:])
    try await fixture.heartbeats {
      for pause in try await store.cooldowns(of: "scripted") {
        recorded.withLock { $0[pause.until] = pause.until.milliseconds - pause.setAt.milliseconds }
      }
      return try await engine.row("gen_1")?.state.isFinal == true
    }
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .rateLimited)
    let sent = times.withLock { $0 }
    let pauses = recorded.withLock { $0.sorted { $0.key.milliseconds < $1.key.milliseconds } }
    #expect(pauses.count == sent.count)
    var least: Int64 = 1_000
    for (number, pause) in pauses.enumerated() {
      #expect(pause.value == least, "\(pauses.map(\.value))")
      // It is sent after the pause and not before.
      if number + 1 < sent.count { #expect(sent[number + 1] >= pause.key, "\(sent)") }
      least = min(least * 2, 300_000)
    }
    // Nine pauses up to the longest one, and as many attempts as a request has.
    #expect(sent.count == 9 + EngineConfiguration().queue.attempts)
    await engine.leave()
  }

  @Test(
    "a provider that refuses is waited for as long as it asks, however often, and the deadline counts",
    arguments: [600_000, nil])
  func longPauses(retryAfterMs: Int?) async throws {
    let provider = ScriptedProvider(isLocal: false) { _, _ in throw Self.refusal(retryAfterMs) }
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    let task = engine.generate(.patient(waitMs: 2_000_000))
    try await fixture.heartbeats { try await engine.row("gen_1")?.state.isFinal == true }
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .timedOut)
    #expect(provider.requests.count == 1 + 2_000_000 / (retryAfterMs ?? 300_000))
    await engine.leave()
  }

  @Test("a provider that refuses is tried by one of many at a time, also of two processes, and by all once it succeeds")
  func oneAtATime() async throws {
    let state = Mutex((isConnected: false, active: 0, most: 0, asked: 0))
    @Sendable func script(_ request: ImageRequest) async throws -> ProviderImage {
      state.withLock {
        $0.active += 1
        $0.asked += 1
        if $0.asked > 1 { $0.most = max($0.most, $0.active) }
      }
      defer { state.withLock { $0.active -= 1 } }
      try await fixture.clock.sleep(for: .milliseconds(300))
      if state.withLock({ !$0.isConnected }) { throw Self.refusal(0) }
      return try ScriptedProvider.picture()
    }
    let providers = (0..<2).map { _ in ScriptedProvider(isLocal: false) { request, _ in try await script(request) } }
    let engines = try providers.map { try fixture.engine([$0], configuration: .withoutRetries) }
    var tasks = [engines[0].generate(.patient())]
    await fixture.clock.someoneSleeps(for: .milliseconds(300))
    fixture.clock.advance(by: .milliseconds(300))
    await engines[0].waits("gen_1")
    // The others learn of it before they are sent, also those that come when the pause is over.
    for number in 2...20 {
      if number == 10 { fixture.clock.advance(by: .seconds(1)) }
      let engine = engines[number % 2]
      tasks.append(engine.generate(.patient("picture \(number)")))
      await engine.announcements.reach(.queued, of: GenerationID(rawValue: "gen_\(number)"))
    }
    let start = fixture.clock.uptimeMs
    try await fixture.heartbeats { fixture.clock.uptimeMs - start > 120_000 }
    let before = state.withLock { $0 }
    #expect(before.most == 1, "\(before)")
    // Pauses of 1, 2, 4, 8, 16, 32 and 64 seconds.
    #expect((4...9).contains(before.asked), "\(before)")
    state.withLock { $0.isConnected = true }
    try await fixture.heartbeats { engines.allSatisfy { _ in state.withLock { $0.asked - before.asked >= 20 } } }
    #expect(state.withLock { $0.most } > 1)
    try await fixture.heartbeats {
      for number in 1...20 where try await engines[0].row(GenerationID(rawValue: "gen_\(number)"))?.state.isFinal != true {
        return false
      }
      return true
    }
    for task in tasks { #expect(try await task.value.state == .succeeded) }
    #expect(try await engines[0].engine.lazyStore.store().refusals(of: "scripted", model: "script-1") == 0)
    for engine in engines { await engine.leave() }
  }

  @Test("a provider that refuses is sent nothing during a pause that could not be recorded")
  func unrecorded() async throws {
    let provider = ScriptedProvider(isLocal: false) { _, _ in throw Self.refusal(100_000) }
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    _ = try await engine.engine.lazyStore.store()
    let database = try DatabaseQueue(beside: fixture.directory)
    try await database.write {
      try $0.execute(
        sql: "CREATE TRIGGER no_pause BEFORE INSERT ON provider_cooldown BEGIN SELECT RAISE(ABORT, 'not now'); END")
    }
    let tasks = [engine.generate(.patient()), engine.generate(.patient("another"))]
    for id in ["gen_1", "gen_2"] as [GenerationID] { await engine.waits(id) }
    let (start, asked) = (fixture.clock.uptimeMs, provider.requests.count)
    #expect((1...2).contains(asked))
    try await fixture.heartbeats { fixture.clock.uptimeMs - start > 60_000 }
    #expect(provider.requests.count == asked)
    try await database.write { try $0.execute(sql: "DROP TRIGGER no_pause") }
    try await fixture.heartbeats { provider.requests.count > asked }
    for task in tasks { task.cancel() }
    await engine.leave()
  }

  @Test(
    "a provider that refuses is left alone for at least a second by requests that do not wait, who are told so",
    arguments: [0, 500, 1_500])
  func direct(retryAfterMs: Int) async throws {
    let provider = ScriptedProvider(isLocal: false) { _, _ in throw Self.refusal(retryAfterMs) }
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    var told: [Int?] = []
    for _ in 0..<3 {
      let kinds: [ErrorKind] = [.rateLimited, .coolingDown]
      for kind in kinds {
        let error = await #expect(throws: AtelierError.self) {
          try await engine.generations.generate(.picture(), for: Caller())
        }
        #expect(error?.kind == kind)
        if kind == .rateLimited { told.append(error?.retryAfterMs) }
      }
      fixture.clock.advance(by: .milliseconds(told.last.flatMap { $0 } ?? 0))
    }
    #expect(told == [max(1_000, retryAfterMs), max(2_000, retryAfterMs), max(4_000, retryAfterMs)])
    #expect(provider.requests.count == 3)
    await engine.leave()
  }

  @Test(
    "a provider that refuses is not asked by a request that was waiting for its slot when the pause began",
    arguments: [false, true])
  func slot(mayWait: Bool) async throws {
    let gate = Gate()
    let provider = ScriptedProvider(maximumConcurrentImages: 1, isLocal: false) { _, progress in
      progress(ImageProgress(phase: .uploading, message: "Sending…"))
      try await gate.pass()
      throw Self.refusal(30_000)
    }
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    let first = engine.generate(.picture())
    await gate.hasSeen()
    let second = engine.generate(mayWait ? .patient("another") : .picture("another"))
    await engine.announcements.reach(.queued, of: "gen_2")
    gate.open()
    await #expect(throws: AtelierError.self) { try await first.value }
    if mayWait {
      await engine.waits("gen_2")
      second.cancel()
      #expect(try await second.value.state == .cancelled)
    } else {
      let error = await #expect(throws: AtelierError.self) { try await second.value }
      #expect(error?.kind == .coolingDown && error?.retryAfterMs == 30_000)
    }
    #expect(provider.requests.count == 1)
    await engine.leave()
  }

  @Test("a geocoder that refuses and names no pause is left alone by lookups for a second, then for two")
  func geocoder() async throws {
    let name = PlacesScene.austin[0].name
    let textProvider = ScriptedTextProvider(lookingUp: [name]) { PlacesScene.list([name]) }
    let server = ScriptedGeocoder(status: 429, retryAfter: "0")
    let engine = try fixture.engine([textProvider], geocoder: server.geocoder())
    for (number, pause) in [(1, 1_000), (2, 2_000), (3, 4_000)] {
      for _ in 0..<3 {
        await #expect(throws: AtelierError.self) {
          try await engine.generate(Generate(recipe: .places, prompt: "coffee")).value
        }
        #expect(server.urls.count == number)
      }
      fixture.clock.advance(by: .milliseconds(pause))
    }
    await engine.leave()
  }
}
