import AtelierProtocol
import Encodings
import GRDB
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

/// Two engines on one data directory stand for two processes.
@Suite("A request that waits, and other processes", .timeLimit(.minutes(3)))
struct WaitingElsewhereTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  @Test("a waiting request is done by the next process when its own ends, with the pictures as they were")
  func leaves() async throws {
    let far = FarProvider()
    let first = try fixture.engine([far.provider()])
    let photo = try #require(InlineImage(base64: Base64.encoded(try Fixture.bytes("images/plain.png"))))
    let task = first.generate(
      .patient("a hat", image: .data(photo), references: [.path(Fixture.path("images/plain.jpg"))]))
    await first.waits("gen_1")
    await first.leave()
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .interrupted)

    far.connect()
    let provider = far.provider()
    let second = try fixture.engine([provider])
    await second.engine.serve()
    #expect(try await second.status("gen_1")?.state == .queued)
    try await fixture.heartbeats { provider.requests.count >= 1 }
    try await until { try await second.status("gen_1")?.state == .succeeded }
    #expect(provider.requests.first?.photo?.isEmpty == false)
    #expect(provider.requests.first?.references.count == 1)
    await second.leave()
  }

  @Test("a waiting request is left to the others by a process whose input ends, also when it only joined it by its key")
  func joined() async throws {
    let far = FarProvider()
    let first = try fixture.engine([far.provider()])
    let task = first.generate(.patient(key: "k"))
    await first.waits("gen_1")
    let second = try fixture.engine([far.provider()])
    let joining = second.generate(.patient(key: "k"))
    await fixture.clock.someoneSleeps(for: .milliseconds(250))
    await second.generations.inputEnded()
    fixture.clock.advance(by: .milliseconds(250))
    let error = await #expect(throws: AtelierError.self) { try await joining.value }
    #expect(error?.kind == .interrupted)
    await second.leave()
    #expect(try await first.status("gen_1")?.state == .queued)
    task.cancel()
    #expect(try await task.value.state == .cancelled)
    await first.leave()
  }

  @Test("a waiting request is done by a living process that has its own work, within a heartbeat of its process's death")
  func dies() async throws {
    let far = FarProvider()
    let provider = far.provider()
    let living = try fixture.engine([provider])
    await living.engine.serve()
    _ = living.generate(.patient())
    await living.waits("gen_1")
    let dying = try fixture.engine([far.provider()])
    _ = try await dying.generations.generate(.patient(detach: true), for: Caller())
    await dying.waits("gen_2")
    // As a process that is killed: its lock is free, and it does nothing any more.
    await dying.engine.lazyStore.close()
    far.connect()
    try await fixture.heartbeats { provider.requests.count >= 3 }
    try await until { try await living.status("gen_2")?.state == .succeeded }
    await living.leave()
  }

  @Test(
    "a waiting request is noticed by a service that has nothing to do, whether its own process died or left it",
    arguments: [false, true])
  func idle(dies: Bool) async throws {
    let far = FarProvider()
    let provider = far.provider()
    let living = try fixture.engine([provider])
    await living.engine.serve()
    let other = try fixture.engine([far.provider()])
    _ = try await other.generations.generate(.patient(detach: true), for: Caller())
    await other.waits("gen_1")
    if dies { await other.engine.lazyStore.close() } else { await other.leave() }
    far.connect()
    while provider.requests.isEmpty {
      await fixture.clock.someoneSleeps(for: .milliseconds(OfflineQueue.idleMs))
      fixture.clock.advance(by: .milliseconds(OfflineQueue.idleMs))
    }
    try await until { try await living.status("gen_1")?.state == .succeeded }
    await living.leave()
  }

  @Test("waiting requests are not looked for in a data directory that nobody has used: none is made")
  func unused() async throws {
    let engine = try fixture.engine([FarProvider().provider()])
    await engine.engine.serve()
    for _ in 0..<3 {
      await fixture.clock.someoneSleeps(for: .milliseconds(OfflineQueue.idleMs))
      fixture.clock.advance(by: .milliseconds(OfflineQueue.idleMs))
    }
    await fixture.clock.someoneSleeps(for: .milliseconds(OfflineQueue.idleMs))
    #expect(await engine.engine.lazyStore.storeIfOpen == nil)
    #expect(fixture.temporary.files(below: "data").isEmpty)
    await engine.leave()
  }

  @Test("a waiting request goes back to the queue while its provider is being reached; only what was sent is cancelled",
    arguments: [false, true])
  func beforeSending(isSent: Bool) async throws {
    let gate = Gate()
    let provider = ScriptedProvider(isLocal: false) { _, progress in
      if isSent { progress(ImageProgress(phase: .uploading, message: "Sending…", fraction: 0)) }
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider])
    _ = try await engine.generations.generate(.patient(detach: true), for: Caller())
    await gate.hasSeen()
    await engine.generations.abandon()
    await engine.leave()
    let next = try fixture.engine([provider])
    #expect(try await next.status("gen_1")?.state == (isSent ? .cancelled : .queued))
    await next.leave()
  }

  @Test("a request waits although that cannot be written while another process holds the database")
  func parksLater() async throws {
    let gate = Gate()
    let far = FarProvider()
    let line = far.provider()
    let provider = ScriptedProvider(
      isLocal: false,
      script: { _, _ in
        try await gate.pass()
        try await line.probe()
        return try ScriptedProvider.picture()
      }, reach: { try await line.probe() })
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    let task = engine.generate(.patient())
    await gate.hasSeen()
    let lock = try await WriteLock(fixture.directory)
    gate.open()
    await fixture.clock.someoneSleeps(for: engine.engine.parts.heartbeatInterval)
    try await lock.release()
    try await fixture.heartbeats { try await engine.row("gen_1")?.state == .queued }
    far.connect()
    try await fixture.heartbeats { provider.requests.count >= 2 }
    #expect(try await task.value.result?.state == .succeeded)
    await engine.leave()
  }

  @Test("a waiting request keeps its pictures past the day that others are kept, and not beyond its end")
  func pictures() async throws {
    let far = FarProvider()
    let provider = far.provider()
    var configuration = EngineConfiguration()
    configuration.preparedLifetimeMs = 0
    let engine = try fixture.engine([provider], configuration: configuration)
    let task = engine.generate(
      .patient("a hat", waitMs: 3 * 86_400_000, image: .path(Fixture.path("images/plain.jpg"))))
    await engine.waits("gen_1")
    fixture.clock.advance(by: .seconds(2 * 86_400))
    let store = try await engine.engine.lazyStore.store()
    #expect(try await store.eraseExpiredPrepared() == 0)
    far.connect()
    try await fixture.heartbeats { provider.requests.count >= 2 }
    #expect(try await task.value.result?.state == .succeeded)
    #expect(provider.requests.last?.photo == provider.requests.first?.photo)
    #expect(try await store.eraseExpiredPrepared() == 1)
    await engine.leave()
  }

  @Test("a waiting request expires at its deadline, also when nobody was there, and gives its credits back")
  func expires() async throws {
    let far = FarProvider()
    let first = try fixture.engine([far.provider(creditsPerImage: 1)])
    try await first.give(3, to: "anna")
    _ = try await first.generations.generate(.patient(account: "anna", detach: true), for: Caller())
    await first.waits("gen_1")
    await first.leave()
    fixture.clock.advance(by: .seconds(86_400))
    let second = try fixture.engine([far.provider(creditsPerImage: 1)])
    let status = try #require(try await second.status("gen_1"))
    #expect(status.state == .expired)
    #expect(status.error?.code == 408 && status.error?.data.kind == "timed_out")
    #expect(try await second.credits(of: "anna") == [4, 0])
    try await second.leaveWithTheLedgerInOrder()
  }

  @Test("a waiting request expires under the eyes of whoever waits for it, who is told")
  func expiresHere() async throws {
    let far = FarProvider()
    let provider = far.provider()
    let engine = try fixture.engine([provider])
    let task = engine.generate(.patient(waitMs: 20_000))
    await engine.waits("gen_1")
    try await fixture.heartbeats { try await engine.row("gen_1")?.state == .expired }
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .timedOut && error?.generationId == "gen_1")
    #expect(provider.requests.count == 1)
    await engine.leave()
  }

  @Test("a waiting request that expired while its process was not looking is answered with the next heartbeat")
  func expiresUnseen() async throws {
    let far = FarProvider()
    let engine = try fixture.engine([far.provider()])
    let task = engine.generate(.patient(waitMs: 20_000))
    await engine.waits("gen_1")
    fixture.clock.advance(by: .seconds(20))
    _ = try await engine.engine.lazyStore.store().expireWaiting()
    try await fixture.heartbeats { await engine.generations.liveGeneration("gen_1") == nil }
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .timedOut)
    await engine.leave()
  }

  @Test("a waiting request is cancelled by any process, and its credits are back at once")
  func cancel() async throws {
    let far = FarProvider()
    let engine = try fixture.engine([far.provider(creditsPerImage: 1)])
    let other = try fixture.engine([far.provider(creditsPerImage: 1)])
    try await engine.give(3, to: "anna")
    let task = engine.generate(.patient(account: "anna"))
    await engine.waits("gen_1")
    let cancelled = try await other.cancel("gen_1")
    #expect(cancelled.state == .cancelled && cancelled.credits.released == 1)
    #expect(try await other.credits(of: "anna") == [4, 0])
    let result = Task { try await task.value.result }
    try await fixture.heartbeats { await engine.generations.load().queued == 0 }
    #expect(try await result.value?.state == .cancelled)
    try await engine.leaveWithTheLedgerInOrder()
    await other.leave()
  }

  @Test("a waiting request goes on waiting when it cannot be written that it begins, and nothing is sent")
  func cannotClaim() async throws {
    let far = FarProvider()
    let provider = far.provider()
    let engine = try fixture.engine([provider])
    let task = engine.generate(.patient())
    await engine.waits("gen_1")
    let database = try DatabaseQueue(beside: fixture.directory)
    try await database.write {
      try $0.execute(
        sql: """
          CREATE TRIGGER disk_is_full BEFORE UPDATE OF state ON generation WHEN NEW.state = 'running'
          BEGIN SELECT RAISE(ABORT, 'no room'); END
          """)
    }
    far.connect()
    // It is there again, which each look finds anew.
    try await fixture.heartbeats { provider.probes >= 1 }
    for _ in 0..<5 { await engine.generations.lookAtQueue() }
    #expect(try await engine.row("gen_1")?.state == .queued)
    #expect(provider.requests.count == 1)
    try await database.write { try $0.execute(sql: "DROP TRIGGER disk_is_full") }
    try await fixture.heartbeats { provider.requests.count >= 2 }
    #expect(try await task.value.result?.state == .succeeded)
    await engine.leave()
  }

  @Test("a waiting request is cancelled with the request that asked for it")
  func cancelRequest() async throws {
    let far = FarProvider()
    let engine = try fixture.engine([far.provider()])
    let task = engine.generate(.patient())
    await engine.waits("gen_1")
    task.cancel()
    #expect(try await task.value.result?.state == .cancelled)
    #expect(try await engine.queue().waiting == 0)
    await engine.leave()
  }

  @Test("a waiting request tells all processes its place in the line and how long it may take")
  func status() async throws {
    let far = FarProvider(isCutOff: false)
    let provider = far.provider(maximumConcurrentImages: 1)
    let engine = try fixture.engine([provider])
    _ = try await engine.generations.generate(.picture("a pier"), for: Caller())
    far.cutOff()
    _ = engine.generate(.patient())
    await engine.waits("gen_2")
    _ = engine.generate(.patient())
    await engine.waits("gen_3")
    let other = try fixture.engine([far.provider(maximumConcurrentImages: 1)])
    let status = try #require(try await other.status("gen_3"))
    #expect(status.state == .queued && status.progress?.queuePosition == 2)
    #expect(status.progress?.etaMs != nil)
    #expect(status.progress?.message == "Waiting for Scripted…")
    #expect(try await other.queue().waiting == 2)
    await other.leave()
    await engine.leave()
  }
}
