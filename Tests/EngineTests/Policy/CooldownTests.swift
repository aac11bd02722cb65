import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("The pause a provider asks for", .timeLimit(.minutes(3)))
struct CooldownTests {
  private static let request = Generate(recipe: .create, prompt: "a lighthouse", provider: ProviderChoice("busy"))

  private static func busy(_ error: AtelierError) -> ScriptedProvider {
    ScriptedProvider(id: "busy", isLocal: false) { _, _ in throw error }
  }

  private static func refusal(_ engine: TestEngine) async throws -> AtelierError {
    try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(request, for: Caller())
    }
  }

  @Test("a provider's pause holds for every process of the data directory, with the time that remains, and ends by itself")
  func shared() async throws {
    let fixture = try ServiceFixture()
    let error = AtelierError(.rateLimited, retryAfterMs: 45_838, provider: "busy")
    let (first, second) = (Self.busy(error), Self.busy(error))
    let one = try fixture.engine([first], configuration: .withoutRetries)
    let other = try fixture.engine([second], configuration: .withoutRetries)
    #expect(try await Self.refusal(one).kind == .rateLimited)
    for engine in [one, other] {
      let refusal = try await Self.refusal(engine)
      #expect(refusal.kind == .coolingDown && refusal.retryAfterMs == 45_838)
      #expect(refusal.message == "The provider asked for a pause. Please wait 46 seconds and try again.")
    }
    fixture.clock.advance(by: .seconds(40))
    #expect(try await Self.refusal(other).retryAfterMs == 5838)
    guard case .service(let status) = try await other.engine.status(Status(), for: Caller()) else {
      Issue.record("no status")
      return
    }
    #expect(status.providers.first?.available == false)
    #expect(status.providers.first?.cooldownUntil == Timestamp(milliseconds: fixture.clock.now.milliseconds + 5838))
    #expect(first.requests.count == 1 && second.requests.isEmpty)
    fixture.clock.advance(by: .milliseconds(5838))
    #expect(try await Self.refusal(other).kind == .rateLimited)
    #expect(second.requests.count == 1)
    await one.leave()
    await other.leave()
  }

  @Test("a pause is as configured when the provider names none, and the very error that begins it says so", arguments: [
    (nil, 300_000, "Too many requests. Please wait 5 minutes and try again."),
    (1_500, 1_500, "Too many requests. Please wait 2 seconds and try again."),
  ] as [(Int?, Int, String)])
  func unnamed(configuredMs: Int?, expectedMs: Int, sentence: String) async throws {
    let fixture = try ServiceFixture()
    var configuration = EngineConfiguration.withoutRetries
    if let configuredMs { configuration.cooldownMs = configuredMs }
    let engine = try fixture.engine([Self.busy(AtelierError(.rateLimited, provider: "busy"))], configuration: configuration)
    let first = try await Self.refusal(engine)
    #expect(first.kind == .rateLimited && first.retryAfterMs == expectedMs && first.message == sentence)
    let second = try await Self.refusal(engine)
    #expect(second.kind == .coolingDown && second.retryAfterMs == expectedMs)
    fixture.clock.advance(by: .milliseconds(expectedMs))
    #expect(try await Self.refusal(engine).kind == .rateLimited)
    await engine.leave()
  }

  /// A provider that refuses every model for which `refused` has an error.
  private static func choosy(_ refused: [String: AtelierError]) -> ScriptedProvider {
    ScriptedProvider(id: "busy", isLocal: false) { request, _ in
      if let error = refused[request.model ?? "script-1"] { throw error }
      return try ScriptedProvider.picture()
    }
  }

  private static func providers(_ engine: TestEngine) async throws -> ProviderStatus? {
    guard case .service(let status) = try await engine.engine.status(Status(), for: Caller()) else { return nil }
    return status.providers.first
  }

  private static func asking(_ model: String?) -> Generate {
    var request = request
    request.model = model
    return request
  }

  @Test(
    "a pause is that of the model that was asked for; others are made, and the provider is as its own model is",
    arguments: [
      (nil, "other"), ("script-1", "other"), ("other", nil), ("other", "third"),
    ] as [(String?, String?)])
  func perModel(refused: String?, made: String?) async throws {
    let fixture = try ServiceFixture()
    let error = AtelierError(.rateLimited, retryAfterMs: 7000, provider: "busy", details: ["scope": "provider"])
    let provider = Self.choosy([refused ?? "script-1": error])
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    for kind in [ErrorKind.rateLimited, .coolingDown] {
      let refusal = await #expect(throws: AtelierError.self) {
        try await engine.generations.generate(Self.asking(refused), for: Caller())
      }
      #expect(refusal?.kind == kind && refusal?.retryAfterMs == 7000)
      #expect(try await engine.generations.generate(Self.asking(made), for: Caller()).result?.state == .succeeded)
    }
    // The second picture of the other model is the first one again.
    #expect(provider.requests.count == 2)
    let until = Timestamp(milliseconds: fixture.clock.now.milliseconds + 7000)
    let isDefault = refused != "other"
    let status = try await Self.providers(engine)
    #expect(status?.available == !isDefault && status?.cooldownUntil == (isDefault ? until : nil))
    #expect(status?.pausedModels == [PausedModel(model: refused ?? "script-1", until: until)])
    await engine.leave()
  }

  @Test("a pause is that of all models where the limit is the key's")
  func ofKey() async throws {
    let error = AtelierError(.rateLimited, retryAfterMs: 7000, provider: "busy", details: ["scope": "key"])
    let provider = Self.choosy(["other": error])
    let engine = try ServiceFixture().engine([provider], configuration: .withoutRetries)
    for (model, kind) in [("other", ErrorKind.rateLimited), ("other", .coolingDown), (nil, .coolingDown)] {
      let refusal = await #expect(throws: AtelierError.self) {
        try await engine.generations.generate(Self.asking(model), for: Caller())
      }
      #expect(refusal?.kind == kind && refusal?.retryAfterMs == 7000)
    }
    #expect(provider.requests.count == 1)
    #expect(try await Self.providers(engine)?.pausedModels == nil)
    await engine.leave()
  }

  @Test("a pause is none for a quota that no time brings back: every request hears of it anew")
  func noQuota() async throws {
    let error = AtelierError(.quotaExhausted, "No pictures in this plan.", provider: "busy", retryable: false)
    let provider = Self.busy(error)
    let engine = try ServiceFixture().engine([provider], configuration: .withoutRetries)
    for count in 1...3 {
      let refusal = try await Self.refusal(engine)
      #expect(refusal.kind == .quotaExhausted && refusal.retryAfterMs == nil && !refusal.isRetryable)
      #expect(provider.requests.count == count)
    }
    #expect(try await Self.providers(engine)?.available == true)
    await engine.leave()
  }

  @Test("a pause ends with the success of the request's own retry, which does not wait for its end")
  func ownRetry() async throws {
    let fixture = try ServiceFixture()
    let far = FarProvider(failure: AtelierError(.rateLimited, provider: "scripted"))
    var configuration = EngineConfiguration()
    configuration.policies[.create] = RecipePolicy(timeoutMs: 3_600_000, retries: 1, backoffMs: 60_000)
    configuration.policies[.create]?.maximumBackoffMs = 60_000
    let engine = try fixture.engine([far.provider()], configuration: configuration)
    let task = engine.generate(.picture())
    await fixture.clock.someoneSleeps(for: .milliseconds(60_007))
    #expect(try await engine.engine.lazyStore.store().cooldowns().count == 1)
    far.connect()
    fixture.clock.advance(by: .milliseconds(60_007))
    #expect(try await task.value.result?.state == .succeeded)
    #expect(try await engine.engine.lazyStore.store().cooldowns().isEmpty)
    #expect(try await Self.providers(engine)?.available == true)
    #expect(try await engine.generations.generate(.picture(), for: Caller()).result?.state == .succeeded)
    await engine.leave()
  }

  @Test("a pause of a model ends with the next success of that model alone, in every process")
  func endedBySuccess() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let slow = ScriptedProvider(id: "busy", waitingAt: gate)
    let one = try fixture.engine([slow], configuration: .withoutRetries)
    let error = AtelierError(.rateLimited, provider: "busy")
    let two = try fixture.engine([Self.choosy(["script-1": error, "other": error])], configuration: .withoutRetries)
    let running = one.generate(Self.asking("script-1"))
    await gate.hasSeen()
    for model in ["script-1", "other"] {
      await #expect(throws: AtelierError.self) { try await two.generations.generate(Self.asking(model), for: Caller()) }
    }
    #expect(try await two.engine.lazyStore.store().cooldowns().map(\.model) == ["other", "script-1"])
    gate.open()
    _ = try await running.value
    #expect(try await two.engine.lazyStore.store().cooldowns().map(\.model) == ["other"])
    await one.leave()
    await two.leave()
  }

  @Test(
    "a pause never lasts longer than it was set for, wherever the clock stood when it was set",
    arguments: [-400, -1, 1, 400])
  func clock(days: Int) async throws {
    let fixture = try ServiceFixture()
    let provider = Self.busy(AtelierError(.rateLimited, provider: "busy"))
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    fixture.clock.advance(by: .seconds(86_400 * days))
    _ = try await Self.refusal(engine)
    #expect(try await Self.refusal(engine).kind == .coolingDown)
    fixture.clock.advance(by: .seconds(-86_400 * days))
    #expect(try await Self.refusal(engine).kind == .rateLimited)
    #expect(provider.requests.count == 2)
    await engine.leave()
  }

  @Test("a pause of a quota that is used up for the day is told as that")
  func dailyQuota() async throws {
    let fixture = try ServiceFixture()
    let error = AtelierError(
      .quotaExhausted, "Today's quota is used up.", retryAfterMs: 36_000, provider: "busy",
      details: ["reason": "quota_day"])
    let engine = try fixture.engine([Self.busy(error)], configuration: .withoutRetries)
    _ = try await Self.refusal(engine)
    let refusal = try await Self.refusal(engine)
    #expect(refusal.kind == .quotaExhausted && refusal.message == "Today's quota is used up.")
    #expect(refusal.details["reason"]?.string == "quota_day" && refusal.retryAfterMs == 36_000)
    await engine.leave()
  }

  @Test("a pause of a quota of a day whose end nobody knows lasts a day, as its sentence says")
  func unknownEnd() async throws {
    let error = AtelierError(.quotaExhausted, "Try again tomorrow.", provider: "busy")
    let engine = try ServiceFixture().engine([Self.busy(error)], configuration: .withoutRetries)
    let told = try await Self.refusal(engine)
    #expect(told.message == "Try again tomorrow." && told.retryAfterMs == 86_400_000)
    await engine.leave()
  }

  @Test("a pause is announced when it begins and when it ends, and ended by a new key")
  func announced() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine(
      [Self.busy(AtelierError(.rateLimited, retryAfterMs: 26_000, provider: "busy"))], configuration: .withoutRetries)
    _ = try await Self.refusal(engine)
    await fixture.clock.someoneSleeps(for: .seconds(26))
    let until = Timestamp(milliseconds: fixture.clock.now.milliseconds + 26_000)
    fixture.clock.advance(by: .seconds(26))
    let changes = await engine.announcements.providerChanges(2)
    #expect(changes == [
      ProviderChanged(id: "busy", available: false, cooldownUntil: until), ProviderChanged(id: "busy", available: true),
    ])
    _ = try await Self.refusal(engine)
    await engine.engine.monitor.keyChanged(of: "busy")
    #expect(await engine.announcements.providerChanges(4).last?.available == true)
    #expect(try await Self.refusal(engine).kind == .rateLimited)
    await engine.leave()
  }
}
