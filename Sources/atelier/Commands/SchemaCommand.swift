import ArgumentParser
import AtelierProtocol

/// `atelier schema`: the protocol for machines.
struct SchemaCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
    case openrpc
    case jsonSchema = "json-schema"
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the protocol as an OpenRPC document or as JSON Schema.",
    discussion: """
        atelier schema | jq -r '.methods[].name'
        atelier schema --format json-schema > schema.json
      """)

  @Option(help: "openrpc or json-schema.")
  var format: Format = .openrpc

  func run() throws {
    switch format {
    case .openrpc: print(SchemaExport.openRPCText, terminator: "")
    case .jsonSchema: print(SchemaExport.jsonSchemaText, terminator: "")
    }
  }
}
