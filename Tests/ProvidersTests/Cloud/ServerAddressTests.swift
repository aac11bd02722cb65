import Testing

@testable import Providers

@Suite("A host in a URL")
struct NetworkHostTests {
  @Test("a host in a URL is the same however it is spelled", arguments: [
    ("Example.COM", "example.com."), ("LOCALHOST.", "localhost"), ("[::1]", "[0:0:0:0:0:0:0:1]"),
    ("[::ffff:127.0.0.1]", "127.0.0.1"), ("[2001:DB8::1]", "[2001:db8:0:0::1]"),
  ])
  func same(one: String, other: String) {
    #expect(ServerAddress(one) == ServerAddress(other))
  }

  @Test("a host in a URL is another where it leads elsewhere", arguments: [
    ("example.com", "example.org"), ("127.0.0.1", "127.0.0.1.example"), ("[::1]", "[::2]"),
    ("10.0.0.1", "[::ffff:10.0.0.2]"),
  ])
  func other(one: String, other: String) {
    #expect(ServerAddress(one) != ServerAddress(other))
  }

  @Test("a host in a URL is this machine by what it is", arguments: [
    ("localhost", "localhost"), ("LocalHost.", "localhost"), ("127.0.0.1", "127.0.0.1"), ("127.9.8.7", "127.9.8.7"),
    ("[::1]", "[::1]"), ("[0::0:1]", "[::1]"), ("[::ffff:127.0.0.1]", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"),
    ("[::]", "[::1]"), ("128.0.0.1", nil), ("126.255.255.255", nil), ("0.0.0.1", nil), ("[::2]", nil), ("[1::1]", nil),
    ("localhost.example", nil), ("127.0.0.1.example", nil), ("[fe80::1]", nil), ("[::ffff:10.0.0.1]", nil), ("", nil),
    ("..", nil), ("127.0.0.300", nil),
  ] as [(String, String?)])
  func thisMachine(text: String, spelling: String?) {
    #expect(ServerAddress(text).isThisMachine == (spelling != nil))
    #expect(ServerAddress(text).spellingOfThisMachine == spelling)
  }
}
