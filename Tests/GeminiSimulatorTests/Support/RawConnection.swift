import Glibc
import POSIX
import Synchronization

/// A plain TCP connection to the simulator, for bytes that no HTTP client would send or accept.
///
/// Calls that block run on threads of their own.
final class RawConnection: Sendable {
  private let descriptor: Mutex<Int32?>
  private let unread = Mutex<[UInt8]>([])

  /// - Parameter address: of the loopback interface; 127.0.0.1 unless a test says otherwise.
  init(port: Int, address host: UInt32 = 0x7F00_0001) throws {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemError(code: errno, operation: "make a socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(host).bigEndian
    // The address lives during the call, which reads no more of it than its size.
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      let error = errno
      Glibc.close(number)
      throw SystemError(code: error, operation: "connect")
    }
    descriptor = Mutex(number)
  }

  deinit { close() }

  func close() {
    descriptor.withLock { number in
      if let number { Glibc.close(number) }
      number = nil
    }
  }

  /// Ends with RST instead of FIN.
  func reset() {
    descriptor.withLock { number in
      guard let number else { return }
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
    close()
  }

  /// Runs calls that block; they end when the task is cancelled, as that of a test is that takes too long.
  private func blocking<Value: Sendable>(_ body: @escaping @Sendable (Int32) throws -> Value) async throws -> Value {
    let number = descriptor.withLock { $0 ?? -1 }
    return try await withTaskCancellationHandler {
      try await DedicatedThread.run { try body(number) }
    } onCancel: {
      descriptor.withLock { number in
        if let number { shutdown(number, Int32(SHUT_RDWR)) }
      }
    }
  }

  /// - Throws: `SystemError` when the peer has closed.
  func send(_ bytes: [UInt8]) async throws {
    try await blocking { number in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { throw SystemError(code: errno, operation: "send") }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// What is there, once anything is; empty at the end.
  /// - Throws: `SystemError` when the connection was reset.
  func receive() async throws -> [UInt8] {
    let kept = unread.withLock { unread in
      defer { unread = [] }
      return unread
    }
    if !kept.isEmpty { return kept }
    return try await blocking { number in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(number, &buffer, buffer.count, 0)
      guard count >= 0 else { throw SystemError(code: errno, operation: "receive") }
      return Array(buffer[..<count])
    }
  }

  /// Keeps bytes that belong to what comes next.
  func putBack(_ bytes: some Sequence<UInt8>) { unread.withLock { $0 = Array(bytes) + $0 } }

  /// Everything to the end of the connection.
  func receiveToEnd() async throws -> [UInt8] {
    var all: [UInt8] = []
    while case let bytes = try await receive(), !bytes.isEmpty { all += bytes }
    return all
  }
}
