import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("Providers one after the other", .timeLimit(.minutes(3)))
struct FallbackTests {
  private static func failing(_ id: ProviderID, _ error: AtelierError) -> ScriptedProvider {
    ScriptedProvider(id: id, isLocal: false) { _, _ in throw error }
  }

  private static func request(_ ids: ProviderID..., model: String? = nil) -> Generate {
    Generate(recipe: .create, prompt: "a lighthouse", provider: ProviderChoice(ids), model: model)
  }

  @Test("the next provider serves what the first could not, and the answer says who and why", arguments: [
    ErrorKind.invalidApiKey, .quotaExhausted, .providerError, .providerUnavailable, .offline, .providerTimeout,
  ])
  func cured(kind: ErrorKind) async throws {
    let first = Self.failing("first", AtelierError(kind, "It did not work.", provider: "first"))
    let engine = try ServiceFixture().engine(
      [first, ScriptedProvider(id: "second", isLocal: false)], configuration: .withoutRetries)
    let result = try #require(try await engine.generations.generate(Self.request("first", "second"), for: Caller()).result)
    #expect(result.provider == "second" && result.images.count == 1)
    #expect(result.warnings == [Warning(kind: "provider_fallback", message: "first was passed over: It did not work.")])
    #expect(try await engine.row(result.generationId)?.provider == "second")
    await engine.leave()
  }

  @Test("the next provider is not asked for what none can cure", arguments: [
    ErrorKind.contentBlocked, .invalidImage, .noImageReturned, .noFaceFound, .severalPeople, .faceTooSmall,
  ])
  func incurable(kind: ErrorKind) async throws {
    let second = ScriptedProvider(id: "second", isLocal: false)
    let engine = try ServiceFixture().engine([Self.failing("first", AtelierError(kind, provider: "first")), second])
    await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(Self.request("first", "second"), for: Caller())
    }
    #expect(second.requests.isEmpty)
    await engine.leave()
  }

  @Test("providers that all fail give the first one's error, with what became of the others")
  func allFail() async throws {
    let engine = try ServiceFixture().engine(
      [
        Self.failing("first", AtelierError(.offline, provider: "first")),
        Self.failing("second", AtelierError(.invalidApiKey, provider: "second")),
      ], configuration: .withoutRetries)
    let error = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(Self.request("first", "second"), for: Caller())
    }
    #expect(error.kind == .offline && error.provider == "first")
    #expect(error.details["otherProviders"]?.array?.first?["kind"]?.string == "invalid_api_key")
    await engine.leave()
  }

  @Test("a provider without a key is passed over in a list, refused when it is alone, skipped when none is named")
  func withoutKey() async throws {
    let absent = ScriptedProvider(
      id: "keyed", isLocal: false,
      availability: ProviderAvailability(available: false, reason: "Set a key.", needsKey: true))
    let engine = try ServiceFixture().engine([absent, ScriptedProvider(id: "free")])
    let listed = try await engine.generations.generate(Self.request("keyed", "free"), for: Caller()).result
    #expect(listed?.provider == "free" && listed?.warnings.map(\.kind) == ["provider_fallback"])
    let error = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(Self.request("keyed"), for: Caller())
    }
    #expect(error.kind == .noApiKey && error.message == "Set a key.")
    let unnamed = try await engine.generations.generate(.picture(), for: Caller()).result
    #expect(unnamed?.provider == "free" && unnamed?.warnings.isEmpty == true)
    #expect(absent.requests.isEmpty)
    await engine.leave()
  }

  @Test("a provider gets the model that was named only when it has it")
  func model() async throws {
    let first = Self.failing("first", AtelierError(.offline, provider: "first"))
    let second = ScriptedProvider(id: "second", isLocal: false)
    let engine = try ServiceFixture().engine([first, second], configuration: .withoutRetries)
    _ = try await engine.generations.generate(Self.request("first", "second", model: "first-only"), for: Caller())
    _ = try await engine.generations.generate(Self.request("first", "second", model: "script-1"), for: Caller())
    #expect(first.requests.map(\.model) == ["first-only", "script-1"])
    #expect(second.requests.map(\.model) == [nil, "script-1"])
    await engine.leave()
  }

  @Test("providers are asked again as often as the recipe allows, then the next one; headshots never")
  func retries() async throws {
    let fixture = try ServiceFixture()
    let first = Self.failing("first", AtelierError(.providerUnavailable, provider: "first"))
    let second = ScriptedProvider(id: "second", isLocal: false)
    var configuration = EngineConfiguration()
    configuration.policies[.create] = RecipePolicy(timeoutMs: 3_600_000, retries: 2, backoffMs: 1_000_000)
    configuration.policies[.create]?.maximumBackoffMs = 1_000_000
    let engine = try fixture.engine([first, second], configuration: configuration)
    let task = engine.generate(Self.request("first", "second"))
    for attempt in 1...2 {
      // The fixture's random number is always 7.
      await fixture.clock.someoneSleeps(for: .milliseconds(1_000_007))
      #expect(first.requests.count == attempt && second.requests.isEmpty)
      fixture.clock.advance(by: .milliseconds(1_000_007))
    }
    #expect(try await task.value.result?.provider == "second")
    #expect(first.requests.count == 3)
    await engine.leave()
  }
}
