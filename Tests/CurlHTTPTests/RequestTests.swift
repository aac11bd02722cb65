import CurlHTTP
import Testing

@Suite("A request", .timeLimit(.minutes(1)))
struct RequestTests {
  /// Answers every request with its head as it came.
  private static func echo() throws -> RawServer {
    try RawServer { connection in
      while let request = connection.readRequest() {
        let lines = [request.line] + request.headers.map { "\($0.name): \($0.value)" }
        connection.respond(200, "", lines.joined(separator: "\n"))
      }
    }
  }

  @Test("a request goes out as it was given, and its response comes back whole")
  func exchange() async throws {
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        connection.respond(
          201, "X-Line: \(request.line)\r\nX-Key: \(request.header("X-Key") ?? "none")\r\n",
          body: request.body.reversed())
      }
    }
    defer { server.close() }
    let client = CurlClient()
    let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let response = try await client.perform(
      HTTPRequest(.post, server.url + "/a/b?c=d", headers: [HTTPHeader("X-Key", "k1")], body: body))
    #expect(response.status == 201)
    #expect(response.header("x-line") == "POST /a/b?c=d HTTP/1.1")
    #expect(response.header("x-key") == "k1")
    #expect(response.body == body.reversed())
    let second = try await client.perform(HTTPRequest(.get, server.url + "/"))
    #expect(second.header("x-line") == "GET / HTTP/1.1")
    #expect(second.body.isEmpty)
  }

  @Test("a request sends nothing of its own that the caller did not ask for")
  func headers() async throws {
    let server = try Self.echo()
    defer { server.close() }
    let client = CurlClient()
    let body = [UInt8](repeating: 1, count: 2_000_000)
    let response = try await client.perform(
      HTTPRequest(
        .post, server.url,
        headers: [HTTPHeader("Empty", ""), HTTPHeader("Twice", "a"), HTTPHeader("Twice", "b")], body: body))
    let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "POST / HTTP/1.1", "host: 127.0.0.1:\(server.port)", "accept: */*", "accept-encoding: gzip, deflate", "empty: ",
        "twice: a", "twice: b", "content-length: 2000000",
      ])
  }

  @Test("a request sends the caller's own fields in place of the usual ones")
  func ownHeaders() async throws {
    let server = try Self.echo()
    defer { server.close() }
    let response = try await CurlClient().perform(
      HTTPRequest(
        .post, server.url,
        headers: [HTTPHeader("content-type", "application/json"), HTTPHeader("Accept", "text/event-stream")], body: []))
    let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains("content-type: application/json"))
    #expect(lines.contains("accept: text/event-stream"))
    #expect(lines.contains("content-length: 0"))
    #expect(lines.count == 6)
  }

  @Test("a request is refused when a header could smuggle in another", arguments: [
    HTTPHeader("X", "a\r\nY: b"), HTTPHeader("X", "a\nY: b"), HTTPHeader("X", "a\rb"), HTTPHeader("X", "a\0b"),
    HTTPHeader("X", "a\u{7F}"), HTTPHeader("X: y\r\nZ", "a"), HTTPHeader("X:", "a"), HTTPHeader("X Y", "a"),
    HTTPHeader("", "a"), HTTPHeader("Ü", "a"),
  ])
  func injection(header: HTTPHeader) async throws {
    let server = try Self.echo()
    defer { server.close() }
    let error = await #expect(throws: HTTPError.self) {
      try await CurlClient().perform(HTTPRequest(.get, server.url, headers: [header]))
    }
    #expect(error?.cause == .badHeader)
    #expect(error?.mayHaveBeenSent == false)
    #expect(server.connectionCount == 0)
  }

  @Test("a request may hold any printable text in a header")
  func printable() async throws {
    let server = try Self.echo()
    defer { server.close() }
    let response = try await CurlClient().perform(
      HTTPRequest(.get, server.url, headers: [HTTPHeader("X!#$%&'*+-.^_`|~9", "tab\there, \"quotes\" @ and é")]))
    let line = "x!#$%&'*+-.^_`|~9: tab\there, \"quotes\" @ and é"
    #expect(String(decoding: response.body, as: UTF8.self).contains(line))
  }

  @Test("a request is refused when its URL is none, is plain HTTP to another machine, or holds a password", arguments: [
    "", "nonsense", "http://", "https://", "ftp://127.0.0.1/", "file:///etc/passwd", "http://example.com/",
    "http://127.0.0.1.example.com/", "http://localhost.example.com/", "http://128.0.0.1/", "http://0.0.0.0/",
    "http://[::2]/", "http://[::ffff:128.0.0.1]/", "http://localhost.example./", "https://user:secret@example.com/",
    "https://user@example.com/", "http://127.0.0.1@example.com/", "http://example.com#@127.0.0.1/", "//127.0.0.1/",
    "https://example.com:99999/", "http://127.0.0.1\0.example.com/", "http://127.0.0.1/ \r\nX: y", "example.com",
  ])
  func badURL(url: String) async throws {
    let error = await #expect(throws: HTTPError.self) {
      try await CurlClient().perform(HTTPRequest(.get, url, limits: .generous))
    }
    #expect(error?.cause == .badURL)
    #expect(error?.mayHaveBeenSent == false)
  }

  @Test("a request has the method it was given, with a body or without", arguments: [
    (HTTPRequest.Method.put, [1, 2, 3] as [UInt8]?, "PUT /a HTTP/1.1", "3"), (.put, nil, "PUT /a HTTP/1.1", "0"),
    (.delete, nil, "DELETE /a HTTP/1.1", "none"),
  ])
  func methods(method: HTTPRequest.Method, body: [UInt8]?, line: String, length: String) async throws {
    let server = try RawServer { connection in
      guard let request = connection.readRequest() else { return }
      connection.respond(200, "X-Line: \(request.line)\r\nX-Length: \(request.header("Content-Length") ?? "none")\r\n")
    }
    defer { server.close() }
    let response = try await CurlClient().perform(HTTPRequest(method, server.url + "/a", body: body))
    #expect(response.header("X-Line") == line)
    #expect(response.header("X-Length") == length)
  }

  @Test("a request for the head alone awaits no body, however long the announced one is")
  func head() async throws {
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        connection.write("HTTP/1.1 200 OK\r\nX-Line: \(request.line)\r\nContent-Length: 5000\r\n\r\n")
      }
    }
    defer { server.close() }
    let client = CurlClient()
    for _ in 0..<2 {
      let response = try await client.perform(
        HTTPRequest(.head, server.url + "/a", limits: HTTPLimits(responseBytes: 100)))
      #expect(response.header("X-Line") == "HEAD /a HTTP/1.1")
      #expect(response.header("Content-Length") == "5000")
      #expect(response.body.isEmpty)
    }
    #expect(server.connectionCount == 1)
  }

  @Test("a request may go in plain to another machine only where it says so", arguments: [
    "http://192.0.2.1:1/", "http://[2001:db8::1]:1/",
  ])
  func plain(url: String) async throws {
    let limits = HTTPLimits(total: .milliseconds(1))
    let error = await #expect(throws: HTTPError.self) {
      try await CurlClient().perform(HTTPRequest(.get, url, mayBePlain: true, limits: limits))
    }
    #expect(error?.cause != .badURL)
  }

  @Test("a request may go in plain to any name of this machine's loopback", arguments: [
    "http://127.0.0.1", "http://127.9.8.7", "http://localhost", "http://LOCALHOST", "http://[::1]", "http://0x7f.1",
  ])
  func loopback(start: String) async throws {
    let port = RawServer.closedPort
    let error = await #expect(throws: HTTPError.self) {
      try await CurlClient().perform(HTTPRequest(.get, "\(start):\(port)/", limits: .generous))
    }
    #expect(error?.cause == .connect)
    #expect(error?.mayHaveBeenSent == false)
  }

  @Test("a request uses a kept connection again, and a new one when the server has closed it")
  func keptConnection() async throws {
    let ends = Reports<Int>()
    let server = try RawServer { connection in
      for _ in 0..<3 {
        guard connection.readRequest() != nil else { break }
        connection.respond()
      }
      connection.close()
      ends.add(connection.number)
    }
    defer { server.close() }
    let client = CurlClient()
    for round in 0..<3 {
      for _ in 0..<3 { #expect(try await client.perform(HTTPRequest(.get, server.url)).status == 200) }
      #expect(try await ends.next() == round)
    }
    #expect(server.connectionCount == 3)
  }

  @Test("a request that may have been served is never sent a second time by itself")
  func sentOnce() async throws {
    let requests = Reports<Int>()
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        requests.add(request.body.count)
        if request.target == "/die" { return connection.reset() }
        connection.respond()
      }
    }
    defer { server.close() }
    let client = CurlClient()
    #expect(try await client.perform(HTTPRequest(.post, server.url, body: [1])).status == 200)
    let error = await #expect(throws: HTTPError.self) {
      try await client.perform(HTTPRequest(.post, server.url + "/die", body: [1, 2, 3], limits: .generous))
    }
    #expect(error?.cause == .reset)
    #expect(error?.mayHaveBeenSent == true)
    #expect(requests.all == [1, 3])
  }
}
