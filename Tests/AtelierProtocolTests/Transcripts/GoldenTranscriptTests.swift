import AtelierProtocol
import Foundation
import JSON
import Support
import Testing

@Suite("The transcripts in protocol/")
struct GoldenTranscriptTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "protocol/transcripts")

  private static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
    .filter { $0.hasSuffix(".jsonl") }.sorted()

  @Test("the transcripts in protocol/ are there")
  func present() {
    #expect(Self.files.contains("headshot.jsonl"))
    #expect(Self.files.count >= 10)
  }

  @Test(
    "the transcripts in protocol/ can be read, say what they show, and use only the wild cards there are", arguments: files)
  func wellFormed(file: String) throws {
    let transcript = try Transcript(parsing: try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8))
    #expect(!transcript.title.isEmpty)
    for line in transcript.lines {
      switch line.step {
      case .send: break
      case .expect(let pattern), .allow(let pattern):
        #expect(unknownWildCards(in: pattern) == [], "\(file):\(line.number)")
      }
    }
  }

  @Test("the transcripts in protocol/ call only methods there are, in one transcript or another all of them")
  func coverage() throws {
    var called: Set<String> = []
    for file in Self.files {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      for case .send(let message) in try Transcript(parsing: text).lines.map(\.step) {
        guard let method = (try? JSONValue(parsing: message.utf8))?["method"]?.string else { continue }
        called.insert(method)
      }
    }
    #expect(Set(ProtocolRegistry.acceptedMethods).subtracting(called) == [])
  }

  /// As the contract fixes them.
  private static let contract: Set<String> = [
    "initialize", "ping", "shutdown", "rpc.discover", "generate", "cancel", "status", "history", "history/get",
    "history/delete", "history/export", "regenerate", "session/list", "session/get", "image/prepare", "styles/list",
    "templates/list", "templates/get", "providers/list", "credentials/set", "credentials/status", "credentials/delete",
    "account/get", "account/signIn", "credits/balance", "credits/history", "credits/estimate", "credits/products",
    "credits/purchase", "feedback/submit", "usage/statistics",
  ]

  @Test("the transcripts in protocol/ leave out no method of the contract, and send wrong params to each")
  func refusals() throws {
    #expect(Self.contract.subtracting(ProtocolRegistry.requests.map { $0.method }) == [])
    var refused: Set<String> = []
    for file in Self.files {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      var asked: [JSONValue: String] = [:]
      for line in try Transcript(parsing: text).lines {
        switch line.step {
        case .send(let message):
          guard let request = try? JSONValue(parsing: message.utf8), let id = request["id"] else { continue }
          asked[id] = request["method"]?.string
        case .expect(let answer), .allow(let answer):
          guard answer["error"]?["code"] == -32602, let id = answer["id"], let method = asked[id] else { continue }
          refused.insert(method)
        }
      }
    }
    // These two take whatever comes with them, as editors send it.
    let lenient: Set<String> = ["shutdown", "rpc.discover"]
    #expect(Set(ProtocolRegistry.requests.map { $0.method }).subtracting(refused) == lenient)
  }

  private func unknownWildCards(in value: JSONValue) -> [String] {
    switch value {
    case .string(let text) where text.hasPrefix("*") && text.hasSuffix("*"):
      text == "*any*" || text == "*rising*" || text.hasPrefix("*id:") ? [] : [text]
    case .array(let elements): elements.flatMap(unknownWildCards)
    case .object(let object): object.values.flatMap(unknownWildCards)
    default: []
    }
  }
}
