import CCurl
import Glibc
import POSIX

/// Waits for many sockets at once, at a cost that depends only on the sockets that are ready.
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

  init() throws(SystemError) {
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
    // epoll removes a closed socket by itself, and its number may since have been reused.
    epoll_ctl(descriptor, isNew ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event)
  }

  func forget(_ socket: Int32) {
    // epoll has already removed a socket that was closed before; an error can be ignored.
    if watched.remove(socket) != nil { epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil) }
  }

  /// Waits until a socket is ready or the time is over.
  /// - Parameter milliseconds: the timeout; nil waits for ever.
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
