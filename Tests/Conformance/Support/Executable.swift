import Foundation
import POSIX
import ServiceFixture

/// The executables of this build.
enum Executable {
  /// `atelier`, beside the test bundle.
  static let path: String = {
    let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let bundle = running ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("atelier").path
  }()

  /// What the process is given: nothing of the machine's own settings.
  static let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]

  /// A command that has ended.
  struct Outcome: Sendable {
    var status: Int32
    var output: String
    var errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Runs a command to its end, with an empty input.
  static func run(
    _ arguments: [String], program: String = path, environment extra: [String: String] = [:]
  ) async throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: Fixture.project)
    process.environment = environment.merging(extra) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = try PipeEnds()
    let errors = try PipeEnds()
    process.standardOutput = output.writing
    process.standardError = errors.writing
    let status = ExitStatus()
    process.terminationHandler = { status.set($0.terminationStatus) }
    try process.run()
    try output.writing.close()
    try errors.writing.close()
    let (outputText, errorText) = (TextReader(output.reading), TextReader(errors.reading))
    return Outcome(status: await status.value, output: await outputText.text, errors: await errorText.text)
  }
}
