import AtelierProtocol
import Encodings
import Foundation
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("An identical request", .timeLimit(.minutes(3)))
struct CacheTests {
  private let photo = ImageSource.path(Fixture.path("images/plain.jpg"))

  @Test("an identical request is answered from history: nothing is asked or charged, the files and words are the same")
  func answered() async throws {
    let provider = ScriptedProvider(creditsPerImage: 1) { _, _ in
      var picture = try ScriptedProvider.picture()
      picture.text = "With pleasure."
      picture.warnings = [Warning(kind: "extra_images", message: "There were two.")]
      return picture
    }
    let engine = try ServiceFixture().engine([provider])
    let first = try #require(try await engine.generations.generate(.picture(account: "anna"), for: Caller()).result)
    // It has nothing left.
    try await engine.give(1, to: "anna")
    let again = try #require(try await engine.generations.generate(.picture(account: "anna"), for: Caller()).result)
    #expect(provider.requests.count == 1)
    #expect(!first.cached && again.cached)
    #expect(again.state == .succeeded && again.generationId != first.generationId)
    #expect(again.images == first.images)
    #expect(again.provider == first.provider && again.model == first.model && again.text == first.text)
    #expect(again.warnings == first.warnings)
    #expect(again.usage == Usage())
    #expect(again.credits == Credits(held: 1, charged: 0, released: 1, balanceAfter: 1))
    #expect(try await engine.entry("gen_2")?.cached == true)
    #expect(try await engine.entry("gen_1")?.cached == false)
    #expect(await engine.generations.counters.cached == 1)
    let history = try await engine.engine.creditHistory(CreditsHistory(account: "anna"), for: Caller())
    #expect(history.totalUsed == 1)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("an identical request brings copies and bytes where they are asked for, whatever the first one asked")
  func delivered() async throws {
    let fixture = try ServiceFixture()
    let folder = try fixture.temporary.makeFolder("out")
    let engine = try fixture.engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(count: 2), for: Caller())
    let result = try #require(
      try await engine.generations.generate(.picture(count: 2, directory: folder, inline: true), for: Caller()).result)
    let bytes = try ScriptedProvider.picture().bytes
    #expect(result.cached)
    #expect(result.images.map(\.data) == [Base64.encoded(bytes), Base64.encoded(bytes)])
    #expect(fixture.temporary.files(below: "out").count == 2)
    for image in result.images {
      #expect(image.path?.hasPrefix(folder) == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: image.path ?? "")) == Data(bytes))
    }
    await engine.leave()
  }

  @Test("an identical request is known by the photo's bytes, however they come")
  func photos() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let engine = try ServiceFixture().engine([provider])
    let inline = try #require(InlineImage(base64: Base64.encoded(try Fixture.bytes("images/plain.jpg"))))
    let sources = [photo, .data(inline), .path(Fixture.path("images/plain.png"))]
    var cached: [Bool] = []
    for source in sources {
      let result = try await engine.generations.generate(
        Generate(recipe: .edit, image: source, prompt: "a red scarf"), for: Caller()).result
      cached.append(result?.cached == true)
    }
    #expect(cached == [false, true, false])
    await engine.leave()
  }

  private typealias Difference = @Sendable (inout Generate) -> Void

  @Test("an identical request is another one when anything differs", arguments: [
    { $0.prompt = "a Lighthouse" }, { $0.account = "ben" }, { $0.model = "script-2" }, { $0.seed = 1 },
    { $0.temperature = 0.5 }, { $0.provider = ProviderChoice("other") }, { $0.output = Generate.Output(count: 2) },
    { $0.output = Generate.Output(aspectRatio: "1:1") }, { $0.output = Generate.Output(size: "512") },
    { $0.references = [.path(Fixture.path("images/plain.jpg"))] },
    { $0.cache = .bypass }, { $0.private = true; $0.output = Generate.Output(inline: true) },
  ] as [Difference])
  private func different(difference: Difference) async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(), ScriptedProvider(id: "other")])
    var request = Generate.picture(account: "anna")
    _ = try await engine.generations.generate(request, for: Caller())
    difference(&request)
    #expect(try await engine.generations.generate(request, for: Caller()).result?.cached == false)
    await engine.leave()
  }

  @Test("an identical request is the same whatever says only how the answer comes", arguments: [
    { $0.detach = false }, { $0.progress = false }, { $0.timeoutMs = 5_000 }, { $0.metadata = ["order": 1] },
    { $0.idempotencyKey = "k" }, { $0.cache = .use }, { $0.output = Generate.Output(mode: .single, count: 1) },
    { $0.provider = ProviderChoice("scripted") }, { $0.provider = ProviderChoice(["scripted", "other"]) },
  ] as [Difference])
  private func same(difference: Difference) async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(), ScriptedProvider(id: "other")])
    var request = Generate.picture()
    _ = try await engine.generations.generate(request, for: Caller())
    difference(&request)
    #expect(try await engine.generations.generate(request, for: Caller()).result?.cached == true)
    await engine.leave()
  }

  @Test("an identical request is answered with the newest result that a provider made, never with a cached answer")
  func newest() async throws {
    let fixture = try ServiceFixture()
    let provider = ScriptedProvider()
    let engine = try fixture.engine([provider])
    var bypassing = Generate.picture()
    bypassing.cache = .bypass
    for request in [bypassing, .picture(), bypassing] {
      _ = try await engine.generations.generate(request, for: Caller())
      fixture.clock.advance(by: .seconds(1))
    }
    #expect(provider.requests.count == 2)
    for id in ["gen_1", "gen_3"] as [GenerationID] {
      _ = try await engine.engine.deleteHistory(HistoryDelete(target: .generation(id, account: nil)), for: Caller())
    }
    #expect(try await engine.generations.generate(.picture(), for: Caller()).result?.cached == false)
    await engine.leave()
  }

  /// Spoils what a first generation left.
  private typealias Damage = @Sendable (TestEngine, String) async throws -> Void

  @Test("an identical request asks the provider when the files are gone or altered, or history was deleted", arguments: [
    { _, path in try FileManager.default.removeItem(atPath: path) },
    { _, path in try Data("not a picture".utf8).write(to: URL(fileURLWithPath: path)) },
    { engine, _ in
      _ = try await engine.engine.deleteHistory(
        HistoryDelete(target: .generation("gen_1", account: nil)), for: Caller())
    },
  ] as [Damage])
  private func damaged(damage: Damage) async throws {
    let provider = ScriptedProvider()
    let engine = try ServiceFixture().engine([provider])
    let first = try #require(try await engine.generations.generate(.picture(), for: Caller()).result)
    try await damage(engine, try #require(first.images.first?.path))
    let again = try #require(try await engine.generations.generate(.picture(), for: Caller()).result)
    #expect(!again.cached && again.state == .succeeded)
    #expect(provider.requests.count == 2)
    let image = try #require(again.images.first)
    #expect(try Data(contentsOf: URL(fileURLWithPath: image.path ?? "")).count == image.bytes)
    await engine.leave()
  }

  @Test("an identical request is not answered with part of it, nor with what another provider made in place of the first")
  func partial() async throws {
    let failing = ScriptedProvider(id: "failing") { _, _ in
      throw AtelierError(.providerUnavailable, provider: "failing")
    }
    let provider = ScriptedProvider { request, _ in
      if request.prompt?.contains("half") == true, request.variation == 1 { throw AtelierError(.contentBlocked) }
      return try ScriptedProvider.picture()
    }
    let engine = try ServiceFixture().engine([failing, provider], configuration: .withoutRetries)
    var listed = Generate.picture()
    listed.provider = ProviderChoice(["failing", "scripted"])
    for request in [listed, .picture("half", count: 2, provider: "scripted")] {
      for _ in 0..<2 { #expect(try await engine.generations.generate(request, for: Caller()).result?.cached == false) }
    }
    #expect(provider.requests.count == 6)
    await engine.leave()
  }

  @Test("an identical request asked twice at the same time goes to the provider twice")
  func together() async throws {
    let gate = Gate()
    let provider = ScriptedProvider(waitingAt: gate)
    let engine = try ServiceFixture().engine([provider])
    let tasks = [engine.generate(.picture()), engine.generate(.picture())]
    await gate.hasSeen(2)
    gate.open()
    for task in tasks { #expect(try await task.value.result?.cached == false) }
    #expect(try await engine.generations.generate(.picture(), for: Caller()).result?.cached == true)
    await engine.leave()
  }

  @Test("an identical request is answered even when its earlier result is deleted in the same moment")
  func deletedMeanwhile() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(), for: Caller())
    let store = try await engine.engine.lazyStore.store()
    let row = try #require(try await engine.row("gen_1"))
    let image = try #require(row.images.first?.artifact)
    let work = try await engine.generations.planner.plan(.picture(), for: Caller())
    guard case .accepted(let accepted) = try await store.accept(try work.acceptance(within: 60_000)) else {
      Issue.record("it was not accepted")
      return
    }
    _ = try await store.start(work.id)
    var delivery = Delivery()
    delivery.isCached = true
    let picture = try ScriptedProvider.picture()
    let file = GenerationFile(source: .stored(image), width: picture.width, height: picture.height)
    delivery.pictures = [
      Delivery.Picture(index: 0, image: picture, files: [Delivery.File(file: file, bytes: picture.bytes)])
    ]
    _ = try await engine.engine.deleteHistory(HistoryDelete(target: .generation("gen_1", account: nil)), for: Caller())
    let ending = Ending(
      work: work, row: accepted, state: .succeeded, delivery: delivery, timings: Timings(),
      lastNote: ProgressNote(phase: .saving, message: "", sequence: 9))
    guard case .written(let finished) = await ending.carryOut(lazyStore: engine.engine.lazyStore) else {
      Issue.record("it was not written")
      return
    }
    #expect(finished.cached)
    #expect(try Data(contentsOf: URL(fileURLWithPath: finished.images.first?.path ?? "")).isEmpty == false)
    await engine.leave()
  }

  @Test("an identical request that only its earlier result can pay asks nobody, if that result is gone by then", arguments: [
    { _, path in try FileManager.default.removeItem(atPath: path) },
    { _, path in try Data("not a picture".utf8).write(to: URL(fileURLWithPath: path)) },
    { engine, _ in
      _ = try await engine.engine.deleteHistory(
        HistoryDelete(target: .generation("gen_1", account: nil)), for: Caller())
    },
  ] as [Damage])
  private func unpaid(damage: Damage) async throws {
    let gate = Gate()
    let provider = ScriptedProvider(maximumConcurrentImages: 1, creditsPerImage: 1) { request, _ in
      guard request.prompt?.contains("busy") == true else { return try ScriptedProvider.picture() }
      try await gate.pass()
      // Another picture: the same one would bring the lost file back.
      return try ScriptedProvider.picture("images/alpha.png")
    }
    let engine = try ServiceFixture().engine([provider])
    let first = try #require(try await engine.generations.generate(.picture(account: "anna"), for: Caller()).result)
    #expect(try await engine.credits(of: "anna") == [0, 0])
    let busy = engine.generate(.picture("busy"))
    await gate.hasSeen()
    // Accepted, because it costs nothing, it waits for its slot.
    let again = engine.generate(.picture(account: "anna"))
    await engine.announcements.reach(.queued, of: "gen_3")
    try await damage(engine, try #require(first.images.first?.path))
    gate.open()
    #expect(try await busy.value.state == .succeeded)
    let refusal = await #expect(throws: AtelierError.self) { try await again.value }
    #expect(refusal?.kind == .insufficientCredits && refusal?.details["required"] == 1)
    #expect(provider.requests.count == 2)
    #expect(try await engine.credits(of: "anna") == [0, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("an identical request can be cancelled like any other, and gives back what was set aside")
  func cancelled() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    try await engine.give(9, to: "anna")
    _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    for number in 2..<12 {
      let task = engine.generate(.picture(account: "anna"))
      // Sooner or later in its life.
      for _ in 0..<(number * 7) { await Task.yield() }
      task.cancel()
      let result = try? await task.value.result
      #expect(result == nil || result?.credits.charged == 0)
    }
    #expect(try await engine.credits(of: "anna") == [9, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("an identical request keeps what a refinement or a regeneration needs, also when it was answered from history")
  func kept() async throws {
    let provider = ScriptedProvider(isLocal: false) { _, _ in
      var picture = try ScriptedProvider.picture()
      picture.turn = ModelTurn(json: ["parts": [["text": "a"]]])
      return picture
    }
    let engine = try ServiceFixture().engine([provider])
    let request = Generate(recipe: .edit, image: photo, prompt: "a red scarf")
    for _ in 0..<2 { _ = try await engine.generations.generate(request, for: Caller()) }
    let store = try await engine.engine.lazyStore.store()
    #expect(try await store.turns(of: "gen_2") == store.turns(of: "gen_1"))
    guard case .found = try await store.preparedInput(of: "gen_2") else {
      Issue.record("the photo was not kept")
      return
    }
    await engine.leave()
  }
}
