import Foundation
import Support

/// A program run to its end, with an empty input.
///
/// Not Foundation's `Process`: it waits with `select`, which fails once a thousand files are open, as they are while
/// the load tests run.
struct Command: Sendable {
  var status: Int32
  var output: String
  var errors: String

  /// Runs a program found by this process's own PATH.
  /// - Throws: `SystemError` when nothing can be started; `CancellationError`.
  static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Command {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("command-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (output, errors) = (folder.appendingPathComponent("output"), folder.appendingPathComponent("errors"))
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
    let redirection = ["/bin/sh", "-c", "output=$1; errors=$2; shift 2; exec \"$@\" >\"$output\" 2>\"$errors\"", "sh"]
    let child = try ServiceChild(
      command: redirection + [output.path, errors.path, "/usr/bin/env"] + variables + [program] + arguments)
    child.closeInput()
    guard case .exited(let status) = try await child.ended() else {
      return Command(status: -1, output: "", errors: "killed")
    }
    return Command(
      status: status, output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }
}
