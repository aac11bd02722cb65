import CurlHTTP
import Testing

@Suite(
  "A request over TLS", .timeLimit(.minutes(1)),
  .enabled(if: TestCertificates.made != nil, "openssl and python3 are needed for a TLS server"))
struct TLSTests {
  private let certificates: TestCertificates

  init() throws {
    certificates = try #require(TestCertificates.made)
  }

  @Test(
    "a request over TLS reaches a server whose certificate is trusted, and keeps the connection",
    arguments: [TLSServer.HTTPVersion.one, .two])
  func trusted(version: TLSServer.HTTPVersion) async throws {
    let server = try TLSServer(version, certificates)
    defer { server.close() }
    let client = CurlClient(CurlSettings(certificateFile: certificates.authority, proxy: .none))
    for text in ["first", "second"] {
      let response = try await client.perform(
        HTTPRequest(.post, "https://localhost:\(server.port)/", body: Array(text.utf8), limits: .generous))
      #expect(response.status == 200)
      #expect(response.body == Array(text.utf8))
    }
    #expect(server.connectionCount == 1)
  }

  @Test("a request over TLS tells nothing to a server that nobody vouches for, or that has another name")
  func untrusted() async throws {
    let server = try TLSServer(.one, certificates)
    defer { server.close() }
    let asked = Reports<RawRequest>()
    let proxy = try RawServer.proxy(to: server.port, asked: asked)
    defer { proxy.close() }
    let cases: [(url: String, settings: CurlSettings)] = [
      ("https://localhost:\(server.port)/", CurlSettings(proxy: .none)),
      ("https://localhost:\(server.port)/", CurlSettings(certificateFile: certificates.otherAuthority, proxy: .none)),
      ("https://other.test/", CurlSettings(certificateFile: certificates.authority, proxy: .fixed(proxy.url))),
      ("https://localhost:\(server.port)/", CurlSettings(certificateFile: "/nonexistent.pem", proxy: .none)),
    ]
    for (url, settings) in cases {
      let error = await #expect(throws: HTTPError.self) {
        try await CurlClient(settings).perform(HTTPRequest(.post, url, body: [1], limits: .generous))
      }
      #expect(error?.cause == .tls, "\(url), \(settings)")
      #expect(error?.mayHaveBeenSent == false)
    }
    #expect(!server.reports.all.contains("request"))
  }

  @Test("a request over TLS goes through a proxy, which learns the host and nothing else")
  func proxy() async throws {
    let server = try TLSServer(.one, certificates)
    defer { server.close() }
    let asked = Reports<RawRequest>()
    let proxy = try RawServer.proxy(to: server.port, asked: asked)
    defer { proxy.close() }
    let client = CurlClient(CurlSettings(certificateFile: certificates.authority, proxy: .fixed(proxy.url)))
    for _ in 0..<2 {
      let response = try await client.perform(
        HTTPRequest(
          .post, "https://provider.test/v1?key=secret", headers: [HTTPHeader("X-Key", "secret")],
          body: Array("hi".utf8), limits: .generous))
      #expect(response.body == Array("hi".utf8))
      #expect(response.header("x-proxy") == nil)
    }
    #expect(asked.all.map(\.line) == ["CONNECT provider.test:443 HTTP/1.1"])
    #expect(asked.all.allSatisfy { !String(describing: $0).contains("secret") })
  }

  @Test("a request over TLS that finds no TLS at the other end says so")
  func plainServer() async throws {
    let server = try RawServer { connection in
      _ = connection.readSome()
      connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    defer { server.close() }
    let error = await #expect(throws: HTTPError.self) {
      try await CurlClient().perform(HTTPRequest(.get, "https://127.0.0.1:\(server.port)", limits: .generous))
    }
    #expect(error?.cause == .tls)
    #expect(error?.mayHaveBeenSent == false)
  }

  @Test("a request over TLS closes its connection when it is cancelled")
  func cancelled() async throws {
    let server = try TLSServer(.one, certificates)
    defer { server.close() }
    let client = CurlClient(CurlSettings(certificateFile: certificates.authority, proxy: .none))
    let url = "https://localhost:\(server.port)/"
    let task = Task { try await client.perform(HTTPRequest(.post, url, body: Array("hang".utf8), limits: .generous)) }
    try await server.waits(for: "request")
    task.cancel()
    try await server.waits(for: "end")
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a request over TLS shares one connection of HTTP/2 with two hundred others, each with its own answer")
  func multiplexed() async throws {
    let server = try TLSServer(.two, certificates)
    defer { server.close() }
    let client = CurlClient(CurlSettings(certificateFile: certificates.authority, proxy: .none))
    let url = "https://localhost:\(server.port)/"
    // How many streams the server allows is known once it has answered.
    _ = try await client.perform(HTTPRequest(.get, url, limits: .generous))
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for number in 0..<200 {
        let body = Array("marker \(number)".utf8)
        group.addTask {
          (number, try await client.perform(HTTPRequest(.post, url, body: body, limits: .generous)).body)
        }
      }
      for try await (number, body) in group { #expect(body == Array("marker \(number)".utf8)) }
    }
    #expect(server.connectionCount == 1)
  }

  @Test("a request over TLS over HTTP/2 is reset at once when it is cancelled, and the connection stays for the others")
  func streamReset() async throws {
    let server = try TLSServer(.two, certificates)
    defer { server.close() }
    let client = CurlClient(CurlSettings(certificateFile: certificates.authority, proxy: .none))
    let url = "https://localhost:\(server.port)/"
    let hanging = HTTPRequest(.post, url, body: Array("hang".utf8), limits: .generous)
    let tasks = (0..<3).map { _ in Task { try await client.perform(hanging) } }
    for _ in tasks { try await server.waits(for: "request") }
    tasks[0].cancel()
    try await server.waits(for: "reset")
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    #expect(try await client.perform(HTTPRequest(.post, url, body: [1], limits: .generous)).body == [1])
    #expect(server.connectionCount == 1)
    tasks[1].cancel()
    try await server.waits(for: "reset")
    // With the last one goes the connection.
    tasks[2].cancel()
    try await server.waits(for: "end")
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
  }

  @Test(
    "a request over TLS uploads a large body over either version, with its progress",
    arguments: [TLSServer.HTTPVersion.one, .two])
  func upload(version: TLSServer.HTTPVersion) async throws {
    let server = try TLSServer(version, certificates)
    defer { server.close() }
    let client = CurlClient(CurlSettings(certificateFile: certificates.authority, proxy: .none))
    let events = Reports<HTTPTransferEvent>()
    let body = [UInt8](repeating: 9, count: 5_000_000)
    let response = try await client.perform(
      HTTPRequest(.post, "https://localhost:\(server.port)/", body: body, limits: .generous), takesPieces: false
    ) { events.add($0) }
    #expect(response.body == Array("5000000".utf8))
    #expect(events.all.suffix(2) == [.sent(bytes: 5_000_000, of: 5_000_000), .responded(status: 200)])
    #expect(events.all.count > 10)
  }
}
