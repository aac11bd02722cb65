import AtelierProtocol
import Foundation
import JSONRPC
import Support
import Testing

@Suite("The transcripts in protocol/")
struct GoldenTranscriptTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "protocol/transcripts")

  private static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
    .filter { $0.hasSuffix(".jsonl") }.sorted()

  @Test("are there")
  func present() {
    #expect(Self.files.contains("headshot.jsonl"))
    #expect(Self.files.count >= 10)
  }

  @Test("can be read, say what they show, and use only the wild cards there are", arguments: files)
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

  @Test("call only methods there are, in one transcript or another all of them")
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
