import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("The providers that a request may go to")
struct ProviderRegistryTests {
  private static let providers = [
    ScriptedProvider(id: "device", recipes: [.headshot]), ScriptedProvider(id: "near", isLocal: false),
    ScriptedProvider(id: "far", isLocal: false),
  ]

  /// Who is named by the host and the operator, who is asked, and who follows when the first fails.
  struct Case: Sendable {
    var recipe = Recipe.headshot
    var wanted: [ProviderID]?
    var order: [ProviderID]?
    var asked: [ProviderID]
    var following: [ProviderID] = []
  }

  @Test("the providers that a request may go to are those that somebody named, or one", arguments: [
    Case(asked: ["device"]), Case(recipe: .create, asked: ["near"]), Case(wanted: ["far"], asked: ["far"]),
    Case(wanted: ["far", "device"], asked: ["far", "device"], following: ["device"]),
    Case(order: ["device"], asked: ["device"]), Case(order: ["far"], asked: ["far"]),
    Case(order: ["device", "far"], asked: ["device", "far"], following: ["far"]),
    Case(recipe: .create, order: ["device", "far"], asked: ["far"]),
    Case(wanted: ["device"], order: ["far", "near"], asked: ["device"]),
  ])
  func named(wanted: Case) async throws {
    let registry = ProviderRegistry(Self.providers, order: ProviderOrder(overall: wanted.order))
    let choice = wanted.wanted.flatMap { ProviderChoice($0) }
    let asked = try await registry.candidates(for: wanted.recipe, wanted: choice).map(\.id)
    #expect(asked == wanted.asked)
    let first = try #require(asked.first)
    #expect(registry.fallbacks(after: first, for: wanted.recipe, wanted: choice).map(\.id) == wanted.following)
  }

  @Test("other providers get nothing when the one that is asked fails, is paused or is made to do it again", arguments: [
    ErrorKind.providerError, .rateLimited, .unsupportedByProvider, .offline, .timedOut,
  ])
  func failing(kind: ErrorKind) async throws {
    let device = ScriptedProvider(id: "device", recipes: [.create]) { request, _ in
      if request.seed == 1 { return try ScriptedProvider.picture() }
      throw AtelierError(kind, provider: "device")
    }
    let cloud = ScriptedProvider(id: "cloud", isLocal: false)
    for order in [nil, ["device"]] as [[ProviderID]?] {
      let engine = try ServiceFixture().engine(
        [device, cloud], configuration: .withoutRetries, order: ProviderOrder(overall: order))
      for _ in 0..<2 {
        await #expect(throws: AtelierError.self) { try await engine.generations.generate(.picture(), for: Caller()) }
      }
      await engine.leave()
    }
    #expect(cloud.requests.isEmpty)
  }
}
