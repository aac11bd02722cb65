import CCurl
import Encodings
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
      isLoopback = HostAddress(bytes: withUnsafeBytes(of: four.sin_addr) { Array($0) }).isLoopback
    case AF_INET6:
      let six = bytes.loadUnaligned(as: sockaddr_in6.self)
      port = UInt16(bigEndian: six.sin6_port)
      isLoopback = HostAddress(bytes: withUnsafeBytes(of: six.sin6_addr) { Array($0) }).isLoopback
    default: return nil
    }
  }
}
