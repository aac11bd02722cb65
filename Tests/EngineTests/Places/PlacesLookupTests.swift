import AtelierProtocol
import Providers
import ServiceFixture
import Store
import Support
import Testing

@testable import Engine

@Suite("The lookups of a request for places", .timeLimit(.minutes(2)))
struct PlacesLookupTests {
  private static let name = PlacesScene.austin[0].name
  private static let good = ScriptedLocationSource(PlacesScene.austin)

  private static func textProvider(_ names: [String] = [name]) -> ScriptedTextProvider {
    ScriptedTextProvider(lookingUp: names) { PlacesScene.list(names) }
  }

  @Test("the lookups are refused at once where nobody answers them")
  func nobody() async throws {
    let scene = try PlacesScene(Self.textProvider())
    await #expect {
      try await scene.engine.generate(Generate(recipe: .places, prompt: "coffee")).value
    } throws: { ($0 as? AtelierError) == AtelierError.noLocationSource }
    // Neither does an estimate say that it would be accepted, nor is a person asked to pay for it.
    await #expect(throws: AtelierError.noLocationSource) {
      try await scene.engine.engine.price(of: Generate(recipe: .places, prompt: "coffee"), for: Caller())
    }
    #expect(scene.textProvider.requests.isEmpty)
    await scene.engine.leave()
  }

  @Test("the lookups have a price before anything is asked: that of one list, however long")
  func price() async throws {
    let scene = try PlacesScene(Self.textProvider())
    let request = Generate(recipe: .places, prompt: "coffee", limit: 50)
    #expect(try await scene.engine.engine.price(of: request, for: Caller(locationSource: Self.good)) == 1)
    #expect(scene.textProvider.requests.isEmpty)
    await scene.engine.leave()
  }

  @Test("the lookups go on to the geocoder, with a warning, when the host answers rubbish", arguments: [
    FoundPlace(name: " ", city: "Austin"), FoundPlace(name: name, city: "Aus\u{1B}tin"),
    FoundPlace(name: String(repeating: "x", count: 301)),
  ])
  func rubbish(place: FoundPlace) async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([Self.textProvider()], geocoder: ScriptedGeocoder().geocoder())
    let result = try await engine.generate(
      Generate(recipe: .places, prompt: "coffee"),
      for: Caller(locationSource: ScriptedLocationSource { _ in [place] })
    ).value
    #expect(result.places?.map(\.source) == [.geocoder])
    #expect(result.places?.first?.streetAddress1 == "401 Congress Ave")
    #expect(result.warnings.map(\.kind) == ["lookup_failed"])
    await engine.leave()
  }

  @Test("the lookups wait ten seconds for a host that does not answer, once")
  func silence() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let names = [Self.name, "Nothing There"]
    let textProvider = ScriptedTextProvider { _, turn in
      turn < 2 ? ScriptedTextProvider.calls([names[turn]]) : ScriptedTextProvider.says(PlacesScene.list(names))
    }
    let engine = try fixture.engine([textProvider], geocoder: ScriptedGeocoder().geocoder())
    let silent = ScriptedLocationSource { _ in
      try await gate.pass()
      return []
    }
    let task = engine.generate(
      Generate(recipe: .places, prompt: "coffee"), for: Caller(locationSource: silent))
    await gate.hasSeen(1)
    await fixture.clock.someoneSleeps(for: .seconds(10))
    fixture.clock.advance(by: .seconds(10))
    let result = try await task.value
    #expect(result.places?.map(\.source) == [.geocoder])
    #expect(result.dropped?.names == ["Nothing There"])
    await engine.leave()
  }

  @Test("lookups that all fail fail the request, which costs nothing")
  func allFail() async throws {
    let scene = try PlacesScene(Self.textProvider())
    try await scene.engine.give(3, to: "anna")
    let failing = ScriptedLocationSource { _ in throw AtelierError(.internal) }
    await #expect {
      try await scene.find(Generate(recipe: .places, prompt: "coffee", account: "anna"), source: failing).value
    } throws: { error in
      let error = error as? AtelierError
      return error?.kind == .providerUnavailable && error?.details["reason"] == "lookup_failed"
    }
    #expect(try await scene.engine.credits(of: "anna") == [4, 0])
    try await scene.engine.leaveWithTheLedgerInOrder()
  }

  @Test("the lookups use the kept answers of earlier requests until their time is over")
  func kept() async throws {
    let fixture = try ServiceFixture()
    let server = ScriptedGeocoder()
    let geocoder = server.geocoder()
    for expected in [1, 1, 2] {
      if expected == 2 { fixture.clock.advance(by: .seconds(60)) }
      let engine = try fixture.engine([Self.textProvider()], geocoder: geocoder)
      let result = try await engine.generate(
        Generate(
          recipe: .places, prompt: "coffee", near: .coordinate(try #require(Coordinate(latitude: 30, longitude: -98))))
      ).value
      #expect(result.places?.count == 1)
      #expect(server.urls.count == expected)
      await engine.leave()
    }
    let url = server.urls[0]
    #expect(url.hasPrefix("https://geocoder.example/api/search?format=jsonv2&"))
    #expect(url.contains("q=Houndstooth%20Coffee%2C%20Austin") && url.contains("viewbox=-99%2C31%2C-97%2C29"))
  }

  @Test("the lookups of a private request are not kept")
  func privateAnswers() async throws {
    let fixture = try ServiceFixture()
    let server = ScriptedGeocoder()
    let engine = try fixture.engine([Self.textProvider()], geocoder: server.geocoder())
    for _ in 0..<2 {
      _ = try await engine.generate(Generate(recipe: .places, prompt: "coffee", private: true)).value
    }
    #expect(server.urls.count == 1 + 1)
    await engine.leave()
  }

  @Test(
    "the lookups of one turn of the model wait for each other, and are not sent once one of them is refused",
    arguments: [200, 429])
  func spaced(status: Int) async throws {
    let fixture = try ServiceFixture()
    // A refusal that came before the others wait would keep them from waiting.
    let gate = Gate()
    let server = ScriptedGeocoder(status: status, gate: gate)
    let names = PlacesScene.austin.prefix(3).map(\.name)
    let engine = try fixture.engine([Self.textProvider(names)], geocoder: server.geocoder(intervalMs: 1_000))
    let task = engine.generate(Generate(recipe: .places, prompt: "coffee"))
    for turn in 1...2 { await fixture.clock.someoneSleeps(for: .seconds(turn)) }
    #expect(server.urls.count <= 1)
    gate.open()
    let store = try await engine.engine.lazyStore.store()
    while status == 429, try await store.cooldowns(of: NominatimGeocoder.id).isEmpty { await Task.yield() }
    fixture.clock.advance(by: .seconds(2))
    _ = await task.result
    #expect(server.urls.count == (status == 429 ? 1 : 3))
    await engine.leave()
  }

  @Test("the lookups stop for as long as the geocoder asks")
  func pause() async throws {
    let fixture = try ServiceFixture()
    let server = ScriptedGeocoder(status: 429)
    let engine = try fixture.engine([Self.textProvider()], geocoder: server.geocoder())
    for expected in [1, 1] {
      await #expect(throws: AtelierError.self) {
        try await engine.generate(Generate(recipe: .places, prompt: "coffee")).value
      }
      #expect(server.urls.count == expected)
    }
    fixture.clock.advance(by: .seconds(30))
    await #expect(throws: AtelierError.self) { try await engine.generate(Generate(recipe: .places, prompt: "coffee")).value }
    #expect(server.urls.count == 2)
    await engine.leave()
  }

  @Test("the lookups end with the request, and nothing more is sent")
  func cancel() async throws {
    let gate = Gate()
    let scene = try PlacesScene(
      ScriptedTextProvider { _, turn in ScriptedTextProvider.calls([PlacesScene.austin[turn % 5].name]) })
    try await scene.engine.give(3, to: "anna")
    let source = ScriptedLocationSource { query in
      if !query.text.contains(Self.name) { try await gate.pass() }
      return PlacesScene.austin.filter { query.text.contains($0.name) }
    }
    let task = scene.find(Generate(recipe: .places, prompt: "coffee", account: "anna"), source: source)
    await gate.hasSeen(1)
    task.cancel()
    #expect(try await task.value.state == .cancelled)
    #expect(scene.textProvider.requests.count == 2)
    #expect(try await scene.engine.credits(of: "anna") == [4, 0])
    try await scene.engine.leaveWithTheLedgerInOrder()
    #expect(scene.textProvider.requests.count == 2)
  }

  @Test("the lookups go no further once the request is cancelled, also while that cannot be recorded")
  func cancelWhileBusy() async throws {
    let gate = Gate()
    let scene = try PlacesScene(
      ScriptedTextProvider { _, turn in
        // A turn that is on its way arrives, whoever wants it.
        if turn == 0 { try? await gate.pass() }
        return ScriptedTextProvider.calls([PlacesScene.austin[turn % 5].name])
      })
    let task = scene.find(Generate(recipe: .places, prompt: "coffee"))
    await gate.hasSeen(1)
    let lock = try await WriteLock(scene.fixture.directory)
    task.cancel()
    try await until { await scene.engine.generations.isSettling("gen_1") }
    gate.open()
    for _ in 0..<2_000 { await Task.yield() }
    #expect(scene.textProvider.requests.count == 1)
    try await lock.release()
    #expect(try await task.value.state == .cancelled)
    #expect(scene.textProvider.requests.count == 1)
    await scene.engine.leave()
  }

  @Test("the lookups cost one credit for a list, also a private one, and none for an empty one")
  func credits() async throws {
    let scene = try PlacesScene(
      ScriptedTextProvider { request, _ in
        guard case .user(let prompt)? = request.messages.first, case .results? = request.messages.last else {
          return ScriptedTextProvider.calls([Self.name])
        }
        return ScriptedTextProvider.says(prompt.contains("nothing") ? "[]" : PlacesScene.list([Self.name]))
      })
    try await scene.engine.give(3, to: "anna")
    let first = try await scene.find(Generate(recipe: .places, prompt: "coffee", account: "anna")).value
    #expect(first.credits.charged == 1)
    let second = try await scene.find(
      Generate(recipe: .places, prompt: "secret coffee", account: "anna", private: true)
    ).value
    #expect(second.credits.charged == 1 && second.places?.count == 1)
    let row = try await scene.engine.row(second.generationId)
    #expect(row?.places == [] && row?.prompt == nil && row?.dropped?.names == [])
    #expect(row?.message.stored.contains(Self.name) == false)
    await #expect {
      try await scene.find(Generate(recipe: .places, prompt: "nothing", account: "anna")).value
    } throws: { ($0 as? AtelierError)?.kind == .noPlacesFound }
    #expect(try await scene.engine.credits(of: "anna") == [2, 0])
    // The same key gives the same list; made again, it is looked up and paid again.
    let keyed = Generate(recipe: .places, prompt: "coffee", account: "anna", idempotencyKey: "k")
    let third = try await scene.find(keyed).value
    #expect(try await scene.find(keyed).value.generationId == third.generationId)
    let again = try await scene.engine.generations.regenerate(
      Regenerate(generationId: third.generationId, account: "anna"), for: Caller(locationSource: Self.good))
    #expect(again.places == third.places && again.originalGenerationId == third.generationId)
    #expect(try await scene.engine.credits(of: "anna") == [0, 0])
    try await scene.engine.leaveWithTheLedgerInOrder()
  }
}
