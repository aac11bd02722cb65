import Glibc

/// A file descriptor owned by this process and closed with its last reference.
package final class Descriptor: Sendable {
  package let number: Int32
  private let closesWhenDone: Bool

  package init(_ number: Int32, closesWhenDone: Bool = true) {
    self.number = number
    self.closesWhenDone = closesWhenDone
  }

  deinit {
    if closesWhenDone { close(number) }
  }

  /// Closes the open file, if this object owns it, but keeps the descriptor number in use: another thread that still
  /// polls the number can never reach an unrelated file under it. The peer of a socket sees the end of its input, also if
  /// there is a duplicate.
  package func closeEarly() {
    guard closesWhenDone else { return }
    _ = shutdown(number, Int32(SHUT_WR))
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    _ = dup2(nowhere, number)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    close(nowhere)
  }

  /// Waits until one of `descriptors` has one of its requested events, or an error.
  /// - Parameter milliseconds: the timeout; -1 waits for ever.
  /// - Returns: the events that occurred, one entry per descriptor, in order.
  package static func poll(_ descriptors: [(number: Int32, events: Int32)], milliseconds: Int32 = -1) -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0.number, events: Int16(truncatingIfNeeded: $0.events), revents: 0) }
    while Glibc.poll(&entries, nfds_t(entries.count), milliseconds) < 0 {
      guard errno == EINTR || errno == EAGAIN else { return descriptors.map { _ in POLLERR } }
    }
    return entries.map { Int32($0.revents) }
  }
}
