import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("A request that names no provider", .timeLimit(.minutes(3)))
struct LocalFirstTests {
  private let cloud = ScriptedProvider(id: "cloud", isLocal: false, creditsPerImage: 2)
  private let device = ScriptedProvider(id: "device", recipes: [.create])

  private func provider(_ request: Generate, of engine: TestEngine) async throws -> ProviderID? {
    try await engine.generations.generate(request, for: Caller()).provider
  }

  private let edit = Generate(
    recipe: .edit, image: .path(Fixture.path("images/plain.jpg")), prompt: "a red scarf")

  @Test("a request that names no provider is made on this machine where it can be, wherever else it could be made")
  func local() async throws {
    let engine = try ServiceFixture().engine([cloud, device])
    #expect(try await provider(.picture(), of: engine) == "device")
    #expect(cloud.requests.isEmpty)
    #expect(try await provider(.picture(provider: "cloud"), of: engine) == "cloud")
    #expect(try await provider(edit, of: engine) == "cloud")
    await engine.leave()
  }

  @Test("a request that names no provider is sent nowhere when this machine cannot do what is asked")
  func neverUploads() async throws {
    let device = ScriptedProvider(id: "device") { _, _ in
      throw AtelierError(.unsupportedByProvider, "This device cannot turn a head.", provider: "device")
    }
    let engine = try ServiceFixture().engine([device, cloud])
    let error = try await #require(throws: AtelierError.self) { try await provider(.picture(), of: engine) }
    #expect(error.kind == .unsupportedByProvider && error.provider == "device")
    #expect(cloud.requests.isEmpty)
    await engine.leave()
  }

  @Test("a request that names no provider follows the operator's order, that of its recipe first")
  func order() async throws {
    let order = ProviderOrder(overall: ["cloud", "device"], byRecipe: [.edit: ["device"]])
    let engine = try ServiceFixture().engine([device, cloud], order: order)
    #expect(try await provider(.picture(), of: engine) == "cloud")
    let error = try await #require(throws: AtelierError.self) { try await provider(edit, of: engine) }
    #expect(error.kind == .unsupportedByProvider && error.message.contains("cloud"))
    await engine.leave()
  }

  @Test("a request that names no provider goes to the first of the operator's that is ready, and on when that fails")
  func ready() async throws {
    let keyless = ScriptedProvider(
      id: "keyless", isLocal: false,
      availability: ProviderAvailability(available: false, reason: "Set a key.", needsKey: true))
    let failing = ScriptedProvider(id: "failing") { _, _ in
      throw AtelierError(.unsupportedByProvider, "This device cannot turn a head.", provider: "failing")
    }
    let engine = try ServiceFixture().engine(
      [failing, keyless, cloud], order: ProviderOrder(overall: ["keyless", "failing", "cloud"]))
    let made = try await engine.generations.generate(.picture(), for: Caller())
    #expect(made.provider == "cloud" && made.warnings.count == 2)
    #expect(keyless.requests.isEmpty)
    await engine.leave()
  }

  @Test("a request that names no provider cannot be sent to a disabled provider, and the refusal says why")
  func disabled() async throws {
    let engine = try ServiceFixture().engine([device], disabled: ["cloud"])
    let error = try await #require(throws: AtelierError.self) {
      try await provider(.picture(provider: "cloud"), of: engine)
    }
    #expect(error.kind == .unsupportedByProvider && error.provider == "cloud")
    #expect(error.message == "There is no provider “cloud” here. Choose one of: device.")
    await engine.leave()
  }

  @Test("a request that names no provider has its provider and its price in the lists")
  func lists() async throws {
    let device = ScriptedProvider(id: "device", recipes: [.headshot])
    var configuration = EngineConfiguration()
    configuration.credits.costs = CreditCosts([CreditCosts.Rule(provider: "cloud", recipe: .edit, credits: 5)])
    let engine = try ServiceFixture().engine([device, cloud], configuration: configuration)
    let providers = try await engine.engine.listProviders(ProvidersList()).providers
    #expect(
      providers.first?.offers == [
        ProvidersList.Offer(recipe: .headshot, isDefault: true, creditsPerImage: 0)
      ])
    let offers = try #require(providers.last?.offers)
    #expect(offers.first { $0.recipe == .headshot }?.isDefault == false)
    #expect(offers.first { $0.recipe == .edit } == ProvidersList.Offer(recipe: .edit, isDefault: true, creditsPerImage: 5))
    let styles = await engine.engine.listStyles().styles
    #expect(styles.allSatisfy { $0.defaultProvider == "device" && $0.creditsPerImage == 0 })
    #expect(styles.allSatisfy { $0.providers == ["device", "cloud"] })
    await engine.leave()
  }

  @Test("a request keeps an angle that was not asked for apart from the front, also when it is made again")
  func angle() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let engine = try ServiceFixture().engine([provider])
    let photo = ImageSource.path(Fixture.path("images/plain.jpg"))
    for style in [nil, Style(), Style(angle: .front)] {
      _ = try await engine.generations.generate(Generate(recipe: .headshot, image: photo, style: style), for: Caller())
    }
    for id in ["gen_1", "gen_3"] as [GenerationID] {
      _ = try await engine.generations.regenerate(Regenerate(generationId: id), for: Caller())
    }
    // The second is answered from history.
    #expect(provider.requests.map { $0.style?.angle } == [nil, .front, nil, .front])
    #expect(provider.requests.allSatisfy { $0.style?.background == .auto })
    #expect(try await engine.entry("gen_4")?.style == Style(background: .auto))
    #expect(try await engine.entry("gen_5")?.style == Style(angle: .front, background: .auto))
    await engine.leave()
  }
}
