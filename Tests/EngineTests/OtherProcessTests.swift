import AtelierProtocol
import Store
import ServiceFixture
import Testing

@testable import Engine

/// Two engines on one data directory stand for two processes.
@Suite("Other processes", .timeLimit(.minutes(3)))
struct OtherProcessTests {
  @Test("other processes see where a generation stands, and its end")
  func status() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    let task = worker.generate(.picture())
    await gate.hasSeen()
    await worker.announcements.reach(.processing)
    let step = Duration.milliseconds(EngineConfiguration().heartbeatMs / 2)
    await fixture.clock.someoneSleeps(for: step)
    fixture.clock.advance(by: step)
    try await until { try await other.status("gen_1")?.progress?.phase == .processing }
    let seen = try #require(try await other.status("gen_1"))
    #expect(seen.state == .running)
    #expect(seen.progress?.fraction == 0.5)
    #expect((seen.progress?.sequence ?? 0) > 0)
    gate.open()
    let result = try await task.value.result
    #expect(try await other.status("gen_1")?.result == result)
    await worker.leave()
    await other.leave()
  }

  @Test("other processes can cancel a generation; its own stops the work within a heartbeat and answers once")
  func cancel() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    let task = worker.generate(.picture())
    await gate.hasSeen()
    #expect(try await other.cancel("gen_1").state == .cancelled)
    #expect(try await other.cancel("gen_1").state == .cancelled)
    let step = Duration.milliseconds(EngineConfiguration().heartbeatMs / 2)
    await fixture.clock.someoneSleeps(for: step)
    fixture.clock.advance(by: step)
    #expect(try await task.value.result?.state == .cancelled)
    #expect(try await worker.entry("gen_1")?.state == .cancelled)
    await worker.leave()
    await other.leave()
  }

  @Test("other processes that cancel while the end is on its way keep the pictures from being stored")
  func cancelBeforeEnd() async throws {
    let fixture = try ServiceFixture()
    let folder = try fixture.temporary.makeFolder("out")
    let gate = Gate()
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    let task = worker.generate(.picture(directory: folder))
    await gate.hasSeen()
    _ = try await other.cancel("gen_1")
    gate.open()
    #expect(try await task.value.result?.state == .cancelled)
    await worker.leave()
    await other.leave()
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(fixture.temporary.files(below: "out").isEmpty)
  }

  @Test("other processes wait for the end of what they ask for with the same key")
  func join() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let provider = ScriptedProvider()
    let other = try fixture.engine([provider])
    let task = worker.generate(.picture(key: "k"))
    await gate.hasSeen()
    let joined = other.generate(.picture(key: "k"))
    await fixture.clock.someoneSleeps(for: .milliseconds(250))
    gate.open()
    let result = try await task.value
    fixture.clock.advance(by: .milliseconds(250))
    #expect(try await joined.value == result)
    #expect(provider.requests.isEmpty)
    await worker.leave()
    await other.leave()
  }

  @Test("other processes that forget a running generation end it")
  func delete() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let worker = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    let task = worker.generate(.picture())
    await gate.hasSeen()
    let deleted = try await other.engine.deleteHistory(
      HistoryDelete(target: .generation("gen_1", account: nil)), for: Caller())
    #expect(deleted.deleted == 1)
    gate.open()
    #expect(try await task.value.result?.state == .cancelled)
    #expect(try await other.entry("gen_1") == nil)
    await worker.leave()
    await other.leave()
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
  }

  @Test("other processes that serve a host do what an ended process left queued; those that only read do not")
  func adopt() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let first = try fixture.engine([ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate)])
    for index in 1...3 {
      _ = try await first.generations.generate(
        .picture("picture \(index)", detach: true, timeoutMs: 3_600_000), for: Caller())
    }
    await gate.hasSeen()
    // The process is asked to end: what nothing was sent for stays.
    await first.generations.abandon()
    await first.leave()
    #expect(first.announcements.finished.isEmpty)

    let reader = try fixture.engine([ScriptedProvider()])
    for id in ["gen_1", "gen_2", "gen_3"] as [GenerationID] { #expect(try await reader.status(id)?.state == .queued) }
    _ = try await reader.engine.history(History(), for: Caller())
    await reader.leave()

    let provider = ScriptedProvider()
    let second = try fixture.engine([provider])
    await second.engine.serve()
    #expect(try await second.status("gen_1")?.state == .queued)
    try await fixture.heartbeats { second.announcements.finished.count >= 3 }
    await second.leave()
    #expect(Set(second.announcements.finished.map(\.generationId)) == ["gen_1", "gen_2", "gen_3"])
    for finished in second.announcements.finished { #expect(finished.state == .succeeded, "\(finished)") }
    #expect(provider.requests.count == 3)
  }

  @Test("other processes do not begin what was sent already, whose process is asked to end")
  func sentIsCancelled() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let far = FarProvider(isCutOff: false) { _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let first = try fixture.engine([far.provider()])
    _ = try await first.generations.generate(.picture(detach: true), for: Caller())
    await gate.hasSeen()
    await first.generations.abandon()
    await first.leave()
    #expect(first.announcements.finished.map(\.state) == [.cancelled])
  }

  @Test("other processes do not find queued what only its own process could do")
  func privateIsNotAdopted() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let first = try fixture.engine([ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate)])
    _ = try await first.generations.generate(.picture(detach: true), for: Caller())
    await gate.hasSeen()
    _ = try await first.generations.generate(.picture(inline: true, detach: true, private: true), for: Caller())
    await first.generations.abandon()
    await first.leave()
    let second = try fixture.engine([ScriptedProvider()])
    #expect(try await second.status("gen_2")?.state == .cancelled)
    #expect(try await second.status("gen_1")?.state == .queued)
    await second.leave()
  }

  @Test("other processes are waited for no longer than a drain allows")
  func drainLimit() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let far = FarProvider(isCutOff: false) { _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([far.provider()])
    _ = try await engine.generations.generate(.picture(detach: true), for: Caller())
    await gate.hasSeen()
    let draining = Task { await engine.generations.leave(milliseconds: 30_000) }
    await fixture.clock.someoneSleeps(for: .milliseconds(30_000))
    #expect(engine.announcements.finished.isEmpty)
    fixture.clock.advance(by: .milliseconds(30_000))
    await draining.value
    #expect(engine.announcements.finished.map(\.state) == [.cancelled])
    await engine.leave()
  }
}
