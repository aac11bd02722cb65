import Foundation
import Support
import Testing

/// A virtual environment of Python's with one package from its index, in a temporary folder, for as long as this lives.
final class PythonEnvironment: Sendable {
  /// What a program wrote, and how it ended.
  struct Outcome: Sendable {
    var isSuccess: Bool
    var output: String
    var errors: String
  }

  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/receipts")

  private let folder: URL

  /// - Throws: cancels the test, with its reason, when the package cannot be had here.
  init(with name: String, _ version: String) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("receipts-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let environment = try await run(["python3", "-m", "venv", folder.appendingPathComponent("venv").path])
    guard environment.isSuccess else {
      try Test.cancel("Python cannot make a virtual environment: \(Self.lastLine(environment))")
    }
    let pip = try await run([
      python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "0",
      "--timeout", "15", "\(name)==\(version)",
    ])
    guard pip.isSuccess else { try Test.cancel("pip cannot fetch \(name) \(version): \(Self.lastLine(pip))") }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var python: String { folder.appendingPathComponent("venv/bin/python").path }

  private static func lastLine(_ outcome: Outcome) -> String {
    (outcome.errors + outcome.output).split(separator: "\n").last.map(String.init) ?? "no reason given"
  }

  /// Runs a script of `Tests/Fixtures/receipts` with `input` as its standard input.
  func run(script: String, input: [UInt8]) async throws -> Outcome {
    try await run([python, Self.fixtures.appendingPathComponent(script).path], input: input)
  }

  /// Not Foundation's `Process`: it waits with `select`, which fails once a thousand files are open.
  private func run(_ command: [String], input: [UInt8] = []) async throws -> Outcome {
    let files = ["input", "output", "errors"].map { folder.appendingPathComponent($0) }
    try Data(input).write(to: files[0])
    let redirection = "i=$1; o=$2; e=$3; shift 3; exec \"$@\" <\"$i\" >\"$o\" 2>\"$e\""
    let variables = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    let child = try ServiceChild(
      command: ["/bin/sh", "-c", redirection, "sh"] + files.map(\.path) + ["/usr/bin/env"] + variables + command)
    child.closeInput()
    let end = try await child.ended()
    return Outcome(
      isSuccess: end == .exited(0), output: try String(contentsOf: files[1], encoding: .utf8),
      errors: try String(contentsOf: files[2], encoding: .utf8))
  }
}
