import AtelierProtocol
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("What every shape of request is estimated at", .timeLimit(.minutes(3)))
struct EstimateShapeTests {
  private static let photo = ImageSource.path(Fixture.path("images/plain.jpg"))

  private static func make(
    _ recipe: Recipe, _ output: Generate.Output? = nil, provider: [ProviderID] = ["cheap"],
    refining result: ImageSource? = nil, references: [ImageSource]? = nil, cache: CachePolicy? = nil,
    whenOffline: OfflinePolicy? = nil, isPrivate: Bool? = nil, detach: Bool? = nil
  ) -> Generate {
    Generate(
      recipe: recipe, image: recipe == .create ? nil : result ?? photo, references: references,
      prompt: recipe == .headshot ? nil : "x", output: output, provider: ProviderChoice(provider), account: "anna",
      cache: cache, whenOffline: whenOffline, private: isPrivate, detach: detach)
  }

  private enum Shape: Sendable {
    case generate(Generate)
    case regenerate(Regenerate)
  }

  /// Each with its cost and how many pictures it makes. `gen_1` is one picture and `gen_2` two, by `cheap`; `cheap`
  /// costs 1 a picture, `dear` 3, and `free` nothing.
  private static let shapes: [(shape: Shape, cost: Int, images: Int)] = [
    (.generate(make(.headshot)), 1, 1), (.generate(make(.headshot, Generate.Output(count: 4))), 4, 4),
    (.generate(make(.hairstyle)), 1, 1), (.generate(make(.hairstyle, Generate.Output(count: 3))), 3, 3),
    (.generate(make(.hairstyle, Generate.Output(mode: .multiAngle))), 4, 4),
    (.generate(make(.hairstyle, Generate.Output(mode: .multiAngle, count: 1), provider: ["dear"])), 12, 4),
    (.generate(make(.hairstyle, Generate.Output(mode: .multiAngle), provider: ["free"])), 0, 4),
    (.generate(make(.edit, references: [photo, photo])), 1, 1), (.generate(make(.create)), 1, 1),
    (.generate(make(.create, Generate.Output(count: 2), provider: ["dear"])), 6, 2),
    (.generate(make(.create, provider: ["free"])), 0, 1),
    // The dearest that may be asked counts.
    (.generate(make(.create, Generate.Output(count: 2), provider: ["cheap", "dear"])), 6, 2),
    (.generate(make(.create, provider: ["free", "cheap"])), 1, 1),
    (.generate(make(.edit, refining: .generation("gen_2", index: 1))), 1, 1),
    (.generate(make(.create, cache: .bypass)), 1, 1), (.generate(make(.create, whenOffline: .queue)), 1, 1),
    (.generate(make(.create, Generate.Output(inline: true), isPrivate: true)), 1, 1),
    (.generate(make(.create, detach: true)), 1, 1),
    (.regenerate(Regenerate(generationId: "gen_1")), 1, 1), (.regenerate(Regenerate(generationId: "gen_2")), 2, 2),
    (.regenerate(Regenerate(generationId: "gen_1", output: Generate.Output(count: 3))), 3, 3),
    (.regenerate(Regenerate(generationId: "gen_2", provider: ProviderChoice("dear"))), 6, 2),
  ]

  private func engine() async throws -> TestEngine {
    var configuration = EngineConfiguration.withoutRetries
    configuration.credits.limits = []
    let engine = try ServiceFixture().engine(
      [("cheap", 1), ("dear", 3), ("free", 0)].map {
        ScriptedProvider(id: $0.0, isLocal: false, creditsPerImage: $0.1)
      }, configuration: configuration)
    try await engine.give(99, to: "anna")
    var first = Generate.picture("one", account: "anna", provider: "cheap")
    _ = try await engine.generations.generate(first, for: Caller())
    first.output?.count = 2
    _ = try await engine.generations.generate(first, for: Caller())
    return engine
  }

  @Test("the estimate of every shape of request is the most that is then set aside and charged", arguments: shapes.indices)
  func charged(index: Int) async throws {
    let (shape, cost, images) = Self.shapes[index]
    let engine = try await engine()
    let before = try await engine.credits(of: "anna")[0]
    let estimate: CreditsEstimate.Result
    let answer: Generation
    switch shape {
    case .generate(let request):
      estimate = try await engine.engine.estimate(CreditsEstimate(request), for: Caller())
      answer = try await engine.generations.generate(request, for: Caller())
    case .regenerate(let request):
      estimate = try await engine.engine.estimate(CreditsEstimate(request), for: Caller())
      answer = try await engine.generations.regenerate(request, for: Caller())
    }
    #expect(estimate.cost == cost && estimate.images == images && estimate.allowed)
    #expect(estimate.balance.available == before)
    if answer.acceptance != nil { await engine.announcements.finish() }
    let row = try #require(try await engine.row("gen_3"))
    #expect(row.credits?.held ?? 0 == cost)
    #expect(row.creditsCharged <= cost)
    // With several providers the first serves, which may cost less.
    let served = ["cheap": 1, "dear": 3, "free": 0][row.provider?.rawValue ?? ""] ?? 0
    #expect(row.creditsCharged == served * images)
    #expect(row.provider == estimate.provider)
    #expect(row.images.count == (row.isPrivate ? 1 : images))
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the estimate is the cost of making it, even where history then answers at no cost")
  func cached() async throws {
    let engine = try await engine()
    let request = Generate.picture("one", account: "anna", provider: "cheap")
    let estimate = try await engine.engine.estimate(CreditsEstimate(request), for: Caller())
    #expect(estimate.cost == 1 && estimate.allowed)
    let result = try await engine.generations.generate(request, for: Caller()).result
    #expect(result?.cached == true && result?.credits.charged == 0)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the estimate of a regeneration is nothing where its key was used, and refused for what regenerate refuses")
  func regenerated() async throws {
    let engine = try await engine()
    let keyed = Regenerate(generationId: "gen_1", idempotencyKey: "k")
    _ = try await engine.generations.regenerate(keyed, for: Caller())
    let same = try await engine.engine.estimate(CreditsEstimate(keyed), for: Caller())
    #expect(same.cost == 0 && same.allowed)
    let other = try await engine.engine.estimate(
      CreditsEstimate(Regenerate(generationId: "gen_2", idempotencyKey: "k")), for: Caller())
    #expect(other.refusal?.data.kind == "idempotency_mismatch")
    let error = await #expect(throws: AtelierError.self) {
      try await engine.engine.estimate(CreditsEstimate(Regenerate(generationId: "gen_9")), for: Caller())
    }
    #expect(error?.kind == .notFound)
    try await engine.leaveWithTheLedgerInOrder()
  }
}
