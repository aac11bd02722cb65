import Foundation
import JSON
import ServiceFixture
import Testing

@testable import atelier

/// What people can ask of a picture, wherever they ask: a member of `output` or `style` that a front does not have is left
/// out for a reason that stands here.
@Suite("The members of output and style in each front")
struct FrontMembersTests {
  /// A place where pictures are asked for.
  enum Front: String, CaseIterable {
    case commandLine, assistants, page, python, node

    /// The members that it leaves out, with the reason.
    var leftOut: [String: String] {
      switch self {
      case .commandLine, .python, .node: [:]
      case .assistants: ["inline": "an answer names the file and shows a preview: large contents are refused by hosts"]
      case .page:
        [
          "directory": "the folders of the service are not those of the browser", "inline": "a picture has an address",
          "quality": "people know how many bytes a portal takes, not a quality",
          "matte": "a second file for programs that edit pictures",
        ]
      }
    }

    /// Everything that the front says, and the form in which it says a member.
    func text() async throws -> (text: String, form: (String) -> String) {
      switch self {
      case .commandLine:
        let help = try await Executable.run(["generate", "--help"])
        return (help.output, { "\(CommandWords.name(ofMember: $0))" })
      case .assistants:
        return (try read("Sources/Service/MCP/Tools/MakingTools.swift"), { "\"\($0)\"" })
      case .page:
        let screens = ["style", "haircut", "start", "style-passport"].map { "clients/web/pages/screens/\($0).js" }
        return (try screens.map { try read($0) }.joined(separator: "\n"), { "\($0):" })
      case .python:
        return (try read("clients/python/src/atelier_studio/values.py"), { "\(snakeCase($0)): " })
      case .node: return (try read("clients/node/src/values.d.ts"), { "\($0)?: " })
      }
    }

    private func read(_ path: String) throws -> String {
      try String(contentsOfFile: "\(Fixture.project)/\(path)", encoding: .utf8)
    }

    private func snakeCase(_ member: String) -> String {
      member.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }
  }

  private static func members(_ type: String) throws -> [String] {
    let schema = try String(contentsOfFile: "\(Fixture.project)/protocol/schema.json", encoding: .utf8)
    let properties = try JSONValue(parsing: Array(schema.utf8))["$defs"]?[type]?["properties"]?.object
    return try #require(properties).map(\.key).filter { $0 != "_meta" }
  }

  @Test("a member of output or style is in each front, or left out for a reason", arguments: Front.allCases)
  func members(front: Front) async throws {
    let all = try Self.members("GenerateOutput") + Self.members("Style")
    #expect(all.contains("passportSize") && all.contains("background"))
    let (text, form) = try await front.text()
    for member in all {
      let isThere = text.contains(form(member))
      let reason = front.leftOut[member]
      #expect(isThere == (reason == nil), "\(front.rawValue): \(member) (\(form(member)))")
    }
    #expect(Set(front.leftOut.keys).isSubset(of: all), "what is left out has gone: \(front.rawValue)")
  }
}
