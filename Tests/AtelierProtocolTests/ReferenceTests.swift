import AtelierProtocol
import Foundation
import JSON
import Support
import Testing

@Suite("The reference, protocol/PROTOCOL.md")
struct ReferenceTests {
  private static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "protocol/PROTOCOL.md")

  private let text: String

  init() throws { text = try String(contentsOf: Self.path, encoding: .utf8) }

  /// What stands under the heading, up to the next one of its level or above.
  private func section(_ heading: String) throws -> Substring {
    let level = heading.prefix { $0 == "#" }.count
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0 == heading }, "there is no heading \(heading)")
    let rest = lines[(start + 1)...]
    let end = rest.firstIndex { line in
      let depth = line.prefix { $0 == "#" }.count
      return depth > 0 && depth <= level && line.dropFirst(depth).first == " "
    }
    return text[
      lines[start].startIndex..<(lines[rest.startIndex..<(end ?? rest.endIndex)].last ?? lines[start]).endIndex]
  }

  @Test("names every param and every member of every answer, in the section of the method")
  func methods() throws {
    let definitions = try #require(try SchemaExport.jsonSchema()["$defs"])
    for message in ProtocolRegistry.requests { try checkSection(of: message, definitions) }
    for message in ProtocolRegistry.notificationsToHost {
      let section = try section("#### \(message.method)")
      let params = definitions["\(message)Params"]?["properties"]?.object
      for name in try #require(params).keys { #expect(section.contains("| `\(name)`"), "\(message.method): \(name)") }
    }
  }

  private func checkSection<M: RequestMessage>(of type: M.Type, _ definitions: JSONValue) throws {
    let section = try section("### \(type.method)")
    for name in definitions["\(type)Params"]?["properties"]?.object?.keys ?? [] where name != "_meta" {
      #expect(section.contains("| `\(name)`"), "\(type.method): \(name)")
    }
    let answers =
      ["\(type)Result", "\(type)Acceptance"] + (type == Status.self ? ["ServiceStatus", "GenerationStatus"] : [])
    for answer in answers {
      for name in definitions[answer]?["properties"]?.object?.keys ?? [] {
        #expect(section.contains("`\(name)`"), "\(type.method) answers \(name)")
      }
    }
    for kind in type.errors { #expect(section.contains("`\(kind.rawValue)`"), "\(type.method) may fail with \(kind)") }
  }

  @Test("lists every kind of error with its code, whether to retry, and its message", arguments: ErrorKind.allCases)
  func errors(kind: ErrorKind) throws {
    let row = "| \(kind.code) | `\(kind.rawValue)` | \(kind.isRetryable ? "yes" : "no") | \(kind.sentence) | "
    #expect(try section("## Errors").contains(row))
  }

  @Test("shows only messages that are right")
  func examples() throws {
    var blocks = 0
    for block in text.components(separatedBy: "```jsonl\n").dropFirst() {
      let transcript = try Transcript(parsing: block.components(separatedBy: "\n```")[0])
      var called: (any RequestMessage.Type)?
      for line in transcript.lines {
        switch line.step {
        case .send(let text): called = try checkCall(JSONValue(parsing: text.utf8), in: block)
        case .expect(let message), .allow(let message): try check(message, answering: called, in: block)
        }
      }
      blocks += 1
    }
    #expect(blocks >= 20)
  }

  /// - Returns: the method that is called.
  private func checkCall(_ message: JSONValue, in block: String) throws -> any RequestMessage.Type {
    let type = try #require(ProtocolRegistry.requests.first { $0.method == message["method"]?.string })
    // A wrong call is shown for the sake of its error.
    if !block.contains("\"code\":-32602") { #expect(failure(type, message["params"] ?? [:]) == nil, "\(block)") }
    return type
  }

  private func check(_ message: JSONValue, answering called: (any RequestMessage.Type)?, in block: String) throws {
    if let method = message["method"]?.string {
      let type = try #require(ProtocolRegistry.notificationsToHost.first { $0.method == method })
      #expect(failure(type, try #require(message["params"])) == nil, "\(block)")
    } else if let error = message["error"] {
      let code = try #require(error["code"]?.int64)
      #expect(code < 0 || failure(ErrorBody.self, error) == nil, "\(block)")
    } else {
      let result = try #require(message["result"])
      guard let called else {
        Issue.record("an answer to nothing: \(block)")
        return
      }
      checkAnswer(result, to: called, in: block)
    }
  }

  private func checkAnswer<M: RequestMessage>(_ result: JSONValue, to type: M.Type, in block: String) {
    #expect(failure(M.Answer.self, result) == nil, "\(block)")
  }
}
