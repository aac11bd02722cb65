import AtelierProtocol
import GRDB
import Providers
import ServiceFixture
import Store
import Testing

@testable import Engine

/// What was sent may be paid for, so it is never sent twice; what was not sent is never lost.
@Suite("Whether a request was sent", .timeLimit(.minutes(3)))
struct UnsentTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  private static let sending = ImageProgress(phase: .uploading, message: "Sending…", fraction: 0)

  @Test("a detached request whose process is killed is done by the next one, unless it was sent", arguments: [
    (isLocal: false, isSent: false), (isLocal: false, isSent: true), (isLocal: true, isSent: false),
  ])
  func killed(isLocal: Bool, isSent: Bool) async throws {
    let gate = Gate()
    let provider = ScriptedProvider(isLocal: isLocal) { _, _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let worker = isLocal || isSent ? nil : try MuteWorker(in: fixture.temporary).worker
    let first = try fixture.engine([provider], worker: worker)
    var request = Generate.picture(detach: true, timeoutMs: 3_600_000)
    // The photo is still being prepared, or the provider is at work.
    if !isLocal, !isSent { (request.recipe, request.image) = (.edit, .path(Fixture.path("portraits/grace_hopper.jpg"))) }
    _ = try await first.generations.generate(request, for: Caller())
    if isLocal || isSent { await gate.hasSeen() } else { await first.announcements.reach(.preparing) }
    #expect(try await first.row("gen_1")?.state == .running)
    // As a process that is killed: its lock is free, and it does nothing any more.
    await first.engine.lazyStore.close()
    let next = ScriptedProvider(isLocal: isLocal)
    let second = try fixture.engine([next])
    await second.engine.serve()
    #expect(try await second.status("gen_1")?.state == (isSent ? .interrupted : .queued))
    if !isSent {
      try await fixture.heartbeats { try await second.row("gen_1")?.state != .queued }
      // No time passes for the worker, which prepares the photo in a process of its own.
      try await until { try await second.row("gen_1")?.state.isFinal == true }
      #expect(try await second.row("gen_1")?.state == .succeeded)
    }
    #expect(next.requests.count == (isSent ? 0 : 1))
    await second.leave()
  }

  @Test("nothing is noted, and nothing more written, for work on this machine or a request whose host waits",
    arguments: [(isLocal: true, isDetached: true, commits: 2), (false, false, 2), (false, true, 3)])
  func cost(isLocal: Bool, isDetached: Bool, commits: Int) async throws {
    let engine = try fixture.engine([ScriptedProvider(isLocal: isLocal)])
    // The first work that is paid tries everything once.
    try await engine.engine.lazyStore.store().checkReadyToPay()
    let writes = try await engine.failingWrites()
    let task = engine.generate(.picture(detach: isDetached, private: false))
    _ = try await task.value
    if isDetached { await engine.announcements.finish() }
    #expect(writes.commits == commits)
    await engine.leave()
  }

  @Test("nothing is sent while that cannot be noted; a cancel ends the wait, for nothing", arguments: [false, true])
  func cannotBeNoted(isCancelled: Bool) async throws {
    let provider = ScriptedProvider(isLocal: false, creditsPerImage: 1)
    let engine = try fixture.engine([provider])
    try await engine.give(3, to: "anna")
    let given = try await engine.credits(of: "anna")[0]
    try await engine.engine.lazyStore.store().checkReadyToPay()
    let writes = try await engine.failingWrites()
    // The acceptance is written, and nothing after it.
    writes.begin(.SQLITE_FULL, after: 1)
    _ = try await engine.generations.generate(.picture(account: "anna", detach: true, timeoutMs: 3_600_000), for: Caller())
    try await fixture.heartbeats { writes.tries >= 3 }
    #expect(provider.requests.isEmpty)
    if isCancelled { _ = try await engine.cancel("gen_1") }
    writes.end()
    let end = isCancelled ? GenerationState.cancelled : .succeeded
    try await fixture.heartbeats { try await engine.row("gen_1")?.state == end }
    #expect(provider.requests.count == (isCancelled ? 0 : 1))
    #expect(try await engine.credits(of: "anna") == [isCancelled ? given : given - 1, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a request that is sent in the moment in which its process leaves is not given back", arguments: [false, true])
  func sentLate(fallsBack: Bool) async throws {
    let gate = Gate()
    let cloud = ScriptedProvider(id: "cloud", isLocal: false) { _, progress in
      do { try await gate.pass() } catch { progress(Self.sending) }
      throw CancellationError()
    }
    let local = ScriptedProvider(id: "local") { _, _ in throw AtelierError(.unsupportedByProvider, provider: "local") }
    let engine = try fixture.engine(fallsBack ? [local, cloud] : [cloud], configuration: .withoutRetries)
    var request = Generate.picture(detach: true)
    request.provider = ProviderChoice(fallsBack ? ["local", "cloud"] : ["cloud"])
    _ = try await engine.generations.generate(request, for: Caller())
    await gate.hasSeen()
    await engine.generations.abandon()
    await engine.leave()
    #expect(engine.announcements.finished.map(\.state) == [.cancelled])
  }

  @Test("a request that fell back from this machine to a provider is not given back once it is sent")
  func fallenBack() async throws {
    let gate = Gate()
    let cloud = ScriptedProvider(id: "cloud", isLocal: false) { _, progress in
      progress(Self.sending)
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let local = ScriptedProvider(id: "local") { _, _ in throw AtelierError(.unsupportedByProvider, provider: "local") }
    let engine = try fixture.engine([local, cloud], configuration: .withoutRetries)
    var request = Generate.picture(detach: true)
    request.provider = ProviderChoice(["local", "cloud"])
    _ = try await engine.generations.generate(request, for: Caller())
    await gate.hasSeen()
    await engine.generations.abandon()
    await engine.leave()
    #expect(engine.announcements.finished.map(\.state) == [.cancelled])
  }

  @Test("the record of a request is what its tries say together", arguments: [
    (isSent: false, failure: CancellationError() as any Error, isUnsent: true), (true, CancellationError(), false),
    (true, AtelierError(.rateLimited, provider: "cloud"), true), (true, AtelierError(.offline, provider: "cloud"), true),
    (true, AtelierError(.offline, provider: "cloud", details: ["mayHaveBeenCharged": true]), false),
    (true, AtelierError(.providerTimeout, provider: "cloud"), false),
  ])
  func record(isSent: Bool, failure: any Error, isUnsent: Bool) {
    let record = SendingRecord()
    let attempt = SendingRecord.Try(record)
    #expect(record.isUnsent)
    if isSent {
      for _ in 0..<2 { attempt.isBeingSent() }
      #expect(!record.isUnsent)
    }
    attempt.end(with: failure)
    #expect(record.isUnsent == isUnsent)
    let next = SendingRecord.Try(record)
    next.isBeingSent()
    next.end(with: nil)
    #expect(!record.isUnsent)
  }

  @Test("a request that times out says that it may have been charged, exactly where it was sent", arguments: [
    (Recipe.create, false), (.create, true), (.places, false), (.places, true),
  ])
  func timesOut(recipe: Recipe, isSent: Bool) async throws {
    let gate = Gate()
    let provider = ScriptedProvider(isLocal: false) { _, progress in
      if isSent { progress(Self.sending) }
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let textProvider = ScriptedTextProvider(sends: isSent) { _, _ in
      try await gate.pass()
      return ScriptedTextProvider.says("[]")
    }
    let engine = try fixture.engine(recipe == .places ? [textProvider] : [provider], configuration: .withoutRetries)
    let source = ScriptedLocationSource(PlacesScene.austin)
    let task = engine.generate(
      Generate(recipe: recipe, prompt: "coffee", timeoutMs: 5_000), for: Caller(locationSource: source))
    await gate.hasSeen()
    await fixture.clock.someoneSleeps(for: .milliseconds(5_000))
    fixture.clock.advance(by: .milliseconds(5_000))
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .timedOut && error?.mayHaveBeenCharged == isSent)
    await engine.leave()
  }
}
