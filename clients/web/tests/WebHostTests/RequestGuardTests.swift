import Encodings
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import WebHost

@Suite("Which requests may come in")
struct RequestGuardTests {
  private static let ours = RequestGuard(
    hosts: ["127.0.0.1:8080", "localhost:8080"], origins: ["http://127.0.0.1:8080", "http://localhost:8080"])

  private static func request(
    _ method: HTTPRequest.Method, host: String? = "127.0.0.1:8080", _ headers: [(String, String)] = []
  ) -> Request {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let head = HTTPRequest(method: method, scheme: "http", authority: host, path: "/", headerFields: fields)
    return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
  }

  @Test("a request for another name than ours is refused", arguments: [
    ("127.0.0.1:8080", true), ("LOCALHOST:8080", true), ("localhost", false), ("localhost:8081", false),
    ("evil.test:8080", false), ("127.0.0.1:8080.evil.test", false), ("", false), (nil, false),
  ] as [(String?, Bool)])
  func hosts(host: String?, isOurs: Bool) {
    #expect(((try? Self.ours.checkHost(Self.request(.get, host: host))) != nil) == isOurs)
  }

  @Test("writing is for our own pages only", arguments: [
    ([("Origin", "http://127.0.0.1:8080")], true), ([("Origin", "http://localhost:8080")], true),
    ([("Origin", "http://127.0.0.1:8080"), ("Sec-Fetch-Site", "same-origin")], true),
    ([("Origin", "http://127.0.0.1:8080"), ("Sec-Fetch-Site", "same-site")], false),
    ([("Origin", "http://127.0.0.1:8080"), ("Sec-Fetch-Site", "cross-site")], false),
    ([("Origin", "null")], false), ([], false), ([("Origin", "http://evil.test")], false),
    ([("Origin", "https://127.0.0.1:8080")], false), ([("Origin", "http://127.0.0.1:80801")], false),
    ([("Origin", "http://127.0.0.1:8080, http://evil.test")], false),
    ([("Origin", "http://127.0.0.1:8080"), ("Origin", "http://evil.test")], false),
    ([("Referer", "http://127.0.0.1:8080/")], false),
  ] as [([(String, String)], Bool)])
  func writing(headers: [(String, String)], isAllowed: Bool) {
    for method in [HTTPRequest.Method.post, .put, .patch, .delete, .options, .trace, .connect] {
      let allowed = (try? Self.ours.checkOrigin(Self.request(method, headers))) != nil
      #expect(allowed == isAllowed, "\(method) \(headers)")
    }
  }

  @Test("another site may lead people here, and read nothing", arguments: [
    ([], true), ([("Sec-Fetch-Site", "same-origin")], true), ([("Sec-Fetch-Site", "none")], true),
    ([("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")], true),
    ([("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")], false),
    ([("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")], false),
    ([("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "cors")], false),
    ([("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Mode", "no-cors")], false),
  ] as [([(String, String)], Bool)])
  func reading(headers: [(String, String)], isAllowed: Bool) {
    for method in [HTTPRequest.Method.get, .head] {
      let allowed = (try? Self.ours.checkOrigin(Self.request(method, headers))) != nil
      #expect(allowed == isAllowed, "\(method) \(headers)")
    }
  }

  @Test("the address of a request is told by proxies that are trusted, and by nobody else", arguments: [
    ("127.0.0.1", ["203.0.113.9"], "203.0.113.9"), ("127.0.0.1", ["10.0.0.1, 203.0.113.9"], "203.0.113.9"),
    ("127.0.0.1", ["203.0.113.9, 127.0.0.1"], "203.0.113.9"), ("127.0.0.1", ["203.0.113.9", "127.0.0.1"], "203.0.113.9"),
    ("127.0.0.1", [], "127.0.0.1"), ("198.51.100.7", ["203.0.113.9"], "198.51.100.7"),
    ("127.0.0.1", ["2001:db8:1:2:3:4:5:6"], "20.1.d.b8.0.1.0.2/64"), ("::ffff:127.0.0.1", ["203.0.113.9"], "203.0.113.9"),
    ("127.0.0.1", ["203.0.113.9:4711"], "203.0.113.9"), ("127.0.0.1", ["[2001:db8:1:2::1]:4711"], "20.1.d.b8.0.1.0.2/64"),
    ("127.0.0.1", ["nobody"], "unknown"), ("127.0.0.1", ["<script>"], "unknown"),
    ("127.0.0.1", ["[2001:db8:1:2::1]"], "20.1.d.b8.0.1.0.2/64"), ("127.0.0.1", ["::FFFF:203.0.113.9"], "203.0.113.9"),
    ("127.0.0.1", ["::ffff:cb00:7109"], "203.0.113.9"), ("127.0.0.1", ["203.0.113.9, 0:0:0:0:0:0:0:1"], "203.0.113.9"),
    ("127.0.0.1", ["203.0.113.9, 127.evil.example"], "unknown"),
    ("127.0.0.1", ["2001:db8:1:2::1%eth0"], "20.1.d.b8.0.1.0.2/64"),
  ] as [(String, [String], String)])
  func addresses(peer: String, forwarded: [String], network: String) throws {
    let request = Self.request(
      .get, forwarded.map { ("X-Forwarded-For", $0) } + [("X-Forwarded-Proto", "https")])
    let address = ClientAddress(
      request, peer: try SocketAddress(ipAddress: peer, port: 1), trusted: Set(["127.0.0.1", "::1"].map { HostAddress($0) }))
    #expect(address.network.household == network)
    #expect(address.network.site == (network.hasSuffix("/64") ? "20.1.d.b8.0.1/48" : network))
    #expect(address.isSecure == peer.hasSuffix("127.0.0.1"))
  }
}
