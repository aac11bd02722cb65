import ArgumentParser
import AtelierProtocol
import Glibc
import JSONRPC

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

/// A file a person named for a picture. It is replaced whole or not at all.
struct OutputFile: Sendable {
  let path: String

  /// - Throws: `AtelierError` that says what is in the way.
  func write(_ bytes: [UInt8]) async throws {
    try await DedicatedThread.run { try writeNow(bytes) }
  }

  private func writeNow(_ bytes: [UInt8]) throws {
    let temporary = path + ".partial"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure() }
    defer { unlink(temporary) }
    do {
      defer { close(descriptor) }
      do { try BlockingIO.write(bytes, to: descriptor) } catch { throw failure() }
      guard fsync(descriptor) == 0 else { throw failure() }
    }
    guard rename(temporary, path) == 0 else { throw failure() }
  }

  private func failure() -> AtelierError {
    errno == ENOSPC
      ? AtelierError(.storageFull)
      : AtelierError(.fileAccessDenied, "\(path) cannot be written: \(String(cString: strerror(errno))). Name another file.")
  }
}
