import Foundation
import Synchronization

/// A server of plain sockets on 127.0.0.1 that does to each connection what its script says, on a thread for each.
///
/// Whoever makes one closes it: without a later use it might go while a test still waits for it.
final class RawServer: Sendable {
  private struct State {
    var connections: [RawConnection] = []
    var isClosed = false
  }

  let port: UInt16
  private let listener: Int32
  private let state = Mutex(State())

  /// - Parameter script: run for every connection; when it returns, the connection is closed.
  init(_ script: @escaping @Sendable (RawConnection) -> Void) throws {
    (listener, port) = try Self.listen()
    startThread { [listener, weak self] in
      while true {
        let socket = accept(listener, nil, nil)
        if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
        guard socket >= 0 else {
          // Closed by the thread that uses it: its number may at once be another server's.
          _ = Glibc.close(listener)
          return
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        guard let self, let connection = self.admit(socket) else {
          _ = Glibc.close(socket)
          continue
        }
        startThread {
          script(connection)
          connection.close()
        }
      }
    }
  }

  deinit { close() }

  var url: String { "http://127.0.0.1:\(port)" }
  var connectionCount: Int { state.withLock { $0.connections.count } }

  /// Ends the listening and every connection.
  func close() {
    let connections: [RawConnection]? = state.withLock { state in
      if state.isClosed { return nil }
      state.isClosed = true
      return state.connections
    }
    guard let connections else { return }
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in connections { connection.hangUp() }
  }

  private func admit(_ socket: Int32) -> RawConnection? {
    state.withLock { state in
      if state.isClosed { return nil }
      let connection = RawConnection(socket, number: state.connections.count)
      state.connections.append(connection)
      return connection
    }
  }

  /// A port at which nobody listens, and which is never handed out to somebody who asks for any.
  static let closedPort: UInt16 = 1

  private static func listen() throws -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port: UInt16? = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(listener, address, length) == 0, Glibc.listen(listener, 2_048) == 0,
          getsockname(listener, address, &length) == 0
        else { return nil }
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
      }
    }
    guard let port else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, port)
  }
}

/// Starts a thread of its own for what blocks.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let thread = Thread(block: body)
  thread.stackSize = 256 * 1_024
  thread.start()
}
