import CurlHTTP
import Testing

@Suite("A request that reaches nobody", .timeLimit(.minutes(1)))
struct ConnectionFailureTests {
  @Test("a request to a closed port says that nobody listens")
  func closedPort() async throws {
    let port = RawServer.closedPort
    let error = await #expect(throws: HTTPError.self) {
      try await CurlClient().perform(HTTPRequest(.post, "https://localhost:\(port)", body: [1], limits: .generous))
    }
    #expect(error == HTTPError(.connect, mayHaveBeenSent: false, detail: "libcurl 7: Couldn't connect to server."))
  }

  @Test("a request to an unknown name says that the name has no address")
  func unknownName() async throws {
    let url = "https://\(HTTPRequest.unresolvableHost)/v1?key=secret"
    let error = await #expect(throws: HTTPError.self) {
      try await CurlClient().perform(HTTPRequest(.get, url, limits: .generous))
    }
    #expect(error?.cause == .resolve)
    #expect(error?.mayHaveBeenSent == false)
    let text = error.map { String(describing: $0) } ?? "provider"
    #expect(!text.contains("provider") && !text.contains("secret"))
  }

  @Test("a request through a dead proxy says that the proxy cannot be found, or does not listen")
  func deadProxy() async throws {
    for proxy in ["http://\(HTTPRequest.unresolvableHost):3128", "http://127.0.0.1:\(RawServer.closedPort)"] {
      let client = CurlClient(CurlSettings(proxy: .fixed(proxy)))
      let error = await #expect(throws: HTTPError.self) {
        try await client.perform(HTTPRequest(.get, "https://provider.invalid/", limits: .generous))
      }
      #expect(error?.cause == .proxy)
      #expect(error?.mayHaveBeenSent == false)
    }
  }

  @Test("a request through a refusing proxy says that the proxy refuses", arguments: [403, 407, 502])
  func refusingProxy(status: Int) async throws {
    let lines = Reports<String>()
    let proxy = try RawServer { connection in
      guard let request = connection.readRequest() else { return }
      lines.add(request.line)
      connection.respond(status, "", "no")
    }
    defer { proxy.close() }
    let client = CurlClient(CurlSettings(proxy: .fixed(proxy.url)))
    let error = await #expect(throws: HTTPError.self) {
      try await client.perform(HTTPRequest(.post, "https://provider.invalid/x", body: [1], limits: .generous))
    }
    #expect(error?.cause == .proxy)
    #expect(error?.mayHaveBeenSent == false)
    #expect(lines.all == ["CONNECT provider.invalid:443 HTTP/1.1"])
  }

  @Test("a request to this machine never asks a proxy")
  func loopback() async throws {
    let proxy = try RawServer { $0.waitForEnd() }
    defer { proxy.close() }
    let server = try RawServer { if $0.readRequest() != nil { $0.respond(200, "", "direct") } }
    defer { server.close() }
    let client = CurlClient(CurlSettings(proxy: .fixed(proxy.url)))
    for host in ["127.0.0.1", "localhost"] {
      let response = try await client.perform(HTTPRequest(.get, "http://\(host):\(server.port)", limits: .generous))
      #expect(response.body == Array("direct".utf8))
    }
    #expect(proxy.connectionCount == 0)
  }
}
