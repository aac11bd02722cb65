import Foundation
import Testing

/// A Python package from its index, fetched once into the build folder.
enum PythonPackage {
  static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// - Returns: the folder to put on `PYTHONPATH`.
  /// - Throws: cancels the test, with its reason, when the package cannot be had here.
  static func fetch(_ name: String, _ version: String) async throws -> String {
    let folder = project.appendingPathComponent(".build/python/\(name)-\(version)")
    if FileManager.default.fileExists(atPath: folder.path) { return folder.path }
    let temporary = folder.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: temporary) }
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    let pip = try await Command.run(
      "python3",
      [
        "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "0",
        "--timeout", "15", "--target", temporary.path, "\(name)==\(version)",
      ])
    guard pip.status == 0 else {
      try Test.cancel(
        "pip cannot fetch \(name) \(version): \(pip.errors.split(separator: "\n").last ?? "no reason given")")
    }
    // Another run of the tests may have been quicker.
    if !FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.moveItem(at: temporary, to: folder)
    }
    return folder.path
  }

  /// Runs a script of `Tests/Fixtures/sdk` with the package.
  static func run(_ script: String, _ arguments: [String], with folder: String) async throws -> Command {
    let path = project.appendingPathComponent("Tests/Fixtures/sdk/\(script)").path
    return try await Command.run(
      "python3", [path] + arguments, environment: ["PYTHONPATH": folder, "NO_PROXY": "127.0.0.1"])
  }
}
