import CurlHTTP
import Foundation
import Imaging
import JSONRPC
import Providers
import Support
import ServiceFixture
import Testing

/// The transcripts of `protocol/transcripts`, each played in memory, over pipes and against the executable: every medium,
/// framing and delivery has its turn, not every combination.
@Suite("Transcripts", .serialized)
struct TranscriptTests {
  static let names: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(Fixture.project)/protocol/transcripts")
    return (names ?? []).filter { $0.hasSuffix(".jsonl") }.sorted()
  }()

  /// How the host's bytes reach the service.
  enum Delivery: CaseIterable, Sendable {
    case whole, byteByByte
  }

  private func transcript(_ name: String) throws -> Transcript {
    let path = "\(Fixture.project)/protocol/transcripts/\(name)"
    return try Transcript(parsing: try String(contentsOfFile: path, encoding: .utf8))
  }

  @Test("the transcripts are there")
  func areThere() {
    #expect(Self.names.count >= 10)
  }

  @Test("the transcripts hold in memory", arguments: names)
  func inMemory(name: String) async throws {
    let service = try await Self.serve(ServiceFixture(), .memory, framing: .lines, as: name)
    try await play(name, with: service.host, .whole)
    _ = await service.end()
  }

  @Test("the transcripts hold over pipes, a byte at a time", arguments: names)
  func overPipes(name: String) async throws {
    let service = try await Self.serve(ServiceFixture(), .pipes, framing: .headers, as: name)
    try await play(name, with: service.host, .byteByByte)
    _ = await service.end()
  }

  @Test("the transcripts hold against the executable", arguments: names, [
    (Framing.headers, Delivery.whole), (.lines, .byteByByte),
  ])
  func asProcess(name: String, manner: (framing: Framing, delivery: Delivery)) async throws {
    let directory = try TemporaryDirectory()
    let service = try ServiceProcess(
      ["--data-dir", directory.path] + TranscriptConfiguration(of: name).options, framing: manner.framing)
    try await play(name, with: service.host, manner.delivery)
    #expect(await service.exitStatus.value == 0)
    #expect(await service.errorText == "")
  }

  // Not history.jsonl: whether a thumbnail, made after the answer, is there yet shows in the bytes a deletion frees. Not
  // confined.jsonl: its status tells the memory that is used.
  @Test("transcripts without progress replay byte for byte", arguments: [
    "json-rpc-examples.jsonl", "errors.jsonl", "idempotency.jsonl", "accounts.jsonl", "refine.jsonl", "credits.jsonl",
    "purchase.jsonl", "grants.jsonl", "rate-limit.jsonl", "daily-limit.jsonl",
  ])
  func replay(name: String) async throws {
    var outputs: [String] = []
    for _ in 0..<2 {
      let fixture = try ServiceFixture()
      let service = try await Self.serve(fixture, .memory, framing: .lines, as: name)
      try await play(name, with: service.host, .whole)
      _ = await service.end()
      let text = String(decoding: service.host.received, as: UTF8.self)
      // A thumbnail is made after the answer, so it may come in time for the next one or not.
      outputs.append(
        text.replacing(fixture.temporary.path, with: "DATA").replacing(#/"thumbnail":"[^"]*",/#, with: ""))
    }
    #expect(outputs[0] == outputs[1])
    #expect(!outputs[0].isEmpty)
  }

  private static func serve(
    _ fixture: ServiceFixture, _ medium: TestService.Medium, framing: Framing, as name: String
  ) async throws -> TestService {
    // Transcripts name their fixtures from the root of the project on.
    #expect(FileManager.default.changeCurrentDirectoryPath(Fixture.project))
    let worker = try ServiceFixture.makeWorker()
    let configuration = TranscriptConfiguration(of: name)
    let settings = try await configuration.providers()
    let providers: [any ImageProvider] = [
      OnDeviceProvider(worker: worker),
      GeminiProvider(settings: settings.gemini, http: NoNetwork(), keys: fixture.credentials),
      OpenAIProvider(settings: settings.openAI, http: NoNetwork(), keys: fixture.credentials),
    ]
    return try fixture.serve(
      providers, worker: worker, over: medium, framing: framing, rights: try configuration.rights(),
      configuration: try await configuration.read())
  }

  /// Plays the host's part and compares the service's.
  private func play(_ name: String, with host: TestHost, _ delivery: Delivery) async throws {
    var run = TranscriptRun(try transcript(name))
    try send(try run.due(), to: host, delivery)
    while !run.isComplete {
      guard let message = await host.next() else {
        Issue.record("\(name):\(run.awaitedLine ?? 0): the service ended before this message")
        return
      }
      do {
        try run.receive(message)
        try send(try run.due(), to: host, delivery)
      } catch {
        Issue.record("\(name): \(error)")
        break
      }
    }
    host.closeInput()
    for message in await host.rest() where run.isComplete { try run.receive(message) }
  }

  private func send(_ texts: [String], to host: TestHost, _ delivery: Delivery) throws {
    for text in texts {
      switch delivery {
      case .whole: try host.send(text)
      case .byteByByte: for byte in host.frame(text) { try host.write([byte]) }
      }
    }
  }
}
