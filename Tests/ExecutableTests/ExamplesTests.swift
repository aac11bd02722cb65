import CurlHTTP
import Encodings
import Foundation
import JSON
import JSONRPC
import Providers
import Server
import ServiceFixture
import Support
import Testing

/// The examples that the documents show, each file played against the service in memory and compared in full.
@Suite("The examples in protocol/examples", .serialized)
struct ExamplesTests {
  static let names: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(Fixture.project)/protocol/examples")
    return (names ?? []).filter { $0.hasSuffix(".jsonl") }.sorted()
  }()

  @Test("the examples are what the service answers", arguments: names)
  func hold(name: String) async throws { try await play(name, over: .memory, .lines) }

  @Test("the examples are what the service answers where messages have headers and requests go both ways")
  func holdWithHeaders() async throws { try await play("places.jsonl", over: .pipes, .headers) }

  private func play(_ name: String, over medium: TestService.Medium, _ framing: Framing) async throws {
    let fixture = try ServiceFixture()
    let service = try await Self.serve(fixture, over: medium, framing)
    let text = try String(contentsOfFile: "\(Fixture.project)/protocol/examples/\(name)", encoding: .utf8)
    let example = ExampleTranscript(substitutions: try Self.substitutions(in: fixture))
    var run = TranscriptRun(try example.transcript(of: text))
    do {
      for text in try run.due() { try service.host.send(text) }
      while !run.isComplete {
        guard let message = await service.host.next() else {
          Issue.record("\(name):\(run.awaitedLine ?? 0): the service ended before this message")
          return
        }
        try run.receive(ExampleTranscript.withoutLateMembers(message))
        for text in try run.due() { try service.host.send(text) }
      }
    } catch {
      Issue.record("\(name): \(error)")
    }
    let ids = run.matcher.captured
    #expect(Set(ids.values).count == ids.count, "\(name): one id of the run stands for two of the file: \(ids)")
    service.host.closeInput()
    _ = await service.host.rest()
    _ = await service.end()
  }

  private static func serve(
    _ fixture: ServiceFixture, over medium: TestService.Medium, _ framing: Framing
  ) async throws -> TestService {
    // What is sold, and the root of the signatures, is in a file that names another from the root of the project on.
    #expect(FileManager.default.changeCurrentDirectoryPath(Fixture.project))
    let configuration = TranscriptConfiguration(of: "purchase.jsonl")
    let settings = try await configuration.providers()
    let worker = try ServiceFixture.makeWorker()
    let providers: [any ImageProvider] = [
      OnDeviceProvider(worker: worker),
      GeminiProvider(settings: settings.gemini, http: CannedGemini(), keys: fixture.credentials),
      OpenAIProvider(settings: settings.openAI, http: NoNetwork(), keys: fixture.credentials),
    ]
    let geocoder = NominatimGeocoder(
      settings: GeocoderSettings(
        baseURL: try #require(BaseURL("https://geocoder.example")), userAgent: "test", intervalMs: 0, keptMs: 0),
      http: CannedGeocoder())
    return try fixture.serve(
      providers, geocoder: geocoder, worker: worker, over: medium, framing: framing,
      rights: ConnectionRights(isTrusted: true), configuration: try await configuration.read())
  }

  /// The files of Anna's home, and the purchase that is too long to be shown.
  private static func substitutions(in fixture: ServiceFixture) throws -> [(written: String, meant: String)] {
    let home = "\(fixture.temporary.path)/home"
    let files = FileManager.default
    for folder in [home, "\(home)/export"] {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    let fixtures = [
      "photo.jpg": "portraits/grace_hopper.jpg", "landscape.jpg": "images/landscape.jpg",
      "IMG_2041.HEIC": "images/rotated.heic",
    ]
    for (name, path) in fixtures { try files.copyItem(atPath: Fixture.path(path), toPath: "\(home)/\(name)") }
    let purchases = try String(contentsOfFile: "\(Fixture.project)/protocol/transcripts/purchase.jsonl", encoding: .utf8)
    let transaction = try #require(purchases.firstMatch(of: #/"signedTransaction":"([^"]+)"/#)?.output.1)
    return [
      ("/home/anna/.local/share/atelier", fixture.directory.path), ("/home/anna", home),
      ("eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl", String(transaction)),
    ]
  }
}

/// Google's API as far as the examples need it: every request is answered with the same picture, or with the next turn of a
/// conversation about places.
private struct CannedGemini: HTTPPerforming {
  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    event(.connected)
    if let turn = try Self.turn(in: request.body ?? []) {
      return HTTPResponse(status: 200, headers: [], body: turn.serialized())
    }
    let picture = Base64.encoded(try Fixture.bytes("images/plain.png"))
    let body: JSONValue = [
      "candidates": [
        [
          "content": ["parts": [["inlineData": ["mimeType": "image/png", "data": .string(picture)]]]],
          "finishReason": "STOP",
        ]
      ],
      "usageMetadata": ["promptTokenCount": 806, "candidatesTokenCount": 1680, "totalTokenCount": 2486],
    ]
    return HTTPResponse(
      status: 200, headers: [HTTPHeader("Content-Type", "application/json")], body: body.serialized())
  }
}

extension CannedGemini {
  /// The model's next turn: it looks one place up after the other, then lists what was found, and one that it made up.
  /// - Returns: nil for a request for a picture.
  private static func turn(in body: [UInt8]) throws -> JSONValue? {
    let request = try JSONValue(parsing: body)
    guard request["tools"] != nil else { return nil }
    let parts = (request["contents"]?.array ?? []).flatMap { $0["parts"]?.array ?? [] }
    let isAboutTheMoon = parts.first?["text"]?.string?.contains("moon") == true
    let names = isAboutTheMoon ? ["Lunar Beans"] : ["Houndstooth Coffee", "Cuvée Coffee Bar"]
    let found = parts.compactMap { $0["functionResponse"]?["response"]?["output"]?["places"]?.array }
    var part: JSONValue
    if found.count < names.count {
      let location: JSONValue = isAboutTheMoon ? "Mare Tranquillitatis" : "Austin"
      let arguments: JSONValue = ["name": .string(names[found.count]), "location": location]
      part = ["functionCall": ["name": "search_location", "args": arguments]]
    } else {
      var list = found.compactMap(\.first)
      if !list.isEmpty { list.insert(["name": "The Imaginary Bean", "city": "Austin"], at: 1) }
      part = ["text": .string(JSONValue.array(list).serializedText)]
    }
    return [
      "candidates": [["content": ["role": "model", "parts": [part]], "finishReason": "STOP"]],
      "usageMetadata": ["promptTokenCount": 400, "candidatesTokenCount": 80, "totalTokenCount": 480],
      "modelVersion": "gemini-2.5-flash",
    ]
  }
}

/// A geocoder that knows the two places of the example.
private struct CannedGeocoder: HTTPPerforming {
  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    let isFirst = request.url.contains("Houndstooth")
    let address: JSONValue = [
      "house_number": isFirst ? "401" : "2000", "road": isFirst ? "Congress Ave" : "E 6th St", "city": "Austin",
      "state": "Texas", "postcode": isFirst ? "78701" : "78702", "country": "United States", "country_code": "us",
    ]
    let place: JSONValue = [
      "name": isFirst ? "Houndstooth Coffee" : "Cuvée Coffee Bar", "lat": isFirst ? "30.2667" : "30.2614",
      "lon": isFirst ? "-97.7428" : "-97.7217", "address": address,
    ]
    return HTTPResponse(status: 200, headers: [], body: JSONValue.array([place]).serialized())
  }
}
