import Glibc

/// Connections by a path, to a program on this machine.
package enum UnixSocket {
  /// Connects to whoever listens at `path`; blocks while too many wait to be accepted.
  /// - Returns: a descriptor that is closed on `exec`.
  package static func connect(to path: String) throws(SystemError) -> FileDescriptor {
    let operation = "connect to \(path)"
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
      throw SystemError(code: ENAMETOOLONG, operation: operation)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    // There is room for the bytes and, behind them, for the zero that is already there.
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw .last(operation) }
    let connection = FileDescriptor(owning: number)
    while true {
      // The call reads the address during the call only, and no more than its size.
      let status = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if status == 0 { return connection }
      // A call that was interrupted goes on by itself, and the next one says that it is done.
      if errno == EISCONN { return connection }
      guard errno == EINTR || errno == EALREADY else { throw .last(operation) }
    }
  }
}
