import AtelierProtocol
import Glibc
import POSIX

/// One run of a small program with text input, text output and a time limit.
///
/// The input is written before the program starts, and the output is read after it has ended, so neither may exceed
/// the capacity of a pipe; for the input that is at least one page.
struct ToolRun {
  enum End: Equatable {
    /// The program exited with this status, after writing this to its standard output.
    case exited(status: Int32, output: [UInt8])
    /// A signal ended the program.
    case crashed
    /// The program did not end in time and was killed, with its whole process group.
    case overdue
  }

  let executable: String
  var arguments: [String]
  /// As `NAME=value`; nothing else is inherited.
  var environment: [String]
  var input: [UInt8] = []
  /// The time limit.
  var milliseconds: Int32

  /// Runs the program; blocks until it has ended. Its standard error is discarded.
  /// - Throws: `SystemError` when it cannot be started or watched.
  func run() throws(SystemError) -> End {
    let output = try PipeEnds()
    let identifier = try start(writingTo: output.writing)
    let hasEnded = Result { () throws(SystemError) in try waitForEnd(identifier) }
    // Not reaped yet, so the id still belongs to this child, whatever its state.
    if hasEnded != .success(true), kill(-identifier, SIGKILL) != 0 { kill(identifier, SIGKILL) }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    guard try hasEnded.get() else { return .overdue }
    guard status & 0x7f == 0 else { return .crashed }
    return .exited(status: (status >> 8) & 0xff, output: Self.contents(of: output.reading))
  }

  private func start(writingTo output: borrowing FileDescriptor) throws(SystemError) -> pid_t {
    let input = try PipeEnds()
    let nowhere = try FileDescriptor(owning: open("/dev/null", O_WRONLY | O_CLOEXEC)).raised()
    // Nobody reads yet: input that does not fit must cause an error instead of blocking.
    guard fcntl(input.writing.number, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemError(code: errno, operation: "make a pipe non-blocking")
    }
    do { try BlockingIO.write(self.input, to: input.writing.number) } catch {
      throw SystemError(code: error.code, operation: "write to a program")
    }
    return try PosixSpawn.start(
      executable, arguments, environment: environment,
      descriptors: [
        (input.reading.number, STDIN_FILENO), (output.number, STDOUT_FILENO), (nowhere.number, STDERR_FILENO),
      ], operation: "start a program")
  }

  /// - Returns: false when the time limit has passed.
  private func waitForEnd(_ identifier: pid_t) throws(SystemError) -> Bool {
    guard let number = try ProcessDescriptor.open(identifier) else { return true }
    let process = FileDescriptor(owning: number)
    var entry = pollfd(fd: process.number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&entry, 1, milliseconds)
      if count >= 0 { return count > 0 }
      guard errno == EINTR else { throw SystemError(code: errno, operation: "wait for a program") }
    }
  }

  private static func contents(of output: borrowing FileDescriptor) -> [UInt8] {
    // The writing end is open here, and perhaps in a process the program left behind: the end may never come.
    guard fcntl(output.number, F_SETFL, O_NONBLOCK) == 0 else { return [] }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(output.number, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}

extension ToolRun: CustomStringConvertible, CustomReflectable {
  var description: String { executable }
  var customMirror: Mirror { Mirror(self, children: []) }
}
