import AtelierProtocol
import JSON
import Testing

@testable import ProtocolDocuments

@Suite("The documents for people, protocol/PROTOCOL.md and REFERENCE.md")
struct ReferenceTests {
  private static let names = ["PROTOCOL.md", "REFERENCE.md"]

  /// What the headings of a document are linked to by.
  private func anchors(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      Markdown.anchor(String(line.drop { $0 == "#" }.dropFirst()))
    }
  }

  @Test("the documents for people link to sections that there are", arguments: names)
  func links(name: String) throws {
    let text = try Project.text(name)
    let own = Set(anchors(text))
    let reference = Set(anchors(try Project.text("REFERENCE.md")))
    for match in text.matches(of: #/\]\((REFERENCE\.md)?#([^)]*)\)/#) {
      let sections = match.output.1 == nil ? own : reference
      #expect(sections.contains(String(match.output.2)), "\(name): \(match.output.0)")
    }
  }

  @Test("the documents for people have no two sections of one name", arguments: names)
  func unambiguous(name: String) throws {
    let anchors = anchors(try Project.text(name))
    #expect(Dictionary(grouping: anchors) { $0 }.filter { $0.value.count > 1 }.keys.sorted() == [])
  }

  @Test("the documents for people begin with one that can be read in a quarter of an hour")
  func length() throws {
    #expect(try Project.text("PROTOCOL.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 257)
  }

  @Test("the documents for people name every param, answer's member and error, in the section of the method")
  func methods() throws {
    let documents = try Project.documents.get()
    let blocks = Blocks(markdown: Markdown(export: documents.export, reference: ""))
    let definitions = blocks.markdown.definitions
    for (path, method) in ProtocolDocuments.methods {
      let section = try blocks.text(method)
      for definition in ["\(path)Params", "\(path)Result"] {
        for name in definitions[definition]?["properties"]?.object?.keys ?? [] where name != "_meta" {
          #expect(section.contains("| `\(name)`"), "\(method): \(name)")
        }
      }
      let type = ProtocolRegistry.requests.first { $0.method == method }
      for kind in type?.errors ?? [] { #expect(section.contains("`\(kind.rawValue)`"), "\(method) may fail with \(kind)") }
    }
  }

  @Test(
    "the documents for people list every kind of error with its code, whether to retry, and its message",
    arguments: ErrorKind.allCases)
  func errors(kind: ErrorKind) throws {
    let row = "| \(kind.code) | `\(kind.rawValue)` | \(kind.isRetryable ? "yes" : "no") | \(kind.sentence) | "
    #expect(try Project.text("PROTOCOL.md").contains(row))
  }

  @Test("a generated block that cannot be written is named with its line")
  func faults() throws {
    let blocks = Blocks(markdown: Markdown(export: try Project.documents.get().export, reference: ""))
    for text in ["a\n<!-- generated: nothing -->\n<!-- end -->", "a\n<!-- generated: ping -->\n"] {
      let problem = #expect(throws: ProtocolDocuments.Problem.self) {
        try ProtocolDocuments.filled(text, in: "X.md", blocks)
      }
      #expect(problem?.description.hasPrefix("protocol/X.md:2: ") == true)
    }
  }
}
