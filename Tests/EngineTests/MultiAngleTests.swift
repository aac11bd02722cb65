import AtelierProtocol
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("Several angles", .timeLimit(.minutes(3)))
struct MultiAngleTests {
  private func request(_ output: Generate.Output = Generate.Output(), detach: Bool? = nil) -> Generate {
    var output = output
    output.mode = .multiAngle
    return Generate(
      recipe: .hairstyle, image: .path(Fixture.path("images/plain.jpg")), prompt: "a bob", output: output,
      account: "anna", detach: detach)
  }

  private static func isOf(_ view: View, _ request: ImageRequest) -> Bool {
    request.prompt?.contains(view.hairstylePose) == true
  }

  /// An engine in which anna has four credits beside the one of a guest.
  private func engine(_ provider: ScriptedProvider, in fixture: ServiceFixture? = nil) async throws -> TestEngine {
    let engine = try (fixture ?? ServiceFixture()).engine([provider], configuration: .withoutRetries)
    try await engine.give(4, to: "anna")
    return engine
  }

  @Test("several angles are four pictures of one photo, each asked for by its view, none told to differ, for four credits")
  func four() async throws {
    let fixture = try ServiceFixture()
    let folder = try fixture.temporary.makeFolder("out")
    let provider = ScriptedProvider(isLocal: false, creditsPerImage: 1) { _, progress in
      progress(ImageProgress(phase: .processing, message: "Painting…"))
      return try ScriptedProvider.picture()
    }
    let engine = try await engine(provider, in: fixture)
    let result = try #require(
      try await engine.generations.generate(request(Generate.Output(directory: folder)), for: Caller()).result)
    #expect(result.state == .succeeded)
    #expect(result.images.map(\.view) == ["front", "left", "right", "back"])
    #expect(result.images.map(\.index) == [0, 1, 2, 3])
    #expect(result.credits == Credits(held: 4, charged: 4, released: 0, balanceAfter: 1))
    for view in View.allCases { #expect(provider.requests.count { Self.isOf(view, $0) } == 1) }
    #expect(Set(provider.requests.map(\.photo)).count == 1)
    #expect(provider.requests.allSatisfy { $0.variation == 0 && $0.prompt?.contains("take 2") == false })
    let names = fixture.temporary.files(below: "out").map { $0.split(separator: ".")[0].split(separator: "-").last }
    #expect(Set(names) == ["front", "left", "right", "back"])
    #expect(try await engine.entry("gen_1")?.images.map(\.view) == result.images.map(\.view))
    #expect(engine.announcements.progress.contains { $0.step?.count == 4 })
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("several angles charge what is delivered, and tell of each that is not which it is and why", arguments: [1, 2, 3])
  func partial(missing: Int) async throws {
    let failing = View.allCases.suffix(missing)
    let provider = ScriptedProvider(isLocal: false, creditsPerImage: 1) { request, _ in
      if failing.contains(where: { Self.isOf($0, request) }) {
        throw AtelierError(.contentBlocked, provider: "scripted")
      }
      return try ScriptedProvider.picture()
    }
    let engine = try await engine(provider)
    let result = try #require(try await engine.generations.generate(request(), for: Caller()).result)
    #expect(result.state == .partial)
    #expect(result.images.map(\.view) == View.allCases.dropLast(missing).map(\.rawValue))
    #expect(result.failures.map(\.view) == failing.map(\.rawValue))
    #expect(result.failures.map(\.index) == Array((4 - missing)..<4))
    #expect(result.failures.allSatisfy { $0.error.data.kind == "content_blocked" && $0.error.message.text.hasSuffix(".") })
    #expect(
      result.credits == Credits(held: 4, charged: 4 - missing, released: missing, balanceAfter: 1 + missing))
    #expect(try await engine.row("gen_1")?.failures == result.failures)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("several angles fail as one when nothing can be delivered, and all is given back")
  func none() async throws {
    let engine = try await engine(
      ScriptedProvider(isLocal: false, creditsPerImage: 1) { _, _ in
        throw AtelierError(.contentBlocked, provider: "scripted")
      })
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(request(), for: Caller())
    }
    #expect(error?.kind == .contentBlocked)
    #expect(try await engine.credits(of: "anna") == [5, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("several angles run to their end even if the provider's limit is reached meanwhile; what comes after waits")
  func limitMeanwhile() async throws {
    let gate = Gate()
    let provider = ScriptedProvider(isLocal: false, creditsPerImage: 1) { request, _ in
      if Self.isOf(.front, request) { throw AtelierError(.rateLimited, retryAfterMs: 60_000, provider: "scripted") }
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let engine = try await engine(provider)
    let task = engine.generate(request())
    await gate.hasSeen(3)
    let changed = await engine.announcements.providerChanges(1)
    #expect(changed.last?.available == false)
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(request(), for: Caller())
    }
    #expect(error?.kind == .coolingDown)
    gate.open()
    let result = try await task.value.result
    #expect(result?.images.map(\.view) == ["left", "right", "back"])
    #expect(result?.credits == Credits(held: 4, charged: 3, released: 1, balanceAfter: 2))
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("several angles take as many of the provider's slots as there are, and are not overtaken while they wait")
  func places() async throws {
    let (gate, first) = (Gate(), Gate())
    let provider = ScriptedProvider(maximumConcurrentImages: 3, isLocal: false, creditsPerImage: 1) { request, _ in
      try await (request.recipe == .create ? first : gate).pass()
      return try ScriptedProvider.picture()
    }
    let engine = try await engine(provider)
    let single = engine.generate(.picture("one"))
    await first.hasSeen()
    let four = engine.generate(request())
    try await until { await engine.generations.acceptedCount == 2 }
    let late = engine.generate(.picture("two"))
    try await until { await engine.generations.acceptedCount == 3 }
    #expect(provider.requests.count == 1)
    #expect(try await engine.status("gen_3")?.progress?.queuePosition == 2)
    first.open()
    _ = try await single.value
    await gate.hasSeen(3)
    #expect(gate.arrivals == 3 && provider.requests.count == 4)
    gate.open()
    #expect(try await four.value.result?.images.count == 4)
    #expect(try await late.value.result?.state == .succeeded)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("several angles are cancelled as one, and give back all")
  func cancelled() async throws {
    let gate = Gate()
    let engine = try await engine(ScriptedProvider(isLocal: false, creditsPerImage: 1) { _, _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    })
    let task = engine.generate(request())
    await gate.hasSeen(4)
    #expect(try await engine.cancel("gen_1").credits.released == 4)
    #expect(try await task.value.result?.state == .cancelled)
    #expect(try await engine.credits(of: "anna") == [5, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("several angles are answered from history with their views, and can be made again and refined one by one")
  func again() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let engine = try ServiceFixture().engine([provider])
    var request = request()
    request.account = nil
    _ = try await engine.generations.generate(request, for: Caller())
    let cached = try #require(try await engine.generations.generate(request, for: Caller()).result)
    #expect(cached.cached && cached.images.map(\.view) == ["front", "left", "right", "back"])
    #expect(provider.requests.count == 4)
    let next = try #require(
      try await engine.generations.regenerate(Regenerate(generationId: "gen_2"), for: Caller()).result)
    #expect(!next.cached && next.images.map(\.view) == cached.images.map(\.view))
    #expect(provider.requests.count == 8)
    _ = try await engine.generations.generate(
      Generate(
        recipe: .hairstyle, image: .generation("gen_1", index: 3), prompt: "shorter"),
      for: Caller())
    #expect(try await engine.row("gen_4")?.parentIndex == 3)
    await engine.leave()
  }
}
