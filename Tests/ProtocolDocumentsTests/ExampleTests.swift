import AtelierProtocol
import JSON
import Testing

@testable import ProtocolDocuments

@Suite("Examples")
struct ExampleTests {
  private static let text = """
    # A file
    --> {"id":1,"method":"ping"}
    <-- {"id":1,"result":{}}

    #: cancel — By id
    --> {"id":2,"method":"cancel","params":{"generationId":"gen_1"}}
    <--* {"method":"generation/progress"}
    <-- {"id":2,"result":{"state":"cancelled"}}
    # more
    --> {"id":3,"method":"ping"}
    """

  @Test("examples begin with their headings, end before the next comment, and leave out what may come or not")
  func parsing() throws {
    let example = try #require(try Example.all(in: Self.text).first)
    #expect(try Example.all(in: Self.text).count == 1)
    #expect(example.name == "cancel — By id")
    #expect(example.lines.count == 2)
    #expect(example.params == ["generationId": "gen_1"])
    #expect(example.result == ["state": "cancelled"])
  }

  @Test("examples need a method and a title")
  func heading() {
    #expect(throws: Example.SyntaxError(line: 2)) { try Example.all(in: "# a\n#: cancel by id") }
  }

  @Test("examples stand for every message, and each name for one")
  func coverage() throws {
    let examples = try Project.documents.get().export.examples
    #expect(Set(examples.map(\.name)).count == examples.count)
    // Its answer is the whole of openrpc.json.
    let methods = Set(ProtocolDocuments.methods.map(\.method)).subtracting(["rpc.discover"])
    #expect(methods.subtracting(examples.map(\.method)) == [])
  }
}
