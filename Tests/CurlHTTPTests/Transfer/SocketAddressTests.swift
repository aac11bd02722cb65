import Glibc
import Testing

@testable import CurlHTTP

@Suite("The address of a connection")
struct SocketAddressTests {
  private static func address(_ text: String, port: UInt16) throws -> SocketAddress? {
    var storage = sockaddr_storage()
    return try withUnsafeMutableBytes(of: &storage) { bytes in
      let start = try #require(bytes.baseAddress)
      if text.contains(":") {
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        #expect(inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
        start.storeBytes(of: six, as: sockaddr_in6.self)
      } else {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        #expect(inet_pton(AF_INET, text, &four.sin_addr) == 1)
        start.storeBytes(of: four, as: sockaddr_in.self)
      }
      return SocketAddress(start.assumingMemoryBound(to: sockaddr.self))
    }
  }

  @Test("the address of a connection is this machine's own in 127.0.0.0/8, however written, and at ::1 only", arguments: [
    ("127.0.0.1", true), ("127.255.255.255", true), ("126.255.255.255", false), ("128.0.0.1", false), ("0.0.0.0", false),
    ("10.0.0.127", false), ("::1", true), ("::", false), ("::2", false), ("1::1", false),
    ("::ffff:127.0.0.1", true), ("::ffff:10.0.0.1", false), ("fe80::1", false),
  ])
  func loopback(text: String, isLoopback: Bool) throws {
    let address = try #require(try Self.address(text, port: 8_443))
    #expect(address.isLoopback == isLoopback)
    #expect(address.port == 8_443)
  }

  @Test("an address of another family is none")
  func otherFamily() {
    var other = sockaddr()
    other.sa_family = sa_family_t(AF_UNIX)
    #expect(SocketAddress(&other) == nil)
  }
}
