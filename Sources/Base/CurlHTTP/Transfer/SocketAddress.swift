import CCurl
import Glibc

/// The address of the other end of a connection.
struct SocketAddress: Equatable {
  var port: UInt16
  var isLoopback: Bool

  /// - Parameter address: has the length that its family requires.
  /// - Returns: nil for any family but IPv4 and IPv6.
  init?(_ address: UnsafePointer<sockaddr>) {
    // The family determines the struct type of the bytes; an unaligned load makes no assumption about their alignment.
    let bytes = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let four = bytes.loadUnaligned(as: sockaddr_in.self)
      port = UInt16(bigEndian: four.sin_port)
      isLoopback = Self.isLoopback(four.sin_addr)
    case AF_INET6:
      let six = bytes.loadUnaligned(as: sockaddr_in6.self)
      port = UInt16(bigEndian: six.sin6_port)
      isLoopback = Self.isLoopback(six.sin6_addr)
    default: return nil
    }
  }

  /// 127.0.0.0/8.
  static func isLoopback(_ address: in_addr) -> Bool { UInt32(bigEndian: address.s_addr) >> 24 == 127 }

  /// ::1.
  static func isLoopback(_ address: in6_addr) -> Bool {
    withUnsafeBytes(of: address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
  }
}
