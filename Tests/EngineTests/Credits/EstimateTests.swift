import AtelierProtocol
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("An estimate", .timeLimit(.minutes(3)))
struct EstimateTests {
  private static let requests: [Generate] = [
    .picture(account: "anna"), .picture(count: 3, account: "anna"), .picture(account: "anna", provider: "dear"),
    .picture(account: "anna", provider: "free"),
    Generate(
      recipe: .create, prompt: "x", output: Generate.Output(count: 2), provider: ProviderChoice(["cheap", "dear"]),
      account: "anna"),
    Generate(
      recipe: .hairstyle, image: .path(Fixture.path("images/plain.jpg")), prompt: "short",
      output: Generate.Output(mode: .multiAngle), account: "anna"),
    .picture(),
  ]

  private static func providers(waitingAt gate: Gate) -> [ScriptedProvider] {
    [("cheap", 1), ("dear", 3), ("free", 0)].map {
      ScriptedProvider(id: $0.0, creditsPerImage: $0.1, waitingAt: gate)
    }
  }

  @Test("an estimate is what is then set aside, and sets nothing aside itself", arguments: requests.indices)
  func held(index: Int) async throws {
    let request = Self.requests[index]
    let gate = Gate()
    let engine = try ServiceFixture().engine(Self.providers(waitingAt: gate))
    try await engine.give(19, to: "anna")
    let estimate = try await engine.engine.estimate(CreditsEstimate(request), for: Caller())
    #expect(estimate.allowed && estimate.refusal == nil)
    #expect(estimate.images == request.pictureCount)
    #expect(try await engine.credits(of: "anna") == [20, 0])
    #expect(try await engine.entry("gen_1") == nil)
    let task = engine.generate(request)
    await gate.hasSeen()
    #expect(try await engine.credits(of: "anna") == [20 - estimate.cost, estimate.cost])
    #expect(try await engine.row("gen_1")?.provider == estimate.provider)
    _ = try await engine.cancel("gen_1")
    _ = try await task.value
    try await engine.leaveWithTheLedgerInOrder()
  }

  /// Makes something stand in the way of anna's next picture.
  private typealias Obstacle = @Sendable (TestEngine) async throws -> Void

  private static let obstacles: [(ErrorKind, Obstacle)] = [
    (.insufficientCredits, { _ = try await $0.generations.generate(.picture("a pier", account: "anna"), for: Caller()) }),
    (.concurrentLimit, { engine in
      try await engine.give(1, to: "anna")
      _ = try await engine.generations.generate(.picture(account: "anna", detach: true, provider: "slow"), for: Caller())
    }),
    (.rateLimited, { engine in
      try await engine.give(9, to: "anna")
      for _ in 0..<2 { _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller()) }
    }),
    (.coolingDown, { engine in
      try await engine.engine.lazyStore.store().coolDown(
        Cooldown(
          provider: "scripted", setAt: engine.clock.now,
          until: Timestamp(milliseconds: engine.clock.now.milliseconds + 5_000), kind: .rateLimited, message: "Later.",
          details: [:]))
    }),
  ]

  @Test("an estimate tells the refusal that the request would meet, with all it says", arguments: obstacles.indices)
  func refusal(index: Int) async throws {
    let (kind, obstacle) = Self.obstacles[index]
    var configuration = EngineConfiguration.withoutRetries
    configuration.credits.limits = [UsageLimit(.concurrent, limit: 1), UsageLimit(.minute, recipe: .create, limit: 2)]
    let gate = Gate()
    let engine = try ServiceFixture().engine(
      [ScriptedProvider(creditsPerImage: 1), ScriptedProvider(id: "slow", waitingAt: gate)],
      configuration: configuration)
    try await obstacle(engine)
    let request = Generate.picture(account: "anna")
    let estimate = try await engine.engine.estimate(CreditsEstimate(request), for: Caller())
    let refusal = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(request, for: Caller())
    }
    #expect(refusal.kind == kind)
    #expect(!estimate.allowed)
    #expect(estimate.refusal == refusal.body(at: engine.clock.now))
    #expect(estimate.provider == "scripted" && estimate.cost == 1)
    gate.open()
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("an estimate is refused for what generate refuses at any time", arguments: [
    Generate(recipe: .create), Generate(recipe: .headshot, image: .path("nothing-here.jpg")),
    .picture(provider: "nobody"), Generate(recipe: .headshot, image: .generation("gen_9", index: 0)),
    .picture(account: "ben"),
  ])
  func wrong(request: Generate) async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    let caller = Caller(confinedTo: request.account == nil ? nil : "anna")
    let expected = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(request, for: caller)
    }
    let found = try await #require(throws: AtelierError.self) {
      try await engine.engine.estimate(CreditsEstimate(request), for: caller)
    }
    #expect(found == expected)
    await engine.leave()
  }

  @Test("an estimate is nothing where the key was used, and tells when it was used for something else")
  func repeated() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    _ = try await engine.generations.generate(.picture(key: "k", account: "anna"), for: Caller())
    let same = try await engine.engine.estimate(
      CreditsEstimate(.picture(key: "k", account: "anna")), for: Caller())
    #expect(same.cost == 0 && same.images == 0 && same.allowed)
    let other = try await engine.engine.estimate(
      CreditsEstimate(.picture("another", key: "k", account: "anna")), for: Caller())
    #expect(other.refusal?.data.kind == "idempotency_mismatch")
    #expect(other.balance.available == 0)
    try await engine.leaveWithTheLedgerInOrder()
  }
}
