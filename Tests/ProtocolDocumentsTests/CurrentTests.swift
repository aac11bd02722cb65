import JSON
import ProtocolDocuments
import Testing

@Suite("The generated documents in protocol/")
struct CurrentTests {
  @Test(
    "the generated documents are what the types, their doc comments and the examples say",
    arguments: ["openrpc.json", "schema.json", "PROTOCOL.md", "REFERENCE.md"])
  func current(name: String) throws {
    let files = try Project.documents.get().files(project: Project.root)
    #expect(
      try files[name] == Project.text(name), "protocol/\(name) is out of date. Mend it with: make schema")
  }

  @Test("the generated documents are the same text however often they are made")
  func deterministic() throws {
    let documents = try Project.documents.get()
    let text = documents.export.jsonSchema().indented()
    #expect(documents.export.jsonSchema().indented() == text)
    #expect(try JSONValue(parsing: text.utf8).indented() == text)
  }

  @Test("the generated documents say of every member, value and error what it means")
  func documented() throws {
    for path in try Project.documents.get().undocumented { Issue.record("AtelierProtocol: \(path) has no doc comment") }
  }
}
