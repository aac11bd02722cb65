import Glibc

/// Ends a wait in `poll` from another thread: once woken, it stays readable.
final class WakePipe: Sendable {
  private let output: Descriptor
  let input: Descriptor

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last("create a pipe") }
    input = Descriptor(ends[0])
    output = Descriptor(ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  func wake() {
    // A full pipe is readable already, which is all that is wanted.
    var byte: UInt8 = 1
    _ = Glibc.write(output.number, &byte, 1)
  }
}
