import ArgumentParser
import Server

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
  var format: ProtocolDocument = .openRPC

  @OptionGroup var common: CommonOptions

  func run() {
    print(format.text, terminator: "")
  }
}

extension ProtocolDocument: ExpressibleByArgument {}
