import Encodings
import Testing

@Suite("A host")
struct HostAddressTests {
  @Test("a host is the same however it is spelled", arguments: [
    ("Example.COM", "example.com."), ("LOCALHOST.", "localhost"), ("[::1]", "[0:0:0:0:0:0:0:1]"), ("::1", "[::1]"),
    ("[::ffff:127.0.0.1]", "127.0.0.1"), ("::FFFF:7f00:1", "127.0.0.1"), ("[2001:DB8::1]", "[2001:db8:0:0::1]"),
    ("2001:db8::1%eth0", "2001:db8::1"),
  ])
  func same(one: String, other: String) {
    #expect(HostAddress(one) == HostAddress(other))
  }

  @Test("a host is another where it leads elsewhere", arguments: [
    ("example.com", "example.org"), ("127.0.0.1", "127.0.0.1.example"), ("[::1]", "[::2]"),
    ("10.0.0.1", "[::ffff:10.0.0.2]"), ("[fe80::1%eth0]", "[fe80::1%eth1]"), ("[fe80::1%eth0]", "[fe80::1]"),
    ("[127.0.0.1]", "127.0.0.1"),
  ])
  func other(one: String, other: String) {
    #expect(HostAddress(one) != HostAddress(other))
  }

  /// Each host, and what it is: with how the network library is told of this machine.
  private static let machines: [(text: String, isLoopback: Bool, spelling: String?)] = [
    ("localhost", true, "localhost"), ("LocalHost", true, "localhost"), ("LOCALHOST.", true, "localhost"),
    ("127.0.0.1", true, "127.0.0.1"), ("127.9.8.7", true, "127.9.8.7"), ("127.255.255.255", true, "127.255.255.255"),
    ("::1", true, "[::1]"), ("[::1]", true, "[::1]"), ("[0::0:1]", true, "[::1]"), ("[::1%lo]", true, "[::1]"),
    ("[::1%25lo]", true, "[::1]"), ("0000:0000:0000:0000:0000:0000:0000:0001", true, "[::1]"), ("::0.0.0.1", true, "[::1]"),
    ("[::ffff:127.0.0.1]", true, "127.0.0.1"), ("::FFFF:127.1.2.3", true, "127.1.2.3"), ("::ffff:7f00:1", true, "127.0.0.1"),
    // Servers listen there, and clients find their own machine.
    ("0.0.0.0", false, "127.0.0.1"), ("[::]", false, "[::1]"), ("::ffff:0.0.0.0", false, "127.0.0.1"),
    // Names that begin or end like one.
    ("127.evil.example", false, nil), ("127.0.0.1.example", false, nil), ("127.0.0.1.nip.io", false, nil),
    ("localhost.example", false, nil), ("localhost..", false, nil), ("a.localhost", false, nil), ("xlocalhost", false, nil),
    // What only some programs read as an address.
    ("127.1", false, nil), ("127.0.1", false, nil), ("2130706433", false, nil), ("0x7f.0.0.1", false, nil),
    ("0x7f000001", false, nil), ("0177.0.0.1", false, nil), ("127.0.0.01", false, nil), ("127.0.0.1.", false, nil),
    ("１２７.0.0.1", false, nil), (" 127.0.0.1", false, nil), ("127.0.0.1 ", false, nil), ("127.0.0.300", false, nil),
    ("[::1", false, nil), ("::1]", false, nil), ("[127.0.0.1]", false, nil), ("[[::1]]", false, nil), ("::1%", false, nil),
    ("127.0.0.1:80", false, nil), ("[::1]:80", false, nil), ("127.0.0.1%lo", false, nil),
    // Other machines.
    ("128.0.0.1", false, nil), ("126.255.255.255", false, nil), ("0.0.0.1", false, nil), ("10.0.0.127", false, nil),
    ("192.168.0.1", false, nil), ("169.254.169.254", false, nil), ("[::2]", false, nil), ("[1::1]", false, nil),
    ("[fe80::1]", false, nil), ("[fe80::1%lo]", false, nil), ("[::ffff:10.0.0.1]", false, nil), ("::127.0.0.1", false, nil),
    ("64:ff9b::7f00:1", false, nil), ("", false, nil), (".", false, nil), ("..", false, nil), ("[]", false, nil),
  ]

  @Test("a host is this machine by what it is, and by nothing else", arguments: machines.indices)
  func thisMachine(index: Int) {
    let row = Self.machines[index]
    let host = HostAddress(row.text)
    #expect(host.isLoopback == row.isLoopback, "\(row.text)")
    #expect(host.isThisMachine == (row.spelling != nil) && host.spellingOfThisMachine == row.spelling, "\(row.text)")
    if let bytes = host.bytes { #expect(HostAddress(bytes: bytes) == host && host.isAddress) }
  }
}
