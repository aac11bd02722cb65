import CCurl
import Glibc

/// Wakes a thread that waits for descriptors.
final class WakeSignal: Sendable {
  /// Readable once the signal has been raised, until it is lowered.
  let descriptor: Int32

  init() throws(SystemRefusal) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .last("make a signal for the transfer thread") }
  }

  deinit { Glibc.close(descriptor) }

  func raise() { _ = eventfd_write(descriptor, 1) }

  /// Blocks until the signal is raised, and lowers it.
  func wait() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&entry, 1, -1)
    lower()
  }

  func lower() {
    var count: eventfd_t = 0
    _ = eventfd_read(descriptor, &count)
  }
}
