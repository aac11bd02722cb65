import Foundation
import Support

/// One command for people, run to its end by a shell that may take something from it first.
struct CommandRun {
  var status: Int32
  var isKilled: Bool
  var output: String
  var errors: String

  /// - Parameters:
  ///   - arguments: of `atelier`.
  ///   - preparation: shell commands that run before it in the same process.
  init(_ arguments: [String], in folder: TemporaryDirectory, after preparation: String = ":") async throws {
    let (output, errors) = ("\(folder.path)/command.out", "\(folder.path)/command.err")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The files are opened by the shell, before there is too little of anything.
    process.arguments = [
      "-c", "exec >'\(output)' 2>'\(errors)' </dev/null; \(preparation); exec \"$0\" \"$@\"", ServiceExecutable.path,
    ] + arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "SWIFT_BACKTRACE": "enable=no"]
    await withCheckedContinuation { ended in
      process.terminationHandler = { _ in ended.resume() }
      do {
        try process.run()
      } catch {
        process.terminationHandler = nil
        ended.resume()
      }
    }
    status = process.terminationStatus
    isKilled = process.terminationReason == .uncaughtSignal
    self.output = try String(contentsOfFile: output, encoding: .utf8)
    self.errors = try String(contentsOfFile: errors, encoding: .utf8)
  }
}
