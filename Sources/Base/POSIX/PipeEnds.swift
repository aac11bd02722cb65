import Glibc

/// The two ends of a pipe. Both are closed on `exec`, and their numbers are high enough that installing them as a
/// child's first descriptors cannot overwrite one that is still needed.
package struct PipeEnds: ~Copyable, Sendable {
  package let reading: FileDescriptor
  package let writing: FileDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard Self.make(&ends) == 0 else { throw .last("create a pipe") }
    let lowReading = FileDescriptor(owning: ends[0])
    let lowWriting = FileDescriptor(owning: ends[1])
    let reading = try lowReading.raised()
    let writing = try lowWriting.raised()
    self.reading = reading
    self.writing = writing
  }

  /// Both ends are closed on `exec` from the beginning: a host may start other programs at the same moment, and one that has
  /// an end keeps the other side from seeing that it was closed.
  private static func make(_ ends: inout [Int32]) -> Int32 {
    // The module map of the C library leaves pipe2 out. The type is its declaration in <unistd.h>:
    // `int pipe2(int ends[2], int flags)`. The symbol is never unloaded.
    typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
    guard let symbol = dlsym(nil, "pipe2") else { return pipe(&ends) }
    return unsafeBitCast(symbol, to: Pipe2.self)(&ends, O_CLOEXEC)
  }

  /// Keeps the reading end and closes the other.
  package consuming func intoReading() -> FileDescriptor { reading }

  /// Keeps the writing end and closes the other.
  package consuming func intoWriting() -> FileDescriptor { writing }
}
