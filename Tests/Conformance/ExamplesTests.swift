import CurlHTTP
import Encodings
import Foundation
import JSON
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

  @Test("are what the service answers", arguments: names)
  func hold(name: String) async throws {
    let house = try ServiceFixture()
    let service = try await Self.serve(house)
    let text = try String(contentsOfFile: "\(Fixture.project)/protocol/examples/\(name)", encoding: .utf8)
    let example = ExampleTranscript(substitutions: try Self.substitutions(in: house))
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

  private static func serve(_ house: ServiceFixture) async throws -> TestService {
    // What is sold, and the root of the signatures, is in a file that names another from the root of the project on.
    #expect(FileManager.default.changeCurrentDirectoryPath(Fixture.project))
    let configuration = TranscriptConfiguration(of: "purchase.jsonl")
    let settings = try await configuration.providers()
    let worker = try ServiceFixture.makeWorker()
    let providers: [any ImageProvider] = [
      OnDeviceProvider(worker: worker),
      GeminiProvider(settings: settings.gemini, http: CannedGemini(), keys: house.credentials),
      OpenAIProvider(settings: settings.openAI, http: NoNetwork(), keys: house.credentials),
    ]
    return try house.serve(
      providers, worker: worker, rights: ConnectionRights(isTrusted: true), configuration: try await configuration.read())
  }

  /// The files of Anna's home, and the purchase that is too long to be shown.
  private static func substitutions(in house: ServiceFixture) throws -> [(written: String, meant: String)] {
    let home = "\(house.temporary.path)/home"
    let files = FileManager.default
    for folder in [home, "\(home)/export"] {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    let fixtures = [
      "photo.jpg": "portraits/grace_hopper.jpg", "landscape.jpg": "images/landscape.jpg",
      "IMG_2041.HEIC": "images/rotated.heic",
    ]
    for (name, fixture) in fixtures { try files.copyItem(atPath: Fixture.path(fixture), toPath: "\(home)/\(name)") }
    let purchases = try String(contentsOfFile: "\(Fixture.project)/protocol/transcripts/purchase.jsonl", encoding: .utf8)
    let transaction = try #require(purchases.firstMatch(of: #/"signedTransaction":"([^"]+)"/#)?.output.1)
    return [
      ("/home/anna/.local/share/atelier", house.directory.path), ("/home/anna", home),
      ("eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl", String(transaction)),
    ]
  }
}

/// Google's API as far as the examples need it: every request is answered with the same picture.
private struct CannedGemini: HTTPPerforming {
  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    event(.connected)
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
