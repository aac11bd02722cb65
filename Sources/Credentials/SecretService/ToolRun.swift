import Glibc
import JSONRPC

/// One run of a small program: a text in, a text out, and an end within a time.
///
/// The text goes in before the program starts, and what comes out is read when it has ended, so neither may be longer
/// than a pipe holds; that is a page at least for what goes in.
struct ToolRun {
  enum End: Equatable {
    /// It ended by itself, with this status, having written this to its standard output.
    case exited(status: Int32, output: [UInt8])
    /// It ended by a signal.
    case crashed
    /// It did not end in time and was killed, with everything it had started in its process group.
    case overdue
  }

  let executable: String
  var arguments: [String]
  /// As `NAME=value`; nothing else is inherited.
  var environment: [String]
  var input: [UInt8] = []
  /// How long it may take.
  var milliseconds: Int32

  /// Runs the program; blocks until it has ended. What it writes to its standard error is thrown away.
  /// - Throws: `SystemError` when it cannot be started or watched.
  func run() throws(SystemError) -> End {
    let output = try PipeEnds()
    let identifier = try start(writingTo: output.writing)
    let hasEnded = Result { () throws(SystemError) in try waitForEnd(identifier) }
    // Not collected yet, so the id is still this child's, whatever became of it.
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
    // Nobody reads yet: a text that does not fit must be an error and not a wait.
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

  /// - Returns: false when the time is up.
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
    // The writing end is open here, and perhaps in something the program left behind: there may be no end to wait for.
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
