import Glibc
import JSONRPC

/// Owns one file descriptor and closes it once.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }
}

/// The two ends of a pipe. Both are closed on `exec`, and their numbers are high enough that putting them in place
/// of a child's first descriptors cannot overwrite one that is still needed.
struct Pipe: ~Copyable, Sendable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError(code: errno, operation: "create a pipe") }
    let low = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    let reading = fcntl(low.0.number, F_DUPFD_CLOEXEC, 16)
    guard reading >= 0 else { throw SystemError(code: errno, operation: "duplicate a pipe") }
    self.reading = FileDescriptor(owning: reading)
    let writing = fcntl(low.1.number, F_DUPFD_CLOEXEC, 16)
    guard writing >= 0 else { throw SystemError(code: errno, operation: "duplicate a pipe") }
    self.writing = FileDescriptor(owning: writing)
  }

  /// Keeps the reading end and closes the other.
  consuming func intoReading() -> FileDescriptor { reading }

  /// Keeps the writing end and closes the other.
  consuming func intoWriting() -> FileDescriptor { writing }
}
