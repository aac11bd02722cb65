import AtelierProtocol
import Encodings
import Foundation
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("Regeneration", .timeLimit(.minutes(3)))
struct RegenerateTests {
  private let photo = Fixture.path("images/plain.jpg")

  private func edit(_ image: ImageSource, references: [ImageSource]? = nil, seed: Int? = nil) -> Generate {
    Generate(recipe: .edit, image: image, references: references, prompt: "a red scarf", seed: seed)
  }

  @Test("a regeneration asks the provider once more, whatever history could answer; the chain tells what it came from")
  func same() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let engine = try ServiceFixture().engine([provider])
    var request = edit(.path(photo), references: [.path(Fixture.path("images/plain.png"))])
    request.metadata = ["order": 1]
    request.temperature = 0.5
    request.output = Generate.Output(count: 2, aspectRatio: "1:1")
    _ = try await engine.generations.generate(request, for: Caller())
    let again = try #require(
      try await engine.generations.regenerate(Regenerate(generationId: "gen_1"), for: Caller()).result)
    #expect(!again.cached && again.images.count == 2)
    let asked = provider.requests.sorted { $0.variation < $1.variation }
    try #require(asked.count == 4)
    for pair in [(asked[0], asked[1]), (asked[2], asked[3])] {
      #expect(pair.0.photo == pair.1.photo && pair.0.photo != nil)
      #expect(pair.0.references == pair.1.references && pair.0.references.count == 1)
      #expect(pair.0.prompt == pair.1.prompt && pair.0.temperature == pair.1.temperature)
      #expect(pair.0.aspectRatio == "1:1" && pair.1.aspectRatio == "1:1")
    }
    let entry = try await engine.entry("gen_2")
    #expect(entry?.parentGenerationId == "gen_1" && entry?.originalGenerationId == "gen_1")
    #expect(entry?.metadata == nil)
    #expect(try await engine.entry("gen_1")?.originalGenerationId == nil)
    // From the second on it goes on in the same way, and what it makes answers those that follow.
    _ = try await engine.generations.regenerate(Regenerate(generationId: "gen_2"), for: Caller())
    #expect(try await engine.entry("gen_3")?.parentGenerationId == "gen_2")
    #expect(try await engine.generations.generate(request, for: Caller()).result?.cached == true)
    await engine.leave()
  }

  @Test("a regeneration uses what was kept of the input, never the file again, which may be another one by now")
  func keptInput() async throws {
    let fixture = try ServiceFixture()
    let folder = try fixture.temporary.makeFolder("photos")
    let paths = ["a", "b"].map { "\(folder)/\($0).jpg" }
    for path in paths { try FileManager.default.copyItem(atPath: photo, toPath: path) }
    let provider = ScriptedProvider(isLocal: false)
    let engine = try fixture.engine([provider])
    let inline = try #require(InlineImage(base64: Base64.encoded(try Fixture.bytes("images/plain.png"))))
    _ = try await engine.generations.generate(
      edit(.path(paths[0]), references: [.data(inline), .path(paths[1])]), for: Caller())
    for path in paths { try Data("something else".utf8).write(to: URL(fileURLWithPath: path)) }
    _ = try await engine.generations.regenerate(Regenerate(generationId: "gen_1"), for: Caller())
    try #require(provider.requests.count > 1)
    #expect(provider.requests[1].photo == provider.requests[0].photo)
    #expect(provider.requests[1].references == provider.requests[0].references)
    #expect(provider.requests[1].references.count == 2)
    fixture.clock.advance(by: .seconds(24 * 3600 + 1))
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.regenerate(Regenerate(generationId: "gen_1"), for: Caller())
    }
    #expect(error?.kind == .inputExpired)
    #expect(provider.requests.count == 2)
    await engine.leave()
  }

  @Test("a regeneration of a refinement refines the same result; when that was deleted, what was kept of it")
  func refinement() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let engine = try ServiceFixture().engine([provider])
    _ = try await engine.generations.generate(.picture(), for: Caller())
    _ = try await engine.generations.generate(
      Generate(recipe: .edit, image: .generation("gen_1", index: nil), prompt: "brighter"),
      for: Caller())
    _ = try await engine.generations.regenerate(Regenerate(generationId: "gen_2"), for: Caller())
    #expect(try await engine.row("gen_3")?.request["image"]?["generationId"]?.string == "gen_1")
    _ = try await engine.engine.deleteHistory(HistoryDelete(target: .generation("gen_1", account: nil)), for: Caller())
    _ = try await engine.generations.regenerate(Regenerate(generationId: "gen_2"), for: Caller())
    #expect(try await engine.row("gen_4")?.request["image"]?["preparedId"] != nil)
    try #require(provider.requests.count > 1)
    #expect(provider.requests.dropFirst().allSatisfy { $0.photo == provider.requests[1].photo })
    #expect(provider.requests.count == 4)
    await engine.leave()
  }

  @Test("a regeneration replaces what is given and leaves the rest; a seed is not used twice")
  func overrides() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let other = ScriptedProvider(id: "other", isLocal: false)
    let engine = try ServiceFixture().engine([provider, other])
    var request = edit(.path(photo), seed: 5)
    request.output = Generate.Output(count: 1, aspectRatio: "1:1")
    _ = try await engine.generations.generate(request, for: Caller())
    _ = try await engine.generations.regenerate(Regenerate(generationId: "gen_1"), for: Caller())
    let seed = try #require(provider.requests.last?.seed)
    #expect(seed != 5)
    #expect(try await engine.row("gen_2")?.request["seed"]?.int64 == Int64(seed))
    _ = try await engine.generations.regenerate(
      Regenerate(
        generationId: "gen_1", prompt: "a blue scarf", output: Generate.Output(size: "1K"),
        provider: ProviderChoice("other"), model: "script-1", temperature: 1, seed: 9, timeoutMs: 9_000, idempotencyKey: "k",
        metadata: ["a": 1]),
      for: Caller())
    let asked = try #require(other.requests.first)
    #expect(asked.prompt?.hasSuffix("a blue scarf") == true)
    #expect(asked.seed == 9 && asked.model == "script-1" && asked.temperature == 1)
    #expect(asked.aspectRatio == "1:1" && asked.size == "1K")
    #expect(try await engine.entry("gen_3")?.metadata == ["a": 1])
    #expect(try await engine.row("gen_3")?.idempotencyKey == "k")
    await engine.leave()
  }

  @Test("a regeneration asks for another shape or format without what does not go with it")
  func exclusive() throws {
    func merged(_ output: Generate.Output, into earlier: Generate.Output) throws -> Generate.Output? {
      let request = Generate(recipe: .headshot, image: .path("/a.jpg"), output: earlier)
      let result = Regenerate(generationId: "gen_1", output: output).merged(into: request)
      try result.validate()
      return result.output
    }
    let square = Generate.Output(aspectRatio: "4:5", format: .webp, quality: 80)
    #expect(try merged(Generate.Output(crop: .passport), into: square)?.aspectRatio == nil)
    #expect(try merged(Generate.Output(crop: .passport), into: square)?.quality == 80)
    #expect(try merged(Generate.Output(format: .png), into: square)?.quality == nil)
    let passport = try merged(Generate.Output(aspectRatio: "1:1"), into: Generate.Output(crop: .passport))
    #expect(passport?.crop == nil && passport?.aspectRatio == "1:1")
    let visa = Generate.Output(format: .jpeg, maxBytes: 240_000, crop: .passport, passportSize: .mm51x51)
    let same = try merged(Generate.Output(size: "600"), into: visa)
    #expect(same?.passportSize == .mm51x51 && same?.maxBytes == 240_000)
    #expect(try merged(Generate.Output(crop: .wholeFrame), into: visa)?.passportSize == nil)
    #expect(try merged(Generate.Output(aspectRatio: "1:1"), into: visa)?.passportSize == nil)
    #expect(try merged(Generate.Output(format: .png), into: visa)?.maxBytes == nil)
    let portal = Generate.Output(format: .jpeg, minBytes: 20_000, crop: .passport, headHeight: .icao)
    let kept = try merged(Generate.Output(size: "600"), into: portal)
    #expect(kept?.minBytes == 20_000 && kept?.headHeight == .icao)
    #expect(try merged(Generate.Output(format: .webp), into: portal)?.minBytes == nil)
    #expect(try merged(Generate.Output(passportSize: .mm50x70), into: portal)?.headHeight == nil)
    #expect(try merged(Generate.Output(crop: .wholeFrame), into: portal)?.headHeight == nil)
  }

  @Test("a regeneration waits as long as the earlier one might, unless it is not to wait at all")
  func waiting() {
    let earlier = Generate(recipe: .create, prompt: "x", whenOffline: .queue, waitMs: 5_000)
    #expect(Regenerate(generationId: "gen_1").merged(into: earlier).waitMs == 5_000)
    #expect(Regenerate(generationId: "gen_1", whenOffline: .fail).merged(into: earlier).waitMs == nil)
    #expect(Regenerate(generationId: "gen_1", waitMs: 7_000).merged(into: earlier).waitMs == 7_000)
  }

  @Test("a regeneration of what is made on this machine goes on with the variations that follow")
  func variations() async throws {
    let provider = ScriptedProvider()
    let engine = try ServiceFixture().engine([provider])
    _ = try await engine.generations.generate(Generate(recipe: .headshot, image: .path(photo)), for: Caller())
    for id in ["gen_1", "gen_1", "gen_2"] as [GenerationID] {
      _ = try await engine.generations.regenerate(Regenerate(generationId: id), for: Caller())
    }
    #expect(provider.requests.map(\.variation) == [0, 1, 2, 2])
    _ = try await engine.generations.regenerate(
      Regenerate(generationId: "gen_3", output: Generate.Output(count: 2)), for: Caller())
    #expect(provider.requests.map(\.variation).suffix(2) == [3, 4])
    await engine.leave()
  }

  @Test("a regeneration with a key is one generation, however often it is sent; with other params it is refused")
  func key() async throws {
    let fixture = try ServiceFixture()
    let provider = ScriptedProvider(isLocal: false)
    let engine = try fixture.engine([provider])
    _ = try await engine.generations.generate(edit(.path(photo), seed: 5), for: Caller())
    let request = Regenerate(generationId: "gen_1", idempotencyKey: "again")
    let first = try await engine.generations.regenerate(request, for: Caller()).result
    // What it was made from is gone by then.
    fixture.clock.advance(by: .seconds(25 * 3600))
    _ = try await engine.engine.deleteHistory(HistoryDelete(target: .generation("gen_1", account: nil)), for: Caller())
    #expect(try await engine.generations.regenerate(request, for: Caller()).result == first)
    #expect(provider.requests.count == 2)
    for other in [
      Regenerate(generationId: "gen_1", seed: 6, idempotencyKey: "again"),
      Regenerate(generationId: "gen_2", idempotencyKey: "again"),
    ] {
      let error = await #expect(throws: AtelierError.self) {
        try await engine.generations.regenerate(other, for: Caller())
      }
      #expect(error?.kind == .idempotencyMismatch)
    }
    await engine.leave()
  }

  @Test("a regeneration belongs to whose the generation is, and is charged to them")
  func account() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    try await engine.give(4, to: "anna")
    _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    let again = try await engine.generations.regenerate(Regenerate(generationId: "gen_1"), for: Caller()).result
    #expect(again?.credits == Credits(held: 1, charged: 1, released: 0, balanceAfter: 3))
    for (account, confinedTo) in [("ben", nil), (nil, "ben")] as [(AccountID?, AccountID?)] {
      let error = await #expect(throws: AtelierError.self) {
        try await engine.generations.regenerate(
          Regenerate(generationId: "gen_1", account: account), for: Caller(confinedTo: confinedTo))
      }
      #expect(error?.kind == .notFound)
    }
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a regeneration is refused with a sentence where there is nothing to make again", arguments: [
    ("gen_1", ErrorKind.inputExpired, "private"), ("gen_2", .notFinished, "still being made"), ("gen_9", .notFound, "gen_9"),
    ("gen_3", .inputExpired, "no longer kept"),
  ] as [(GenerationID, ErrorKind, String)])
  func refused(id: GenerationID, kind: ErrorKind, word: String) async throws {
    let gate = Gate()
    let failing = ScriptedProvider(id: "failing") { _, _ in throw AtelierError(.contentBlocked, provider: "failing") }
    let engine = try ServiceFixture().engine([ScriptedProvider(), ScriptedProvider(id: "slow", waitingAt: gate), failing])
    _ = try await engine.generations.generate(.picture(inline: true, private: true), for: Caller())
    _ = try await engine.generations.generate(.picture(detach: true, provider: "slow"), for: Caller())
    await gate.hasSeen()
    var blocked = edit(.path(photo))
    blocked.provider = ProviderChoice("failing")
    _ = try? await engine.generations.generate(blocked, for: Caller())
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.regenerate(Regenerate(generationId: id), for: Caller())
    }
    #expect(error?.kind == kind)
    #expect(error?.forOperators.contains(word) == true)
    gate.open()
    await engine.leave()
  }

  @Test("a regeneration checks what is given against the recipe")
  func validated() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(), for: Caller())
    for request in [
      Regenerate(generationId: "gen_1", style: Style()), Regenerate(generationId: "gen_1", prompt: " "),
      Regenerate(generationId: "gen_1", private: true),
      Regenerate(generationId: "gen_1", output: Generate.Output(mode: .multiAngle)),
    ] {
      let error = await #expect(throws: AtelierError.self) {
        try await engine.generations.regenerate(request, for: Caller())
      }
      #expect(error?.kind == .wrongRecipeInput)
    }
    await engine.leave()
  }

  @Test("a regeneration goes on in another process when the one that accepted it ends before it begins")
  func adopted() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let first = try fixture.engine([
      ScriptedProvider(maximumConcurrentImages: 1) { request, _ in
        if request.recipe == .create { try await gate.pass() }
        return try ScriptedProvider.picture()
      }
    ])
    _ = try await first.generations.generate(Generate(recipe: .headshot, image: .path(photo)), for: Caller())
    _ = try await first.generations.generate(.picture(detach: true), for: Caller())
    await gate.hasSeen()
    _ = try await first.generations.regenerate(Regenerate(generationId: "gen_1", detach: true), for: Caller())
    await first.generations.abandon()
    await first.leave()
    let provider = ScriptedProvider()
    let second = try fixture.engine([provider])
    await second.engine.serve()
    try await second.engine.lazyStore.recover()
    try await fixture.heartbeats { try await second.row("gen_3")?.state == .succeeded }
    await second.announcements.finish()
    #expect(try await second.entry("gen_3")?.state == .succeeded)
    #expect(try await second.entry("gen_3")?.originalGenerationId == "gen_1")
    #expect(provider.requests.last?.variation == 1)
    await second.leave()
  }
}
