import AtelierProtocol
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("What pictures cost", .timeLimit(.minutes(3)))
struct CostTests {
  private static func provider(
    _ id: ProviderID, _ credits: Int, failing failure: ErrorKind? = nil
  ) -> ScriptedProvider {
    ScriptedProvider(id: id, isLocal: false, creditsPerImage: credits) { _, _ in
      if let failure { throw AtelierError(failure, provider: id) }
      return try ScriptedProvider.picture()
    }
  }

  private static func request(_ ids: ProviderID..., count: Int? = nil) -> Generate {
    Generate(
      recipe: .create, prompt: "a lighthouse", output: Generate.Output(count: count), provider: ProviderChoice(ids),
      account: "anna")
  }

  private func made(
    _ providers: [ScriptedProvider], _ request: Generate, _ configuration: EngineConfiguration = .withoutRetries
  ) async throws -> Credits {
    let engine = try ServiceFixture().engine(providers, configuration: configuration)
    try await engine.give(19, to: "anna")
    let result = try #require(try await engine.generations.generate(request, for: Caller()).result)
    try await engine.leaveWithTheLedgerInOrder()
    return result.credits
  }

  @Test("the cost is the provider's own for each picture; the dearest is set aside, the one that served charged")
  func fallback() async throws {
    let dear = Self.provider("dear", 5)
    let cheap = Self.provider("cheap", 2)
    let broken = Self.provider("broken", 1, failing: .offline)
    #expect(
      try await made([cheap, dear], Self.request("cheap", "dear"))
        == Credits(held: 5, charged: 2, released: 3, balanceAfter: 18))
    #expect(
      try await made([broken, dear], Self.request("broken", "dear", count: 2))
        == Credits(held: 10, charged: 10, released: 0, balanceAfter: 10))
    #expect(
      try await made([Self.provider("broken", 5, failing: .offline), cheap], Self.request("broken", "cheap"))
        == Credits(held: 5, charged: 2, released: 3, balanceAfter: 18))
  }

  @Test("the cost of a provider that costs nothing is nothing, though credits were set aside for a dearer one")
  func free() async throws {
    let broken = Self.provider("broken", 1, failing: .offline)
    #expect(
      try await made([broken, Self.provider("free", 0)], Self.request("broken", "free"))
        == Credits(held: 1, charged: 0, released: 1, balanceAfter: 20))
  }

  @Test("the cost is each picture's own where several providers served")
  func mixed() async throws {
    let first = ScriptedProvider(id: "first", isLocal: false, creditsPerImage: 4) { request, _ in
      guard request.variation == 0 else { throw AtelierError(.offline, provider: "first") }
      return try ScriptedProvider.picture()
    }
    #expect(
      try await made([first, Self.provider("second", 2)], Self.request("first", "second", count: 3))
        == Credits(held: 12, charged: 8, released: 4, balanceAfter: 12))
  }

  @Test("a cost of nothing sets nothing aside, and the account's limits hold all the same")
  func nothing() async throws {
    var configuration = EngineConfiguration.withoutRetries
    configuration.credits.limits = [UsageLimit(.minute, recipe: .create, limit: 1)]
    let engine = try ServiceFixture().engine([ScriptedProvider()], configuration: configuration)
    let result = try #require(try await engine.generations.generate(.picture(account: "anna"), for: Caller()).result)
    #expect(result.credits == Credits(balanceAfter: nil))
    #expect(engine.creditsTold == [])
    let refusal = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    }
    #expect(refusal.kind == .rateLimited)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the cost is what the most exact rule says, of two alike the last")
  func rules() {
    let provider = Self.provider("p", 1)
    var costs = CreditCosts()
    let picture = Generate.picture()
    let hair = Generate(recipe: .hairstyle, prompt: "short")
    let turned = Generate(recipe: .hairstyle, prompt: "short", output: Generate.Output(mode: .multiAngle))
    func all() -> [Int] { [picture, hair, turned].map { costs.perPicture(by: provider, for: $0) } }
    #expect(all() == [1, 1, 1])
    costs.rules = [CreditCosts.Rule(provider: "other", credits: 9)]
    #expect(all() == [1, 1, 1])
    costs.rules.append(CreditCosts.Rule(provider: "p", recipe: .hairstyle, credits: 3))
    costs.rules.append(CreditCosts.Rule(provider: "p", credits: 2))
    #expect(all() == [2, 3, 3])
    costs.rules.append(CreditCosts.Rule(provider: "p", mode: .multiAngle, credits: 7))
    #expect(all() == [2, 3, 3])
    costs.rules.append(CreditCosts.Rule(provider: "p", recipe: .hairstyle, mode: .multiAngle, credits: 4))
    costs.rules.append(CreditCosts.Rule(provider: "p", recipe: .hairstyle, mode: .multiAngle, credits: 5))
    #expect(all() == [2, 3, 5])
  }

  @Test("the cost counts four pictures for several angles, the count else, and one list of places")
  func pictures() {
    let policy = CreditPolicy()
    let provider = Self.provider("p", 2)
    func held(_ request: Generate, of account: AccountID = "anna") -> Int? {
      policy.metering(of: account, for: request, asking: [provider])?.credits
    }
    #expect(held(.picture()) == 2)
    #expect(held(.picture(count: 3)) == 6)
    #expect(held(Generate(recipe: .hairstyle, output: Generate.Output(mode: .multiAngle))) == 8)
    #expect(held(Generate(recipe: .places, prompt: "a beach")) == 2)
    #expect(held(.picture(), of: .owner) == nil)
  }
}
