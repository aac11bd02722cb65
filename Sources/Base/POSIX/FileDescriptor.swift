import Glibc

/// Owns one file descriptor and closes it once.
package struct FileDescriptor: ~Copyable, Sendable {
  package let number: Int32

  package init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// A duplicate descriptor, closed on `exec`, whose number is higher than a child's first descriptors.
  package borrowing func raised() throws(SystemError) -> FileDescriptor {
    let raised = fcntl(number, F_DUPFD_CLOEXEC, 16)
    guard raised >= 0 else { throw .last("duplicate a descriptor") }
    return FileDescriptor(owning: raised)
  }
}

/// The two ends of a pipe. Both are closed on `exec`, and their numbers are high enough that installing them as a
/// child's first descriptors cannot overwrite one that is still needed.
package struct PipeEnds: ~Copyable, Sendable {
  package let reading: FileDescriptor
  package let writing: FileDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last("create a pipe") }
    let lowReading = FileDescriptor(owning: ends[0])
    let lowWriting = FileDescriptor(owning: ends[1])
    let reading = try lowReading.raised()
    let writing = try lowWriting.raised()
    self.reading = reading
    self.writing = writing
  }

  /// Keeps the reading end and closes the other.
  package consuming func intoReading() -> FileDescriptor { reading }

  /// Keeps the writing end and closes the other.
  package consuming func intoWriting() -> FileDescriptor { writing }
}
