import Foundation
import Support
import Testing

/// Python with one package from its index, which is fetched once into the build folder.
final class PythonEnvironment: Sendable {
  /// What a program wrote, and how it ended.
  struct Outcome: Sendable {
    var isSuccess: Bool
    var output: String
    var errors: String
  }

  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// For what programs read and write, for as long as this lives.
  private let folder: URL
  private let package: URL

  /// - Throws: cancels the test, with its reason, when the package cannot be had here.
  init(with name: String, _ version: String) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("receipts-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    package = Self.project.appendingPathComponent(".build/python/\(name)-\(version)")
    if !FileManager.default.fileExists(atPath: package.path) { try await fetch(name, version) }
  }

  private func fetch(_ name: String, _ version: String) async throws {
    let fetched = folder.appendingPathComponent("package")
    let pip = try await run([
      "python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "0",
      "--timeout", "15", "--target", fetched.path, "\(name)==\(version)",
    ])
    guard pip.isSuccess else { try Test.cancel("pip cannot fetch \(name) \(version): \(Self.lastLine(pip))") }
    try FileManager.default.createDirectory(
      at: package.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: fetched, to: package)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func lastLine(_ outcome: Outcome) -> String {
    (outcome.errors + outcome.output).split(separator: "\n").last.map(String.init) ?? "no reason given"
  }

  /// Runs a script of `Tests/Fixtures/receipts` with `input` as its standard input.
  func run(script: String, input: [UInt8]) async throws -> Outcome {
    let path = Self.project.appendingPathComponent("Tests/Fixtures/receipts/\(script)").path
    return try await run(["env", "PYTHONPATH=\(package.path)", "python3", path], input: input)
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
