import Foundation
import JSON

/// Asks the compiler for the doc comments of a module that was built.
public enum SymbolGraph {
  /// - Parameter modules: the folder of the built modules, such as `.build/debug/Modules`.
  /// - Returns: the doc comments of AtelierProtocol, those of its private members included.
  /// - Throws: `ProtocolDocuments.Problem` when the compiler does not give them.
  public static func docComments(modules: URL) throws -> DocComments {
    let directory = FileManager.default.temporaryDirectory.appending(path: "protocol-documents-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    // The module of C that AtelierProtocol reaches through Localization: the build writes its map beside the modules.
    let map = modules.deletingLastPathComponent().appending(path: "CEmbedded.build/module.modulemap").path()
    _ = try run([
      "swift", "symbolgraph-extract", "-module-name", "AtelierProtocol", "-I", modules.path(),
      "-Xcc", "-fmodule-map-file=\(map)", "-target", try target(), "-output-dir", directory.path(),
      "-minimum-access-level", "private",
    ])
    let file = directory.appending(path: "AtelierProtocol.symbols.json")
    return DocComments(symbolGraph: try JSONValue(parsing: [UInt8](try Data(contentsOf: file))))
  }

  /// The triple of this machine.
  private static func target() throws -> String {
    let information = try JSONValue(parsing: [UInt8](try run(["swift", "-print-target-info"])))
    guard let triple = information["target"]?["triple"]?.string else {
      throw ProtocolDocuments.Problem(description: "`swift -print-target-info` names no target")
    }
    return triple
  }

  private static func run(_ command: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ProtocolDocuments.Problem(description: "`\(command.joined(separator: " "))` failed")
    }
    return data
  }
}

extension ProtocolDocuments {
  /// With the doc comments of the built modules and the examples in `protocol/examples`.
  /// - Parameter project: the root of the project.
  public init(project: URL, modules: URL) throws {
    let folder = project.appending(path: "protocol/examples")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".jsonl") }
    let examples = try names.sorted().flatMap { name in
      do { return try Example.all(in: try String(contentsOf: folder.appending(path: name), encoding: .utf8)) } catch {
        throw Problem(description: "protocol/examples/\(name): \(error)")
      }
    }
    self.init(comments: try SymbolGraph.docComments(modules: modules), examples: examples)
  }

  /// The files as they are to be, by name, of the Markdown documents as they are in `protocol/`.
  public func files(project: URL) throws -> [String: String] {
    var documents: [String: String] = [:]
    for name in Self.documents {
      documents[name] = try String(contentsOf: project.appending(path: "protocol/\(name)"), encoding: .utf8)
    }
    return try files(documents: documents)
  }
}
