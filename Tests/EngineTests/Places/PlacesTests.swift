import AtelierProtocol
import Foundation
import JSON
import Providers
import ServiceFixture
import Store
import Support
import Testing

@testable import Engine

/// A request for places, with a model and lookups that the test scripts.
struct PlacesScene {
  let fixture: ServiceFixture
  let engine: TestEngine
  let textProvider: ScriptedTextProvider

  static let austin = ["Houndstooth Coffee", "Cuvée Coffee Bar", "Epoch Coffee", "Fleet Coffee", "Figure 8"].map {
    FoundPlace(name: $0, streetAddress1: "\($0.count) Congress Ave", city: "Austin", country: "United States")
  }

  init(_ textProvider: ScriptedTextProvider, _ others: [any ImageProvider] = []) throws {
    fixture = try ServiceFixture()
    self.textProvider = textProvider
    var configuration = EngineConfiguration()
    configuration.policies[.places]?.retries = 0
    engine = try fixture.engine([textProvider] + others, configuration: configuration)
  }

  static func list(_ names: [String], city: String = "Austin") -> String {
    JSONValue.array(names.map { ["name": .string($0), "city": .string(city)] }).serializedText
  }

  func find(
    _ request: Generate = Generate(recipe: .places, prompt: "coffee"),
    source: any LocationSource = ScriptedLocationSource(austin)
  ) -> Task<Generation, any Error> {
    engine.generate(request, for: Caller(locationSource: source))
  }
}

@Suite("A request for places")
struct PlacesTests {
  private static let names = PlacesScene.austin.map(\.name)

  @Test("a request for places returns what the lookups found, in the model's order, and counts what they did not")
  func dropped() async throws {
    let scene = try PlacesScene(
      ScriptedTextProvider(lookingUp: Array(Self.names.prefix(3))) {
        PlacesScene.list([Self.names[2], "The Imaginary Bean", Self.names[0], "Café Nowhere", Self.names[1]])
      })
    let result = try await scene.find().value
    #expect(result.state == .succeeded)
    #expect(result.places?.map(\.name) == [Self.names[2], Self.names[0], Self.names[1]])
    #expect(result.places?.first?.streetAddress1 == "12 Congress Ave")
    #expect(result.places?.allSatisfy { $0.source == .host && $0.verifiedAt == scene.fixture.clock.now } == true)
    #expect(result.dropped == DroppedPlaces(count: 2, names: ["The Imaginary Bean", "Café Nowhere"]))
    #expect(result.usage == Usage(inputTokens: 200, outputTokens: 20, costUsd: 0.002))
    #expect(result.model == "words-1" && result.images.isEmpty)
    let entry = try await scene.engine.entry(result.generationId)
    #expect(entry?.places == result.places && entry?.dropped == result.dropped)
    await scene.engine.leave()
  }

  @Test("a request for places counts all that were dropped and names fifty of them, each on one line")
  func manyDropped() async throws {
    let invented = (0..<70).map { "Imaginary\n\u{1b}Bean \($0)" }
    let scene = try PlacesScene(
      ScriptedTextProvider(lookingUp: [Self.names[0]]) { PlacesScene.list([Self.names[0]] + invented) })
    let result = try await scene.find().value
    #expect(result.places?.count == 1 && result.dropped?.count == 70)
    #expect(result.dropped?.names == (0..<50).map { "Imaginary  Bean \($0)" })
    await scene.engine.leave()
  }

  @Test("a request for places lists a place once, and no more than were asked for")
  func once() async throws {
    let scene = try PlacesScene(
      ScriptedTextProvider(lookingUp: Self.names) {
        PlacesScene.list([Self.names[0], Self.names[0]] + Self.names.dropFirst())
      })
    let result = try await scene.find(Generate(recipe: .places, prompt: "coffee", limit: 2)).value
    #expect(result.places?.map(\.name) == [Self.names[0], Self.names[1]])
    #expect(result.dropped?.names == [Self.names[0]])
    await scene.engine.leave()
  }

  @Test("a request for places answers all calls of a turn together, and sends the model's own turn back")
  func together() async throws {
    let scene = try PlacesScene(
      ScriptedTextProvider { request, turn in
        if turn == 0 {
          var answer = ScriptedTextProvider.calls(["Houndstooth Coffee", "Nothing There"])
          answer.calls.append(FunctionCall(id: "x", name: "web_search", arguments: [:]))
          answer.calls.append(FunctionCall(id: "y", name: "search_location", arguments: nil))
          answer.calls.append(FunctionCall(id: "z", name: "search_location", arguments: ["name": 7]))
          return answer
        }
        return ScriptedTextProvider.says(PlacesScene.list(["Houndstooth Coffee"]))
      })
    _ = try await scene.find().value
    let messages = scene.textProvider.requests[1].messages
    #expect(messages.count == 3 && messages[1] == .model(["calls": true]))
    guard case .results(let results) = messages[2] else { throw AtelierError(.internal) }
    #expect(results.map(\.call.id) == [nil, nil, "x", "y", "z"])
    #expect(results[0].response["output"]?["places"]?.array?.first?["name"] == "Houndstooth Coffee")
    #expect(results[1].response["output"]?["places"] == [])
    #expect(results[2...].allSatisfy { $0.response["error"]?.string != nil })
    await scene.engine.leave()
  }

  @Test("a request for places tells the person what it verifies, and the fraction by places")
  func progress() async throws {
    let scene = try PlacesScene(
      ScriptedTextProvider { _, turn in
        turn < 2
          ? ScriptedTextProvider.calls([Self.names[turn]])
          : ScriptedTextProvider.says(PlacesScene.list(Array(Self.names.prefix(2))))
      })
    _ = try await scene.find(Generate(recipe: .places, prompt: "coffee", limit: 4)).value
    let told = scene.engine.announcements.progress.map { "\($0.message) \($0.fraction ?? -1)" }
    var unique: [String] = []
    for line in told where unique.last != line { unique.append(line) }
    #expect(
      unique.drop { !$0.contains("Verifying") } == [
        "Verifying Houndstooth Coffee… 0.0", "Verified 1 place so far 0.25", "Verifying Cuvée Coffee Bar… 0.25",
        "Verified 2 places so far 0.5", "Completed! Found 2 places 1.0",
      ])
    #expect(told.contains("Starting generation… -1.0"))
    await scene.engine.leave()
  }

  @Test("the progress of a request for places has those confirmed so far, unless it is private", arguments: [false, true])
  func placesSoFar(isPrivate: Bool) async throws {
    let scene = try PlacesScene(
      ScriptedTextProvider { _, turn in
        turn < 2
          ? ScriptedTextProvider.calls([Self.names[turn]])
          : ScriptedTextProvider.says(PlacesScene.list(Array(Self.names.prefix(2))))
      })
    let found = try await scene.find(
      Generate(recipe: .places, prompt: "coffee", limit: 4, private: isPrivate)
    ).value
    var told = scene.engine.announcements.progress.map { $0.places ?? [] }
    told = told.enumerated().filter { $0.offset == 0 || told[$0.offset - 1] != $0.element }.map(\.element)
    let places = try #require(found.places)
    #expect(told == (isPrivate ? [[]] : [[], [places[0]], places]))
    await scene.engine.leave()
  }

  @Test("a request for places reminds a model once that answers without lookups or without a list")
  func reminder() async throws {
    for first in [PlacesScene.list(Self.names), "There are many."] {
      let scene = try PlacesScene(
        ScriptedTextProvider { _, turn in
          switch turn {
          case 0: ScriptedTextProvider.says(first)
          case 1: ScriptedTextProvider.calls([Self.names[0]])
          default: ScriptedTextProvider.says(PlacesScene.list([Self.names[0]]))
          }
        })
      #expect(try await scene.find().value.places?.count == 1)
      #expect(scene.textProvider.requests[1].messages.last == .user(PlacesPrompt.reminder))
      await scene.engine.leave()
    }
    let stubborn = try PlacesScene(ScriptedTextProvider { _, _ in ScriptedTextProvider.says("There are many.") })
    await #expect { try await stubborn.find().value } throws: {
      let error = $0 as? AtelierError
      return error?.kind == .providerError && error?.details["reason"] == "malformed_list"
    }
    #expect(stubborn.textProvider.requests.count == 2)
    await stubborn.engine.leave()
  }

  @Test("a request for places ends after twenty turns, of which the last may not call, with what was verified")
  func endless() async throws {
    let scene = try PlacesScene(ScriptedTextProvider { _, turn in ScriptedTextProvider.calls([Self.names[turn % 2]]) })
    let result = try await scene.find().value
    #expect(result.state == .partial)
    #expect(result.places?.map(\.name) == Array(Self.names.prefix(2)))
    #expect(result.failures.first?.error.data.details["reason"] == "too_many_turns")
    #expect(scene.textProvider.requests.map(\.mayCall) == Array(repeating: true, count: 19) + [false])
    await scene.engine.leave()
    let idle = try PlacesScene(ScriptedTextProvider { _, _ in ScriptedTextProvider.calls(["Nothing There"]) })
    await #expect(throws: AtelierError.self) { try await idle.find().value }
    await idle.engine.leave()
  }

  @Test(
    "a request for places delivers what was verified when the time is over or the provider fails", arguments: [true, false])
  func partial(isTime: Bool) async throws {
    let gate = Gate()
    let scene = try PlacesScene(
      ScriptedTextProvider { _, turn in
        if turn == 0 { return ScriptedTextProvider.calls([Self.names[0]]) }
        if !isTime { throw AtelierError(.offline, provider: "text-provider") }
        try await gate.pass()
        return ScriptedTextProvider.says("")
      })
    let task = scene.find(Generate(recipe: .places, prompt: "coffee", timeoutMs: 5_000))
    if isTime {
      await gate.hasSeen(1)
      await scene.fixture.clock.someoneSleeps(for: .milliseconds(5_000))
      scene.fixture.clock.advance(by: .milliseconds(5_000))
    }
    let result = try await task.value
    #expect(result.state == .partial && result.places?.map(\.name) == [Self.names[0]])
    #expect(result.failures.map(\.error.data.kind) == [isTime ? "timed_out" : "offline"])
    await scene.engine.leave()
  }

  @Test("a request for places asks the next provider only while nothing is verified")
  func fallback() async throws {
    let failing = ScriptedTextProvider(id: "first") { _, _ in throw AtelierError(.offline, provider: "first") }
    let second = ScriptedTextProvider(lookingUp: Self.names) { PlacesScene.list(Self.names) }
    let scene = try PlacesScene(failing, [second])
    let choice = try #require(ProviderChoice(["first", "text-provider"]))
    let result = try await scene.find(Generate(recipe: .places, prompt: "coffee", provider: choice)).value
    #expect(result.provider == "text-provider" && result.warnings.map(\.kind) == ["provider_fallback"])
    await scene.engine.leave()
  }

  @Test("addresses survive in five languages and forms of address unchanged", arguments: [
    ("Houndstooth Coffee", "401 Congress Ave #100C", "Austin", "TX", "78701", "United States"),
    ("Café El Jarocho", "Cuauhtémoc 134, Col. Del Carmen", "Coyoacán", "CDMX", "04100", "México"),
    ("茶亭 羽當", "渋谷1丁目15−19 二葉ビル2F", "渋谷区", "東京都", "150-0002", "日本"),
    ("护国寺小吃店", "护国寺大街93号", "北京市", "北京市", "100035", "中国"),
    ("इंडियन कॉफ़ी हाउस", "मोहन सिंह प्लेस, बाबा खड़क सिंह मार्ग", "नई दिल्ली", "दिल्ली", "110001", "भारत"),
  ])
  func addresses(
    name: String, street: String, city: String, state: String, postalCode: String, country: String
  ) async throws {
    let found = FoundPlace(
      name: name, streetAddress1: street, streetAddress2: "2", city: city, state: state, postalCode: postalCode,
      country: country, coordinate: Coordinate(latitude: 1.25, longitude: -2.5))
    let scene = try PlacesScene(ScriptedTextProvider(lookingUp: [name]) { PlacesScene.list([name], city: city) })
    let result = try await scene.find(source: ScriptedLocationSource([found])).value
    let expected = Place(found, from: .host, at: scene.fixture.clock.now)
    #expect(result.places == [expected])
    #expect(try await scene.engine.row(result.generationId)?.places == [expected])
    let folder = try scene.fixture.temporary.makeFolder("export")
    for format in [HistoryExport.Format.geojson, .csv, .jsonl] {
      let export = try await scene.engine.engine.exportHistory(
        HistoryExport(directory: folder, format: format), for: Caller())
      let text = try String(contentsOfFile: export.path, encoding: .utf8)
      #expect(export.entries == 1)
      for part in [name, street, city, state, postalCode, country] { #expect(text.contains(part), "\(format)") }
      if format == .geojson {
        let json = try JSONValue(parsing: Array(text.utf8))
        #expect(json["features"]?[0]?["geometry"]?["coordinates"] == [-2.5, 1.25])
      }
    }
    await scene.engine.leave()
  }
}
