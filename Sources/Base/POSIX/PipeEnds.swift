import Glibc

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
