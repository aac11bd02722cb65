import AtelierProtocol
import ServiceFixture
import Support
import Testing

@testable import Engine

@Suite("A store that takes questions and never answers", .timeLimit(.minutes(3)))
struct HealthMemoryTests {
  private let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  private static func health(_ path: String, isHealthy: Bool = true) -> HealthMemory.Health {
    HealthMemory.Health(
      store: ServiceStatus.StoreHealth(path: path, schemaVersion: 1, healthy: isHealthy), providers: [])
  }

  private static let limit = Duration.milliseconds(HealthMemory.longestMs)

  @Test("the health that was known last is told with its age, at once after the first has waited; the answer ends that")
  func silence() async throws {
    let memory = HealthMemory(fixture.surroundings)
    let questions = Gate()
    let gate = Gate()
    let unknown = Self.health("unknown", isHealthy: false)
    let first = await memory.health(asking: { Self.health("first") }, orElse: unknown)
    #expect(first.store.path == "first" && first.store.healthy && first.store.ageMs == nil)
    fixture.clock.advance(by: .seconds(5))
    @Sendable func ask() async -> HealthMemory.Health {
      await memory.health(
        asking: {
          questions.arrive()
          try? await gate.pass()
          return Self.health("second")
        }, orElse: unknown)
    }
    let waiting = Task { await ask() }
    await fixture.clock.someoneSleeps(for: Self.limit)
    fixture.clock.advance(by: Self.limit)
    let told = await waiting.value
    #expect(told.store.path == "first" && !told.store.healthy && told.store.ageMs == 7_000)
    #expect(told.store.problem?.contains("has not answered for 2 seconds") == true)
    // Seven at once: none waits, and the store is asked nothing more.
    for _ in 0..<7 { #expect(await ask().store.ageMs == 7_000) }
    #expect(questions.arrivals == 1)
    gate.open()
    try await until { await ask().store.path == "second" }
    let again = await ask()
    #expect(again.store.healthy && again.store.ageMs == nil)
  }

  @Test("a store that has never answered is told as unknown")
  func neverAnswered() async throws {
    let memory = HealthMemory(fixture.surroundings)
    let gate = Gate()
    let waiting = Task {
      await memory.health(
        asking: {
          try? await gate.pass()
          return Self.health("late")
        }, orElse: Self.health("unknown", isHealthy: false))
    }
    await fixture.clock.someoneSleeps(for: Self.limit)
    fixture.clock.advance(by: Self.limit)
    let told = await waiting.value
    #expect(told.store.path == "unknown" && !told.store.healthy && told.store.ageMs == nil && told.store.problem != nil)
    gate.open()
  }

  @Test("a status is answered while the store is being opened and nothing answers")
  func status() async throws {
    let opening = Gate()
    let provider = ScriptedProvider()
    let engine = try fixture.engine([provider], opening: opening)
    let asking = Task { try await engine.engine.status(Status(), for: Caller()) }
    await opening.hasSeen()
    await fixture.clock.someoneSleeps(for: Self.limit)
    fixture.clock.advance(by: Self.limit)
    for _ in 0..<3 {
      guard case .service(let status) = try await engine.engine.status(Status(), for: Caller()) else { return }
      #expect(!status.store.healthy && status.store.problem?.contains("has not answered") == true)
      #expect(status.providers.map(\.id) == ["scripted"] && status.providers.allSatisfy(\.available))
    }
    guard case .service(let first) = try await asking.value else { return }
    #expect(!first.store.healthy)
    opening.open()
    _ = try await engine.engine.lazyStore.store()
    try await until {
      guard case .service(let status) = try await engine.engine.status(Status(), for: Caller()) else { return false }
      return status.store.healthy
    }
    await engine.leave()
  }
}
