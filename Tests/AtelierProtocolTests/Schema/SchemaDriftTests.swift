import AtelierProtocol
import Foundation
import JSON
import Testing

@Suite("The generated documents in protocol/")
struct SchemaDriftTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "protocol")

  @Test(
    "are what the Swift types say",
    arguments: [(SchemaExport.Format.openRPC, "openrpc.json"), (SchemaExport.Format.jsonSchema, "schema.json")])
  func current(format: SchemaExport.Format, name: String) throws {
    let document = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    #expect(
      document == (try SchemaExport.text(format)),
      "protocol/\(name) is out of date. Mend it with: atelier schema --format \(format.rawValue) > protocol/\(name)")
  }

  @Test("are the same text however often they are made", arguments: SchemaExport.Format.allCases)
  func deterministic(format: SchemaExport.Format) throws {
    let text = try SchemaExport.text(format)
    #expect(try SchemaExport.text(format) == text)
    #expect(try JSONValue(parsing: text.utf8).indented() == text)
  }
}
