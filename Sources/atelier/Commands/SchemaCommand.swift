import ArgumentParser
import AtelierProtocol

/// `atelier schema`: the protocol for machines.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the protocol as an OpenRPC document or as JSON Schema.",
    discussion: """
        atelier schema | jq -r '.methods[].name'
        atelier schema --format json-schema > schema.json
      """)

  @Option(help: "openrpc or json-schema.")
  var format: SchemaExport.Format = .openRPC

  func run() throws {
    print(try SchemaExport.text(format), terminator: "")
  }
}

extension SchemaExport.Format: ExpressibleByArgument {}
