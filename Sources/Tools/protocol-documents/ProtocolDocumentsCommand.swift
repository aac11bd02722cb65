import ArgumentParser
import Foundation
import ProtocolDocuments

/// What `make schema` runs.
@main
struct ProtocolDocumentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "protocol-documents",
    abstract: "Write the documents in protocol/ from the Swift types, their doc comments and the examples.")

  @Option(help: "The root of the project.")
  var project = "."

  @Option(help: "The folder of the built modules. Default: the one beside this program.")
  var modules: String?

  @Flag(help: "Write nothing; fail when a file is not what it is to be.")
  var check = false

  func run() throws {
    let project = URL(filePath: project)
    let program = URL(filePath: CommandLine.arguments.first ?? ".").deletingLastPathComponent()
    let modules = modules.map { URL(filePath: $0) } ?? program.appending(path: "Modules")
    let documents: ProtocolDocuments
    let stale: [String]
    do {
      documents = try ProtocolDocuments(project: project, modules: modules)
      stale = try bring(try documents.files(project: project), upToDateIn: project.appending(path: "protocol"))
    } catch let problem as ProtocolDocuments.Problem {
      throw ValidationError(problem.description)
    }
    for path in documents.undocumented { tell("AtelierProtocol: \(path) has no doc comment") }
    for name in stale where check { tell("protocol/\(name) is out of date. Mend it with: make schema") }
    if !documents.undocumented.isEmpty || check && !stale.isEmpty { throw ExitCode.failure }
  }

  /// Writes each file that is not as it is to be, unless they are only checked.
  /// - Returns: the names of these files.
  private func bring(_ files: [String: String], upToDateIn folder: URL) throws -> [String] {
    let stale = files.keys.sorted().filter { name in
      files[name] != (try? String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }
    if check { return stale }
    for name in stale { try files[name]?.write(to: folder.appending(path: name), atomically: true, encoding: .utf8) }
    return stale
  }

  private func tell(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
