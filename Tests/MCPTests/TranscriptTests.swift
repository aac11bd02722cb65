import AtelierProtocol
import Engine
import Foundation
import JSON
import JSONRPC
import ServiceFixture
import Support
import Synchronization
import Testing

@testable import MCP

/// The conversations in Tests/MCPTests/transcripts, which read like the wire.
@Suite("MCP transcripts", .serialized, .timeLimit(.minutes(3)))
struct TranscriptTests {
  private static let folder = "\(Fixture.project)/Tests/MCPTests/transcripts"

  private static let names: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.hasSuffix(".jsonl") }.sorted()
  }()

  @Test("MCP transcripts are there")
  func areThere() { #expect(Self.names == ["legacy.jsonl", "modern.jsonl", "places.jsonl", "tasks.jsonl"]) }

  @Test("MCP transcripts hold in memory", arguments: names)
  func hold(name: String) async throws {
    let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
    var run = TranscriptRun(try Transcript(parsing: text))
    let fixture = try ServiceFixture()
    var settings = MCPSettings()
    settings.workingDirectory = "/photos"
    let (mine, theirs) = InMemoryTransport.pair(capacity: 1 << 20)
    let announcing = Mutex<(@Sendable (Announcement) -> Void)?>(nil)
    let found = #"[{"name":"Houndstooth Coffee","city":"Austin"},{"name":"Café Nowhere","city":"Austin"}]"#
    let textProvider = ScriptedTextProvider(lookingUp: ["Houndstooth Coffee"]) { found }
    let provider = ScriptedProvider(recipes: Recipe.allCases.filter { $0 != .places }, creditsPerImage: 1)
    let engine = try fixture.engine([provider, textProvider], geocoder: ScriptedGeocoder().geocoder()) { announcement in
      announcing.withLock { $0 }?(announcement)
    }
    let host = MCPHost(transport: mine, limits: ConnectionLimits(), settings: settings) { announce in
      announcing.withLock { $0 = announce }
      return engine.engine
    }
    let client = TestHost(theirs)
    let life = Task { await host.run() }
    for message in try run.due() { try client.send(message) }
    while !run.isComplete {
      let message = try #require(await client.next(), "\(name): the end came before line \(run.awaitedLine ?? 0)")
      try run.receive(message)
      for message in try run.due() { try client.send(message) }
    }
    client.closeInput()
    for message in await client.rest() { try run.receive(message) }
    _ = await life.value
  }
}
