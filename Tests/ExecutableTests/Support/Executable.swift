import Foundation
import Glibc
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

  /// Where the standard output of a command leads.
  enum Output: Sendable, CaseIterable {
    /// It is kept, to be looked at.
    case kept
    /// To a disk that is full.
    case fullDisk
    /// To a pipe that nobody reads any more.
    case closedPipe
    /// Nowhere: the command is started without one.
    case none
  }

  /// Runs a command to its end.
  /// - Parameter input: the text on its standard input.
  static func run(
    _ arguments: [String], program: String = path, environment extra: [String: String] = [:], input: String = "",
    output kind: Output = .kept
  ) async throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: Fixture.project)
    process.environment = environment.merging(extra) { $1 }
    let inputPipe = try PipeEnds()
    process.standardInput = inputPipe.reading
    let output = try PipeEnds()
    let errors = try PipeEnds()
    switch kind {
    case .kept: process.standardOutput = output.writing
    case .fullDisk: process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    case .closedPipe:
      let pipe = try PipeEnds()
      try pipe.reading.close()
      process.standardOutput = pipe.writing
    case .none:
      // A shell can start a program without an output; it passes its arguments on as they are.
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", #"exec "$0" "$@" >&-"#, program] + arguments
    }
    process.standardError = errors.writing
    let status = ExitStatus()
    process.terminationHandler = { status.set($0.terminationStatus) }
    try process.run()
    try inputPipe.reading.close()
    // A command that does not read its input ends without it.
    signal(SIGPIPE, SIG_IGN)
    try? inputPipe.writing.write(contentsOf: Data(input.utf8))
    try inputPipe.writing.close()
    try output.writing.close()
    try errors.writing.close()
    let (outputText, errorText) = (TextReader(output.reading), TextReader(errors.reading))
    return Outcome(status: await status.value, output: await outputText.text, errors: await errorText.text)
  }
}
