import Glibc
import POSIX

/// A running worker: its process, its pipes, and the thread that started it and will reap it.
///
/// swift-subprocess is not used because it passes only the three standard streams; the worker needs two more pipes for
/// the pictures' bytes.
final class ChildProcess: Sendable {
  /// The descriptors of the child beyond the standard three.
  static let inputDescriptor: Int32 = 3
  static let outputDescriptor: Int32 = 4

  private let process: SpawnedProcess
  /// The process id, for display; it does not show whether the process still runs.
  var processIdentifier: pid_t { process.identifier }
  let end = Outcome<WorkerEnd>()

  let requests: FileDescriptor
  let responses: FileDescriptor
  let input: FileDescriptor
  let output: FileDescriptor
  private let diagnostics: FileDescriptor

  private init(
    _ identifier: pid_t, requests: consuming FileDescriptor, responses: consuming FileDescriptor,
    input: consuming FileDescriptor, output: consuming FileDescriptor, diagnostics: consuming FileDescriptor
  ) {
    process = SpawnedProcess(identifier)
    self.requests = requests
    self.responses = responses
    self.input = input
    self.output = output
    self.diagnostics = diagnostics
  }

  /// Starts `executable` with nothing inherited but the pipes: only the variables in `environment`, no other
  /// descriptors, its own process group, default signals.
  /// - Throws: `SystemError`.
  static func launch(
    _ executable: String, arguments: [String], environment: [String]
  ) async throws -> ChildProcess {
    try await withCheckedThrowingContinuation { continuation in
      do {
        // The worker asks to be killed when its parent dies, and to the kernel the parent is the thread that spawned
        // it. So the spawning thread also waits: it lives exactly as long as the worker.
        try DedicatedThread.start {
          do {
            let child = try SystemLimits.startingWorker {
              try spawn(executable, arguments: arguments, environment: environment)
            }
            continuation.resume(returning: child)
            child.collect()
          } catch {
            continuation.resume(throwing: error)
          }
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Kills the process and its whole group at once; harmless when it has ended.
  func kill() { process.killGroup() }

  /// The first lines of the process's standard error, for an operator; empty when there were none.
  func diagnosticText() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(diagnostics.number, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
  }

  /// Blocks until the process has ended, and reaps it.
  private func collect() {
    switch process.reap() {
    case .exited(let status): end.set(.success(.exited(status: status)))
    case .killed(let signal): end.set(.success(.killed(signal: signal)))
    }
  }

  private static func spawn(
    _ executable: String, arguments: [String], environment: [String]
  ) throws(SystemError) -> ChildProcess {
    let requests = try PipeEnds()
    let responses = try PipeEnds()
    let input = try PipeEnds()
    let output = try PipeEnds()
    let diagnostics = try PipeEnds()
    // When the pipe is full, further standard error output is lost instead of blocking or filling a log.
    for end in [diagnostics.reading.number, diagnostics.writing.number] where fcntl(end, F_SETFL, O_NONBLOCK) != 0 {
      throw SystemError(code: errno, operation: "make a pipe non-blocking")
    }
    let places = [
      (requests.reading.number, STDIN_FILENO), (responses.writing.number, STDOUT_FILENO),
      (diagnostics.writing.number, STDERR_FILENO), (input.reading.number, inputDescriptor),
      (output.writing.number, outputDescriptor),
    ]
    let identifier = try PosixSpawn.start(
      executable, arguments, environment: environment, descriptors: places, operation: "start the imaging worker")
    return ChildProcess(
      identifier, requests: requests.intoWriting(), responses: responses.intoReading(), input: input.intoWriting(),
      output: output.intoReading(), diagnostics: diagnostics.intoReading())
  }
}

/// How a worker's process ended.
public enum WorkerEnd: Sendable, Equatable {
  case exited(status: Int32)
  case killed(signal: Int32)

  /// The exit status of a worker that is confined less than its options demand.
  public static let tooLittleConfinementStatus: Int32 = 3
}
