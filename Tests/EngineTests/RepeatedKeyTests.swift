import AtelierProtocol
import Foundation
import GRDB
import Providers
import ServiceFixture
import Store
import Testing

@testable import Engine

/// Whether a key is new is asked before anything that may refuse a request.
@Suite("A repeated idempotency key gets its generation, whatever has changed since", .timeLimit(.minutes(3)))
struct RepeatedKeyTests {
  /// Where the first request of the key stands when it is repeated.
  enum Stage: CaseIterable, Sendable { case running, finished }

  /// Something that refuses every new request.
  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind: ErrorKind
    /// How the requests differ from others.
    var asking: @Sendable (inout Generate, Scene) -> Void = { _, _ in }
    var configuration: @Sendable (inout EngineConfiguration) -> Void = { _ in }
    /// Brings it about.
    /// - Returns: the engine that is asked from then on, and what ends the refusal.
    var begin: @Sendable (Scene) async throws -> (TestEngine, @Sendable () throws -> Void)
  }

  /// A service with one request under the key `k`.
  struct Scene: Sendable {
    let fixture: ServiceFixture
    let gate: Gate
    let busy: Gate
    let provider: ScriptedProvider
    let engine: TestEngine

    var data: String { fixture.directory.path }
    var photo: String { fixture.temporary.path("photo.png") }
    var folder: String { fixture.temporary.path("pictures") }

    init(_ configuration: EngineConfiguration) async throws {
      fixture = try ServiceFixture()
      (gate, busy) = (Gate(), Gate())
      provider = Self.provider(gate, busy)
      engine = try fixture.engine([provider], configuration: configuration)
      try FileManager.default.copyItem(atPath: Fixture.path("images/plain.png"), toPath: photo)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    /// Does as its prompt says.
    private static func provider(_ gate: Gate, _ busy: Gate) -> ScriptedProvider {
      ScriptedProvider(isLocal: false, creditsPerImage: 1) { request, _ in
        if request.prompt?.contains("refuse") == true {
          throw AtelierError(.rateLimited, retryAfterMs: 600_000, provider: "scripted")
        }
        try await (request.prompt?.contains("occupy") == true ? busy : gate).pass()
        return try ScriptedProvider.picture()
      }
    }

    /// Another process of the same data directory, with other settings.
    func otherEngine(
      hasProvider: Bool, _ change: (inout EngineConfiguration) -> Void
    ) throws -> TestEngine {
      var configuration = EngineConfiguration.withoutRetries
      change(&configuration)
      return try fixture.engine(hasProvider ? [provider] : [], configuration: configuration)
    }

    func occupy(_ account: AccountID) async throws {
      _ = try await engine.generate(.picture("occupy", account: account, detach: true)).value
      await busy.hasSeen()
    }
  }

  private static func inPlace(_ change: @escaping @Sendable (Scene) async throws -> Void) -> (
    @Sendable (Scene) async throws -> (TestEngine, @Sendable () throws -> Void)
  ) {
    { scene in
      try await change(scene)
      return (scene.engine, {})
    }
  }

  private static func elsewhere(
    hasProvider: Bool = true, _ change: @escaping @Sendable (inout EngineConfiguration) -> Void = { _ in }
  ) -> (@Sendable (Scene) async throws -> (TestEngine, @Sendable () throws -> Void)) {
    { scene in (try scene.otherEngine(hasProvider: hasProvider, change), {}) }
  }

  private static func limit(_ limit: UsageLimit) -> @Sendable (inout EngineConfiguration) -> Void {
    { $0.credits.limits = [limit] }
  }

  static let refusals: [Refusal] = [
    Refusal(testDescription: "nothing can be stored", kind: .storageUnavailable) { scene in
      let path = "\(scene.data)/temporary"
      try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
      try Data().write(to: URL(filePath: path))
      return (scene.engine, {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
      })
    },
    Refusal(testDescription: "the disk is full", kind: .storageFull) { scene in
      let writes = try await scene.engine.failingWrites()
      writes.begin(.SQLITE_FULL)
      return (scene.engine, { writes.end() })
    },
    Refusal(
      testDescription: "too many requests are worked on", kind: .overloaded, configuration: { $0.maximumOpen = 1 },
      begin: inPlace { scene in if await scene.engine.generations.load().running == 0 { try await scene.occupy("carl") } }),
    Refusal(
      testDescription: "the credits are used up", kind: .insufficientCredits,
      begin: inPlace { scene in
        let credits = try await scene.engine.credits(of: "anna")[0]
        _ = try await scene.engine.engine.lazyStore.store()
          .revokeCredits(credits, from: "anna", because: "a test", source: "test")
      }),
    Refusal(
      testDescription: "another request of the account runs", kind: .concurrentLimit,
      configuration: limit(UsageLimit(.concurrent, limit: 1)),
      begin: inPlace { scene in
        if await scene.engine.generations.load().running == 0 { try await scene.occupy("anna") }
      }),
    Refusal(
      testDescription: "the minute's requests are used up", kind: .rateLimited,
      configuration: limit(UsageLimit(.minute, limit: 1)), begin: inPlace { _ in }),
    Refusal(
      testDescription: "the day's requests are used up", kind: .dailyLimit,
      configuration: limit(UsageLimit(.day, limit: 1)), begin: inPlace { _ in }),
    Refusal(
      testDescription: "the provider cools down", kind: .coolingDown,
      begin: inPlace { scene in
        await #expect(throws: AtelierError.self) {
          try await scene.engine.generate(.picture("refuse", account: "carl")).value
        }
      }),
    Refusal(
      testDescription: "the provider is not available", kind: .providerUnavailable,
      begin: inPlace { $0.provider.become(ProviderAvailability(available: false)) }),
    Refusal(
      testDescription: "the provider needs a key", kind: .noApiKey,
      begin: inPlace { $0.provider.become(ProviderAvailability(available: false, needsKey: true)) }),
    Refusal(
      testDescription: "the provider is not there any more", kind: .unsupportedByProvider,
      begin: elsewhere(hasProvider: false)),
    Refusal(
      testDescription: "the operator requires consent", kind: .consentRequired,
      begin: elsewhere { $0.requiredConsent = RequiredConsent(version: "2") }),
    Refusal(
      testDescription: "the hairstyle is retired", kind: .templateNotFound,
      asking: { request, scene in
        request.recipe = .hairstyle
        request.image = .path(scene.photo)
        request.templateId = "own"
      },
      begin: inPlace { try FileManager.default.removeItem(atPath: "\($0.data)/templates/own.json") }),
    Refusal(
      testDescription: "the photo is gone", kind: .invalidImage,
      asking: { request, scene in
        request.recipe = .edit
        request.image = .path(scene.photo)
      },
      begin: inPlace { try FileManager.default.removeItem(atPath: $0.photo) }),
    Refusal(
      testDescription: "the folder for copies is gone", kind: .fileAccessDenied,
      asking: { request, scene in request.output = Generate.Output(directory: scene.folder) },
      begin: { scene in
        try FileManager.default.moveItem(atPath: scene.folder, toPath: scene.folder + ".old")
        return (scene.engine, { try FileManager.default.moveItem(atPath: scene.folder + ".old", toPath: scene.folder) })
      }),
  ]

  @Test("a request is answered by its key's generation where a new one is refused", arguments: refusals, Stage.allCases)
  func repeated(refusal: Refusal, stage: Stage) async throws {
    var configuration = EngineConfiguration.withoutRetries
    configuration.credits.limits = []
    refusal.configuration(&configuration)
    let scene = try await Scene(configuration)
    let templates = "\(scene.data)/templates"
    try FileManager.default.createDirectory(atPath: templates, withIntermediateDirectories: true)
    try Data(#"{"templates":[{"id":"own","name":"Own","category":"short","prompt":"A bob."}]}"#.utf8)
      .write(to: URL(filePath: "\(templates)/own.json"))
    for account in ["anna", "carl"] as [AccountID] { try await scene.engine.give(5, to: account) }
    var request = Generate.picture(key: "k", account: "anna")
    request.cache = .bypass
    request.timeoutMs = 3_600_000
    refusal.asking(&request, scene)
    let first = scene.engine.generate(request)
    await scene.gate.hasSeen()
    if stage == .finished {
      scene.gate.open()
      #expect(try await first.value.state == .succeeded)
    }

    let (engine, end) = try await refusal.begin(scene)
    let (accepted, asked) = (await engine.generations.counters.accepted, scene.provider.requests.count)
    let repeated = engine.generate(request)
    if stage == .finished {
      #expect(try await repeated.value.generationId == "gen_1")
    } else {
      try await until {
        let here = await engine.generations.waiterCount(of: "gen_1") ?? 0
        let elsewhere = await engine.generations.distantWatcherCount(of: "gen_1")
        return here == 2 || elsewhere == 1
      }
    }
    var other = request
    other.idempotencyKey = "another"
    let error = await #expect(throws: AtelierError.self) { try await engine.generate(other).value }
    if stage == .finished { #expect(error?.kind == refusal.kind) }
    if error?.kind.consequences.isOfTheStore == true {
      #expect(error?.details[AtelierError.keyDetail] == "new" && error?.retryable == nil)
    }
    #expect(scene.provider.requests.count == asked)
    #expect(await engine.generations.counters.accepted == accepted)

    try end()
    scene.gate.open()
    scene.busy.open()
    if stage == .running {
      let clock = Task {
        while !Task.isCancelled {
          scene.fixture.clock.advance(by: GenerationManager.look)
          for _ in 0..<100 { await Task.yield() }
        }
      }
      #expect(try await first.value.state == .succeeded)
      #expect(try await repeated.value.generationId == "gen_1")
      clock.cancel()
    }
    await engine.leave()
    try await scene.engine.leaveWithTheLedgerInOrder()
  }
}

extension RepeatedKeyTests {
  @Test("a refused request joins what another one with its key has begun meanwhile")
  func begunMeanwhile() async throws {
    var configuration = EngineConfiguration.withoutRetries
    configuration.maximumOpen = 1
    let (fixture, opening, gate) = (try ServiceFixture(), Gate(), Gate())
    let engine = try fixture.engine(
      [ScriptedProvider(waitingAt: gate)], configuration: configuration, opening: opening)
    // Both look the key up before either is accepted.
    let tasks = (0..<5).map { _ in engine.generate(.picture(key: "k")) }
    await opening.hasSeen()
    opening.open()
    try await until {
      let ids = await engine.generations.ids
      guard ids.count == 1, let id = ids.first else { return false }
      return await engine.generations.waiterCount(of: id) == 5
    }
    gate.open()
    var made: Set<GenerationID> = []
    for task in tasks { made.insert(try await task.value.generationId) }
    #expect(made.count == 1)
    await engine.leave()
  }

  @Test("a refusal by a store that cannot be read says that the key's result may still be had")
  func unreadable() async throws {
    let fixture = try ServiceFixture()
    let first = try fixture.engine([ScriptedProvider()])
    let made = try await first.generate(.picture(key: "k", account: "anna")).value
    await first.leave()
    let data = fixture.directory.path
    try FileManager.default.moveItem(atPath: data, toPath: data + ".old")
    try Data().write(to: URL(filePath: data))
    let engine = try fixture.engine([ScriptedProvider()])
    for request in [Generate.picture(key: "k", account: "anna"), .picture(account: "anna")] {
      let error = await #expect(throws: AtelierError.self) { try await engine.generate(request).value }
      #expect(error?.kind == .storageUnavailable)
      #expect(error?.details[AtelierError.keyDetail] == (request.idempotencyKey == nil ? nil : "unknown"))
      #expect(error?.hint?.contains("the same request gets it") == (request.idempotencyKey != nil))
    }
    try FileManager.default.removeItem(atPath: data)
    try FileManager.default.moveItem(atPath: data + ".old", toPath: data)
    #expect(try await engine.generate(.picture(key: "k", account: "anna")).value.images == made.images)
    await engine.leave()
  }

  @Test("a repeated `regenerate` gets its generation even when the one that it repeats was deleted")
  func regenerated() async throws {
    let provider = ScriptedProvider()
    let engine = try ServiceFixture().engine([provider])
    _ = try await engine.generate(.picture(account: "anna")).value
    let again = Regenerate(generationId: "gen_1", account: "anna", idempotencyKey: "k")
    let made = try await engine.generations.regenerate(again, for: Caller())
    _ = try await engine.engine.deleteHistory(
      HistoryDelete(target: .generation("gen_1", account: "anna")), for: Caller())
    #expect(try await engine.generations.regenerate(again, for: Caller()).generationId == made.generationId)
    var other = again
    other.prompt = "another"
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.regenerate(other, for: Caller())
    }
    #expect(error?.kind == .idempotencyMismatch)
    #expect(provider.requests.count == 2)
    await engine.leave()
  }
}

extension GenerationManager {
  fileprivate var ids: [GenerationID] { Array(table.generations.keys) }
}
