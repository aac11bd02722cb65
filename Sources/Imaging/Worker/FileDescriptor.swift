import Glibc
import JSONRPC

/// Owns one file descriptor and closes it once.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// A second descriptor for the same, closed on `exec`, with a number that no child's first descriptors have.
  borrowing func raised() throws(SystemError) -> FileDescriptor {
    let raised = fcntl(number, F_DUPFD_CLOEXEC, 16)
    guard raised >= 0 else { throw SystemError(code: errno, operation: "duplicate a descriptor") }
    return FileDescriptor(owning: raised)
  }
}

/// The two ends of a pipe. Both are closed on `exec`, and their numbers are high enough that putting them in place
/// of a child's first descriptors cannot overwrite one that is still needed.
struct Pipe: ~Copyable, Sendable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError(code: errno, operation: "create a pipe") }
    let lowReading = FileDescriptor(owning: ends[0])
    let lowWriting = FileDescriptor(owning: ends[1])
    let reading = try lowReading.raised()
    let writing = try lowWriting.raised()
    self.reading = reading
    self.writing = writing
  }

  /// Keeps the reading end and closes the other.
  consuming func intoReading() -> FileDescriptor { reading }

  /// Keeps the writing end and closes the other.
  consuming func intoWriting() -> FileDescriptor { writing }
}
