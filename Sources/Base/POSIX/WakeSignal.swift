import Glibc

/// Wakes a thread that polls descriptors: a pipe that is readable from the time the signal is raised until it is
/// lowered.
package final class WakeSignal: Sendable {
  private let input: Descriptor
  private let output: Descriptor

  /// Readable while the signal is raised.
  package var descriptor: Int32 { input.number }

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last("create a pipe") }
    input = Descriptor(ends[0])
    output = Descriptor(ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  package func raise() {
    // A full pipe is already readable, so a failed write does not matter.
    var byte: UInt8 = 1
    _ = Glibc.write(output.number, &byte, 1)
  }

  /// Blocks until the signal is raised, and lowers it.
  package func wait() {
    _ = Descriptor.poll([(descriptor, POLLIN)])
    lower()
  }

  package func lower() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while Glibc.read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
