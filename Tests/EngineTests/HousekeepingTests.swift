import AtelierProtocol
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("A service that runs for days", .timeLimit(.minutes(2)))
struct HousekeepingTests {
  @Test("a service that runs for days erases prepared inputs when their time is over, though nobody asks it anything")
  func erases() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    await engine.engine.serve()
    let kept = try await prepare(in: engine)
    for _ in 0..<6 * 24 - 1 {
      await fixture.clock.someoneSleeps(for: .milliseconds(Maintenance.longestPauseMs))
      fixture.clock.advance(by: .milliseconds(Maintenance.longestPauseMs))
    }
    guard case .found(let input) = try await engine.engine.lazyStore.store().prepared(kept, account: nil) else {
      Issue.record("it is gone too early")
      return
    }
    #expect(fixture.temporary.files(below: "data/artifacts").count == 1)
    await fixture.clock.someoneSleeps(for: .milliseconds(Maintenance.longestPauseMs))
    fixture.clock.advance(by: .milliseconds(Maintenance.longestPauseMs))
    try await until { fixture.temporary.files(below: "data/artifacts").isEmpty }
    #expect(input.expires == fixture.clock.now)
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(
        Generate(recipe: .edit, image: .prepared(kept), prompt: "a hat"), for: Caller())
    }
    #expect(error?.kind == .inputExpired)
    await engine.leave()
  }

  private func prepare(in engine: TestEngine) async throws -> PreparedID {
    let store = try await engine.engine.lazyStore.store()
    let staged = try await store.stage([1, 2, 3], mimeType: "image/jpeg")
    return try await store.keepPrepared(
      PreparedKeeping(id: "prep_x", account: .owner, artifact: staged, width: 300, height: 300)).id
  }

  @Test("a service that runs for days keeps history within its caps, though nobody asks it anything")
  func caps() async throws {
    let fixture = try ServiceFixture()
    var configuration = EngineConfiguration()
    configuration.historyCaps = HistoryLimits(maximumAgeMs: 1)
    let engine = try fixture.engine([ScriptedProvider()], configuration: configuration)
    _ = try await engine.generations.generate(.picture(), for: Caller())
    await engine.generations.finishThumbnails()
    await fixture.clock.someoneSleeps(for: .milliseconds(Maintenance.longestPauseMs))
    fixture.clock.advance(by: .milliseconds(Maintenance.longestPauseMs))
    try await until { fixture.temporary.files(below: "data/artifacts").isEmpty }
    #expect(try await engine.row("gen_1") == nil)
    await engine.leave()
  }

  @Test("a service that runs for days prepares searches in an open store, and opens none, which nobody might close")
  func indexing() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    await engine.generations.maintenance.indexHistory()
    await engine.generations.maintenance.indexing?.value
    #expect(await engine.engine.lazyStore.storeIfOpen == nil)
    await engine.leave()
  }
}
