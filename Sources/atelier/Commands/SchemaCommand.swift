import ArgumentParser
import AtelierProtocol
import POSIX
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

  func run() {
    print(format.text, terminator: "")
  }
}

extension ProtocolDocument: ExpressibleByArgument {}

/// A picture file that a person named. It is replaced atomically.
struct OutputFile: Sendable {
  let path: String

  /// - Throws: `AtelierError` that gives the reason.
  func write(_ bytes: [UInt8]) async throws {
    try await DedicatedThread.run { try writeNow(bytes) }
  }

  private func writeNow(_ bytes: [UInt8]) throws {
    do throws(FileFailure) {
      try FileSystem.replace(path, with: bytes, temporary: "\(path).partial", permissions: nil)
    } catch {
      throw error.isStorageFull
        ? AtelierError(.storageFull)
        : AtelierError(.fileAccessDenied, "\(path) cannot be written: \(error.reason). Name another file.")
    }
  }
}
