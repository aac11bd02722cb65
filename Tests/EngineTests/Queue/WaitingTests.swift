import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("A request that may wait", .timeLimit(.minutes(3)))
struct WaitingTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  @Test("a request that may wait does so while its provider cannot be reached, says so, and is done when it can")
  func waits() async throws {
    let far = FarProvider()
    let provider = far.provider(creditsPerImage: 1)
    let engine = try fixture.engine([provider])
    try await engine.give(4, to: "anna")
    let task = engine.generate(.patient(account: "anna"))
    await engine.waits("gen_1")
    try await until { try await engine.status("gen_1")?.progress?.queuePosition == 1 }
    let status = try #require(try await engine.status("gen_1"))
    #expect(status.state == .queued && status.progress?.phase == .queued && status.startedAt == nil)
    #expect(try await engine.credits(of: "anna") == [4, 1])
    #expect(try await engine.queue().providers.map(\.waiting) == [1])
    try await fixture.heartbeats { provider.probes >= 3 }
    #expect(provider.requests.count == 1)
    far.connect()
    try await fixture.heartbeats { provider.requests.count >= 2 }
    let result = try #require(try await task.value.result)
    #expect(result.state == .succeeded && result.credits.charged == 1)
    #expect(result.timings.queuedMs > 1000)
    #expect(try await engine.credits(of: "anna") == [4, 0])
    #expect(try await engine.queue() == QueueStatus.Result(waiting: 0, paused: false))
    let told = engine.announcements.progress
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    #expect(told.contains { $0.queuePosition == 1 && $0.phase == .queued })
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a request that may wait is not tried while its provider is known to be away; all begin in order, after one look")
  func many() async throws {
    let far = FarProvider()
    // One place: those that begin together tell of it in any order.
    let provider = far.provider(maximumConcurrentImages: 1)
    let engine = try fixture.engine([provider])
    let first = engine.generate(.patient("picture 1"))
    await engine.waits("gen_1")
    var tasks = [first]
    for number in 2...40 {
      tasks.append(engine.generate(.patient("picture \(number)")))
      await engine.waits(GenerationID(rawValue: "gen_\(number)"))
    }
    #expect(provider.requests.count == 1)
    try await until { try await engine.status("gen_40")?.progress?.queuePosition == 40 }
    far.connect()
    try await fixture.heartbeats { provider.requests.count >= 41 }
    for task in tasks { #expect(try await task.value.result?.state == .succeeded) }
    #expect(provider.probes == 1)
    let begun = engine.announcements.progress.filter { $0.phase == .preparing }.map(\.generationId.rawValue)
    var numbers: [Int] = []
    // The first was tried before; a heartbeat may tell the same again.
    for number in begun.compactMap({ Int($0.dropFirst(4)) }).dropFirst() where !numbers.contains(number) {
      numbers.append(number)
    }
    #expect(numbers == Array(1...40))
    await engine.leave()
  }

  @Test("a provider that cannot be reached is looked for less and less often, by one process of all")
  func backoff() async throws {
    let far = FarProvider()
    let (one, other) = (far.provider(), far.provider())
    let engines = [try fixture.engine([one]), try fixture.engine([other])]
    for (engine, id) in zip(engines, ["gen_1", "gen_2"]) {
      _ = engine.generate(.patient())
      await engine.announcements.reach(.queued, of: GenerationID(rawValue: id))
    }
    try await fixture.heartbeats { one.probes + other.probes >= 1 }
    let start = fixture.clock.uptimeMs
    try await fixture.heartbeats { one.probes + other.probes >= 6 }
    // 2, 4, 8, 16 and 32 seconds, at least half of each; not once for each process.
    #expect(fixture.clock.uptimeMs - start >= 31_000)
    for engine in engines { await engine.leave() }
  }

  @Test("a request that may wait fails at once where the failure is none of reaching the provider", arguments: [
    AtelierError(.offline, provider: "scripted", details: ["mayHaveBeenCharged": true]),
    AtelierError(.providerTimeout, provider: "scripted"), AtelierError(.providerError, provider: "scripted"),
    AtelierError(.contentBlocked, provider: "scripted"), AtelierError(.noApiKey, provider: "scripted"),
    AtelierError(.providerUnavailable, provider: "scripted", retryable: false),
    AtelierError(.quotaExhausted, retryAfterMs: 1000, provider: "scripted"),
  ])
  func otherFailure(failure: AtelierError) async throws {
    let engine = try fixture.engine([FarProvider(failure: failure).provider()], configuration: .withoutRetries)
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.patient(), for: Caller())
    }
    #expect(error?.kind == failure.kind)
    #expect(try await engine.status("gen_1")?.state == .failed)
    await engine.leave()
  }

  @Test("a request that may wait fails when one of several pictures may have been begun")
  func oneWasSent() async throws {
    let provider = ScriptedProvider(isLocal: false) { request, _ in
      throw AtelierError(request.variation == 0 ? .offline : .providerTimeout, provider: "scripted")
    }
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    var request = Generate.patient()
    request.output = Generate.Output(count: 2)
    let asked = request
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(asked, for: Caller())
    }
    #expect(error?.kind == .offline)
    #expect(provider.requests.count == 2)
    await engine.leave()
  }

  @Test("a request that may wait fails with the last refusal once its provider has refused it as often as is allowed")
  func attempts() async throws {
    let provider = ScriptedProvider(isLocal: false) { _, _ in
      throw AtelierError(.providerUnavailable, provider: "scripted")
    }
    var configuration = EngineConfiguration.withoutRetries
    configuration.queue.attempts = 3
    let engine = try fixture.engine([provider], configuration: configuration)
    let task = engine.generate(.patient())
    await engine.waits("gen_1")
    try await fixture.heartbeats { provider.requests.count >= 3 }
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .providerUnavailable)
    #expect(try await engine.status("gen_1")?.state == .failed)
    #expect(try await engine.queue().waiting == 0)
    await engine.leave()
  }

  @Test("a request that may wait waits for the end of a pause its provider asked for, without looking for it")
  func cooldown() async throws {
    let far = FarProvider(failure: AtelierError(.rateLimited, retryAfterMs: 30_000, provider: "scripted"))
    let provider = far.provider()
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    let first = engine.generate(.patient())
    await engine.waits("gen_1")
    // The second learns of it before it is tried.
    let second = engine.generate(.patient())
    await engine.waits("gen_2")
    #expect(provider.requests.count == 1)
    #expect(try await engine.queue().providers.first?.cooldownUntil != nil)
    far.connect()
    let start = fixture.clock.uptimeMs
    try await fixture.heartbeats { provider.requests.count >= 3 }
    #expect(fixture.clock.uptimeMs - start >= 29_000)
    #expect(provider.probes == 0)
    for task in [first, second] { #expect(try await task.value.result?.state == .succeeded) }
    await engine.leave()
  }

  @Test(
    "a request that may wait is held back by a pause of the queue, its own or everybody's, until it is lifted",
    arguments: [.everybody, "anna"] as [AccountID])
  func pause(account: AccountID) async throws {
    let far = FarProvider()
    let provider = far.provider()
    let engine = try fixture.engine([provider])
    let task = engine.generate(.patient(account: "anna"))
    await engine.waits("gen_1")
    #expect(try await engine.engine.pauseQueue(QueuePause(account: account), for: Caller()).paused)
    far.connect()
    // Somebody else's success tells that the provider is there.
    _ = try await engine.generations.generate(.picture(), for: Caller())
    for _ in 0..<10 {
      fixture.clock.advance(by: .seconds(10))
      await engine.generations.lookAtQueue()
    }
    #expect(try await engine.status("gen_1")?.state == .queued)
    let lifted = try await engine.engine.resumeQueue(QueueResume(account: account), for: Caller())
    #expect(!lifted.paused)
    try await fixture.heartbeats { provider.requests.count >= 3 }
    #expect(try await task.value.result?.state == .succeeded)
    await engine.leave()
  }

  @Test("the queue may be paused by a connection only for the account it is confined to")
  func confined() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    let caller = Caller(confinedTo: "anna")
    let error = await #expect(throws: AtelierError.self) {
      try await engine.engine.pauseQueue(QueuePause(account: "bert"), for: caller)
    }
    #expect(error?.kind == .permissionDenied)
    #expect(try await engine.engine.pauseQueue(QueuePause(), for: caller).paused)
    #expect(try await engine.queue(of: "anna").paused)
    #expect(try await !engine.queue(of: "bert").paused)
    #expect(try await !engine.queue().paused)
    await engine.leave()
  }

  @Test("hosts are told that a request's provider is away, and that it is back")
  func providerChanged() async throws {
    let far = FarProvider()
    let provider = far.provider()
    let engine = try fixture.engine([provider])
    let task = engine.generate(.patient())
    #expect(await engine.announcements.providerChanges(1).map(\.available) == [false])
    far.connect()
    try await fixture.heartbeats { provider.requests.count >= 2 }
    let changes = await engine.announcements.providerChanges(2).map(\.available)
    #expect(changes == [false, true])
    _ = try await task.value
    await engine.leave()
  }

  @Test("a request that may wait fails when its provider's key has been removed by the time it is there again")
  func keyRemoved() async throws {
    let far = FarProvider { _ in throw AtelierError(.noApiKey, provider: "scripted") }
    let provider = far.provider()
    let engine = try fixture.engine([provider])
    let task = engine.generate(.patient())
    await engine.waits("gen_1")
    far.connect()
    try await fixture.heartbeats { provider.requests.count >= 2 }
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .noApiKey)
    await engine.leave()
  }

  @Test("a request that may wait takes as many slots as it makes pictures at a time, also when it comes out of the queue")
  func slots() async throws {
    let gate = Gate()
    let far = FarProvider { _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let provider = far.provider(maximumConcurrentImages: 4)
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    var request = Generate.patient()
    request.output = Generate.Output(count: 4)
    let task = engine.generate(request)
    await engine.waits("gen_1")
    far.connect()
    let asked = provider.requests.count
    try await fixture.heartbeats { provider.requests.count >= asked + 4 }
    await gate.hasSeen(4)
    let second = engine.generate(.picture("another"))
    await engine.announcements.reach(.queued, of: "gen_2")
    for _ in 0..<500 { await Task.yield() }
    #expect(try await engine.status("gen_2")?.progress?.queuePosition == 1)
    #expect(provider.requests.count == asked + 4)
    gate.open()
    #expect(try await task.value.images.count == 4)
    #expect(try await second.value.state == .succeeded)
    await engine.leave()
  }

  @Test("a provider that is there costs a request that may wait nothing")
  func reachable() async throws {
    let provider = FarProvider(isCutOff: false).provider()
    let engine = try fixture.engine([provider])
    #expect(try await engine.generations.generate(.patient(), for: Caller()).result?.state == .succeeded)
    #expect(engine.announcements.progress.allSatisfy { !$0.message.text.hasPrefix("Waiting for Scripted") })
    #expect(provider.requests.count == 1 && provider.probes == 0)
    await engine.leave()
  }
}
