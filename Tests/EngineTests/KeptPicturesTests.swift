import AtelierProtocol
import Encodings
import GRDB
import Providers
import Store
import Synchronization
import ServiceFixture
import Testing

@testable import Engine

@Suite("Pictures that were paid for are kept", .timeLimit(.minutes(3)))
struct KeptPicturesTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  @Test("the pictures that are there at the deadline are delivered, the others have timed out", arguments: [false, true])
  func partialAtTheDeadline(isMultiAngle: Bool) async throws {
    let gate = Gate()
    let made = Gate(isOpen: true)
    let asked = Mutex(0)
    let provider = ScriptedProvider(isLocal: false, creditsPerImage: 1) { _, progress in
      progress(ImageProgress(phase: .processing, message: "Painting…"))
      let number = asked.withLock { count in
        count += 1
        return count
      }
      if number == 4 { try await gate.pass() }
      made.arrive()
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    try await engine.give(9, to: "anna")
    var request = Generate.picture(count: isMultiAngle ? nil : 4, account: "anna", timeoutMs: 30_000)
    if isMultiAngle {
      request = Generate(
        recipe: .hairstyle, image: .path(Fixture.path("images/plain.jpg")), prompt: "a bob",
        output: Generate.Output(mode: .multiAngle), timeoutMs: 30_000, account: "anna")
    }
    let task = engine.generate(request)
    await gate.hasSeen()
    await made.hasSeen(3)
    await fixture.clock.someoneSleeps(for: .milliseconds(30_000))
    fixture.clock.advance(by: .milliseconds(30_000))
    let result = try #require(try await task.value.result)
    #expect(result.state == .partial && result.images.count == 3)
    #expect(result.failures.map(\.error.data.kind) == ["timed_out"])
    #expect(result.credits == Credits(held: 4, charged: 3, released: 1, balanceAfter: 7))
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the answer waits for a database that is busy at the end until the pictures are written; a cancel ends the wait")
  func busyDatabase() async throws {
    for isCancelled in [false, true] {
      let gate = Gate()
      let engine = try fixture.engine([ScriptedProvider(creditsPerImage: 1, waitingAt: gate)])
      try await engine.give(1, to: "anna")
      let before = try await engine.credits(of: "anna")
      let task = engine.generate(.picture("one \(isCancelled)", account: "anna"))
      await gate.hasSeen()
      let id = try #require(await engine.generations.liveIDs.first)
      // Longer than the store itself waits for others.
      let lock = try await WriteLock(fixture.directory)
      gate.open()
      await fixture.clock.someoneSleeps(for: engine.engine.parts.heartbeatInterval)
      try await until { await engine.generations.ends.isKept(id) }
      if isCancelled {
        task.cancel()
        #expect(try await task.value.result?.state == .cancelled)
      }
      try await lock.release()
      try await fixture.heartbeats { try await engine.row(id)?.state.isFinal == true }
      #expect(try await task.value.result?.state == (isCancelled ? .cancelled : .succeeded))
      #expect(try await engine.row(id)?.state == (isCancelled ? .cancelled : .succeeded))
      #expect(try await engine.credits(of: "anna") == [before[0] - (isCancelled ? 0 : 1), 0])
      try await engine.leaveWithTheLedgerInOrder()
    }
  }

  @Test("a request that is cancelled ends as cancelled, however early that comes", arguments: [false, true])
  func cancelledEarly(isDetached: Bool) async throws {
    let engine = try fixture.engine([ScriptedProvider(creditsPerImage: 1)])
    try await engine.give(60, to: "anna")
    for number in 0..<15 {
      let request = Generate.picture("picture \(number)", account: "anna", detach: isDetached)
      let task = Task { [sessions = engine.generations] in
        // Cancelled before it is even looked at.
        withUnsafeCurrentTask { $0?.cancel() }
        return try await sessions.generate(request, for: Caller())
      }
      let answer = try await task.value
      #expect(isDetached ? answer.acceptance != nil : answer.result?.state == .cancelled)
      try await until { try await engine.row(GenerationID(rawValue: "gen_\(number + 1)"))?.state == .cancelled }
    }
    #expect(try await engine.credits(of: "anna") == [61, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the same request is answered from history although no credit is left, and never made for nothing")
  func cachedWithoutCredits() async throws {
    let provider = ScriptedProvider(creditsPerImage: 1)
    let engine = try fixture.engine([provider])
    // A guest has one credit.
    _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    let estimate = try await engine.engine.estimate(CreditsEstimate(.picture(account: "anna")), for: Caller())
    #expect(estimate.allowed && estimate.cost == 0)
    let again = try #require(try await engine.generations.generate(.picture(account: "anna"), for: Caller()).result)
    #expect(again.cached && again.credits.charged == 0)
    for request in [Generate.picture("another", account: "anna"), .picture(count: 2, account: "anna")] {
      let error = await #expect(throws: AtelierError.self) {
        try await engine.generations.generate(request, for: Caller())
      }
      #expect(error?.kind == .insufficientCredits)
    }
    #expect(provider.requests.count == 1)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("an idempotency key makes the picture after all where its generation ended without one and without a charge",
    arguments: [
      (AtelierError(.offline, provider: "scripted"), true), (AtelierError(.overloaded), true),
      (AtelierError(.providerUnavailable, provider: "scripted"), true),
      (AtelierError(.offline, provider: "scripted", details: ["mayHaveBeenCharged": true]), false),
      (AtelierError(.noImageReturned, provider: "scripted"), false),
      (AtelierError(.providerTimeout, provider: "scripted"), false),
      (AtelierError(.contentBlocked, provider: "scripted"), false),
    ])
  func keyAgain(failure: AtelierError, isTriedAgain: Bool) async throws {
    let far = FarProvider(failure: failure)
    let provider = far.provider(creditsPerImage: 1)
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    let request = Generate.picture(key: "k", account: "anna")
    let first = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(request, for: Caller())
    }
    #expect(first?.kind == failure.kind && first?.isRetryable == isTriedAgain)
    far.connect()
    let estimate = try await engine.engine.estimate(CreditsEstimate(request), for: Caller())
    #expect(estimate.cost == (isTriedAgain ? 1 : 0))
    if isTriedAgain {
      #expect(try await engine.generations.generate(request, for: Caller()).result?.state == .succeeded)
      // From now on the key stands for that.
      #expect(try await engine.generations.generate(request, for: Caller()).result?.generationId == "gen_2")
      #expect(provider.requests.count == 2)
    } else {
      let again = await #expect(throws: AtelierError.self) {
        try await engine.generations.generate(request, for: Caller())
      }
      #expect(again == first)
      #expect(provider.requests.count == 1)
    }
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a picture that came within a detached request leaves the memory, survives its process and is erased at the end")
  func inlinePicture() async throws {
    let photo = try #require(InlineImage(base64: Base64.encoded(try Fixture.bytes("images/plain.jpg"))))
    let gate = Gate()
    let request = Generate(
      recipe: .edit, image: .data(photo), prompt: "a hat", timeoutMs: 3_600_000, idempotencyKey: "k", detach: true)
    do {
      let first = try fixture.engine([ScriptedProvider(waitingAt: gate)])
      _ = try await first.generations.generate(request, for: Caller())
      await gate.hasSeen()
      guard case .prepared = await first.generations.request(of: "gen_1")?.image else {
        Issue.record("the picture is still in memory")
        return
      }
      await first.generations.abandon()
      await first.leave()
    }
    let provider = ScriptedProvider()
    let second = try fixture.engine([provider])
    await second.engine.serve()
    #expect(try await second.status("gen_1")?.state == .queued)
    try await fixture.heartbeats { try await second.row("gen_1")?.state == .succeeded }
    #expect(provider.requests.first?.photo == (try Fixture.bytes("images/plain.jpg")))
    // The key stands for what was sent, not for where it was kept.
    #expect(try await second.generations.generate(request, for: Caller()).result?.generationId == "gen_1")
    let store = try await second.engine.lazyStore.store()
    #expect(try await store.eraseExpiredPrepared() == 1)
    await second.leave()
  }

  @Test("more requests than a process can hold are refused, and are taken when some have ended")
  func overloaded() async throws {
    var configuration = EngineConfiguration()
    configuration.maximumOpen = 2
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)], configuration: configuration)
    let tasks = [engine.generate(.picture("1")), engine.generate(.picture("2"))]
    await gate.hasSeen(2)
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.picture("3"), for: Caller())
    }
    #expect(error?.kind == .overloaded && error?.isRetryable == true && error?.retryAfterMs == 1000)
    gate.open()
    for task in tasks { _ = try await task.value }
    #expect(try await engine.generations.generate(.picture("3"), for: Caller()).result?.state == .succeeded)
    await engine.leave()
  }
}
