import Glibc

/// A file descriptor of ours, closed with its last reference.
final class Descriptor: Sendable {
  let number: Int32
  private let closesWhenDone: Bool

  init(_ number: Int32, closesWhenDone: Bool = true) {
    self.number = number
    self.closesWhenDone = closesWhenDone
  }

  deinit {
    if closesWhenDone { close(number) }
  }

  /// Closes what the descriptor stands for, if it is ours to close, while the number stays taken: another thread that
  /// still polls it can never meet a stranger's file under the same number.
  func closeEarly() {
    guard closesWhenDone else { return }
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    _ = dup2(nowhere, number)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    close(nowhere)
  }

  /// Waits until one of `descriptors` has one of the events asked for, or an error.
  /// - Parameter milliseconds: -1 waits for ever.
  /// - Returns: what happened, for each in order.
  static func poll(_ descriptors: [(number: Int32, events: Int32)], milliseconds: Int32 = -1) -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0.number, events: Int16(truncatingIfNeeded: $0.events), revents: 0) }
    while Glibc.poll(&entries, nfds_t(entries.count), milliseconds) < 0 {
      guard errno == EINTR || errno == EAGAIN else { return descriptors.map { _ in POLLERR } }
    }
    return entries.map { Int32($0.revents) }
  }
}
