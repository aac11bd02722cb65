import CCurl
import Glibc

/// Waits for many sockets at once, at a cost that depends only on those where something happens.
final class SocketPoller {
  struct Readiness {
    var descriptor: Int32
    var canRead: Bool
    var canWrite: Bool
    var isBroken: Bool
  }

  private let descriptor: Int32
  private var watched: Set<Int32> = []
  private var events = [epoll_event](repeating: epoll_event(), count: 256)

  init() throws(SystemRefusal) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw .last("wait for sockets") }
  }

  deinit { close(descriptor) }

  func watch(_ socket: Int32, reading: Bool, writing: Bool) {
    var event = epoll_event()
    event.events = (reading ? EPOLLIN.rawValue : 0) | (writing ? EPOLLOUT.rawValue : 0)
    event.data.fd = socket
    let isNew = watched.insert(socket).inserted
    if epoll_ctl(descriptor, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event) == 0 { return }
    // A socket that was closed unseen has left by itself, and its number may be another's by now.
    epoll_ctl(descriptor, isNew ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event)
  }

  func forget(_ socket: Int32) {
    // A socket that was closed before has left by itself; there is nothing to be done about that.
    if watched.remove(socket) != nil { epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil) }
  }

  /// Waits until something happens, or the time is over.
  /// - Parameter milliseconds: nil waits for ever.
  func wait(milliseconds: Int32?) -> [Readiness] {
    let count = epoll_wait(descriptor, &events, Int32(events.count), milliseconds ?? -1)
    guard count > 0 else { return [] }
    return events.prefix(Int(count)).map { event in
      func holds(_ flag: EPOLL_EVENTS) -> Bool { event.events & flag.rawValue != 0 }
      return Readiness(
        descriptor: event.data.fd, canRead: holds(EPOLLIN) || holds(EPOLLHUP), canWrite: holds(EPOLLOUT),
        isBroken: holds(EPOLLERR))
    }
  }
}

/// A refusal by the operating system.
struct SystemRefusal: Error, CustomStringConvertible {
  /// What was wanted, to follow "could not": "start a thread".
  var operation: String
  var code: Int32

  var description: String { "Could not \(operation): error \(code)." }

  /// The refusal of the C call that has just failed.
  static func last(_ operation: String) -> SystemRefusal { SystemRefusal(operation: operation, code: errno) }
}

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
