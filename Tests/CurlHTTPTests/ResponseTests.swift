import CurlHTTP
import Testing

@Suite("A response", .timeLimit(.minutes(1)))
struct ResponseTests {
  /// Serves one request a connection with what `answer` writes.
  private static func server(_ answer: @escaping @Sendable (RawConnection) -> Void) throws -> RawServer {
    try RawServer { connection in
      if connection.readRequest() != nil { answer(connection) }
    }
  }

  private static func failure(
    takesPieces: Bool = false, limit: Int = 1_000_000, _ answer: @escaping @Sendable (RawConnection) -> Void
  ) async throws -> HTTPError? {
    let server = try server(answer)
    defer { server.close() }
    var limits = HTTPLimits.generous
    limits.responseBytes = limit
    return await #expect(throws: HTTPError.self) {
      try await CurlClient().perform(HTTPRequest(.get, server.url, limits: limits), takesPieces: takesPieces) { _ in }
    }
  }

  @Test("a response means the same when it comes byte by byte")
  func split() async throws {
    let text =
      "HTTP/1.1 200 OK\r\nX-Folded: a\r\n b\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nT: t\r\n\r\n"
    let server = try Self.server { connection in
      for byte in text.utf8 { connection.write([byte]) }
      connection.waitForEnd()
    }
    defer { server.close() }
    let response = try await CurlClient().perform(HTTPRequest(.get, server.url))
    #expect(response.status == 200)
    #expect(
      response.headers == [HTTPHeader("X-Folded", "a b"), HTTPHeader("Transfer-Encoding", "chunked")])
    #expect(response.body == Array("hello!".utf8))
  }

  @Test("a response is the final one: interim ones are passed over")
  func interim() async throws {
    let server = try Self.server { connection in
      connection.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
      connection.respond(202, "A: b\r\n", "done")
    }
    defer { server.close() }
    let events = Reports<HTTPTransferEvent>()
    let response = try await CurlClient().perform(HTTPRequest(.get, server.url), takesPieces: true) { events.add($0) }
    #expect(response.status == 202)
    #expect(response.headers == [HTTPHeader("Content-Length", "4"), HTTPHeader("A", "b")])
    #expect(events.all == [.connected, .responded(status: 202), .received(Array("done".utf8))])
  }

  @Test("the response of a success is told in pieces to who wants them; any other is collected")
  func pieces() async throws {
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        connection.respond(request.target == "/good" ? 200 : 429, "", body: [UInt8](repeating: 7, count: 200_000))
      }
    }
    defer { server.close() }
    let client = CurlClient()
    for (path, inPieces) in [("/good", true), ("/bad", false)] {
      let events = Reports<HTTPTransferEvent>()
      let request = HTTPRequest(.get, server.url + path)
      let response = try await client.perform(request, takesPieces: true) { events.add($0) }
      let pieces = events.all.compactMap { event in
        if case .received(let bytes) = event { bytes } else { nil }
      }
      #expect(events.all.prefix(2) == [.connected, .responded(status: response.status)])
      #expect(Array(pieces.joined()).count == (inPieces ? 200_000 : 0))
      #expect(response.body.count == (inPieces ? 0 : 200_000))
    }
  }

  @Test("a response that redirects is handed over, and nobody goes there")
  func redirect() async throws {
    let elsewhere = try RawServer { $0.waitForEnd() }
    defer { elsewhere.close() }
    let location = "http://127.0.0.1:\(elsewhere.port)/stolen"
    let server = try Self.server { $0.respond(302, "Location: \(location)\r\n", "moved") }
    defer { server.close() }
    let response = try await CurlClient().perform(
      HTTPRequest(.get, server.url, headers: [HTTPHeader("X-Goog-Api-Key", "secret")]))
    #expect(response.status == 302)
    #expect(response.header("location") == location)
    #expect(response.body == Array("moved".utf8))
    #expect(elsewhere.connectionCount == 0)
    #expect(server.connectionCount == 1)
  }

  @Test("a response may be exactly as large as allowed", arguments: [true, false])
  func exactlyAllowed(hasLength: Bool) async throws {
    let server = try Self.server { connection in
      if hasLength { return _ = connection.respond(200, "", body: [UInt8](repeating: 1, count: 50_000)) }
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      connection.write([UInt8](repeating: 1, count: 50_000))
    }
    defer { server.close() }
    var limits = HTTPLimits.generous
    limits.responseBytes = 50_000
    let response = try await CurlClient().perform(HTTPRequest(.get, server.url, limits: limits))
    #expect(response.body.count == 50_000)
  }

  @Test("a response larger than allowed is given up, whether it says so or never ends", arguments: [true, false])
  func tooLarge(takesPieces: Bool) async throws {
    let announced = try await Self.failure(takesPieces: takesPieces, limit: 1_000) { connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
      connection.waitForEnd()
    }
    #expect(announced?.cause == .tooLarge)
    let endless = try await Self.failure(takesPieces: takesPieces) { connection in
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      while connection.write([UInt8](repeating: 1, count: 65_536)) {}
    }
    #expect(endless?.cause == .tooLarge)
    #expect(endless?.mayHaveBeenSent == true)
  }

  @Test("a response that is no success is collected up to a megabyte, whatever a success may have", arguments: [true, false])
  func largeFailure(hasLength: Bool) async throws {
    let megabyte = 1_048_576
    let send: @Sendable (RawConnection, Int) -> Void = { connection, count in
      connection.write("HTTP/1.1 500 Oops\r\n\(hasLength ? "Content-Length: \(count)\r\n" : "")\r\n")
      connection.write([UInt8](repeating: 1, count: count))
    }
    let server = try Self.server { send($0, megabyte) }
    defer { server.close() }
    let response = try await CurlClient().perform(HTTPRequest(.get, server.url))
    #expect(response.status == 500 && response.body.count == megabyte)
    let error = try await Self.failure(limit: 100 * megabyte) { send($0, megabyte + 1) }
    #expect(error?.cause == .tooLarge)
  }

  @Test("a response that is compressed is unpacked, in either form")
  func compressed() async throws {
    for (coding, packed) in [("gzip", Packed.gzipHello), ("deflate", Packed.deflateHello)] {
      let server = try Self.server { $0.respond(200, "Content-Encoding: \(coding)\r\n", body: packed) }
      defer { server.close() }
      let response = try await CurlClient().perform(HTTPRequest(.get, server.url))
      #expect(response.body == Array("hello hello hello hello\n".utf8), "\(coding)")
    }
  }

  @Test("a response that grows when it is unpacked meets the cap all the same")
  func bomb() async throws {
    let error = try await Self.failure { connection in
      connection.respond(200, "Content-Encoding: gzip\r\n", body: Packed.gzipBomb(repetitions: 40_000))
    }
    #expect(error?.cause == .tooLarge)
  }

  @Test("a response that cannot be unpacked, or is not HTTP, is malformed", arguments: [
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", "SSH-2.0-OpenSSH_9.2\r\n",
    "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
  ])
  func malformed(text: String) async throws {
    let error = try await Self.failure { connection in
      connection.write(text)
      connection.waitForEnd()
    }
    #expect(error?.cause == .malformed)
    #expect(error?.mayHaveBeenSent == true)
  }

  @Test("a response whose head never ends is malformed")
  func endlessHead() async throws {
    let error = try await Self.failure { connection in
      connection.write("HTTP/1.1 200 OK\r\n")
      while connection.write("X: \(String(repeating: "x", count: 1_000))\r\n") {}
    }
    #expect(error?.cause == .malformed)
  }

  @Test("a response that ends before it is complete is truncated", arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    "HTTP/1.1 500 Oops\r\nContent-Length: 10\r\n\r\nhello",
  ], [true, false])
  func truncated(text: String, isReset: Bool) async throws {
    let error = try await Self.failure { connection in
      connection.write(text)
      if isReset { connection.reset() }
    }
    // A reset may overtake what was written before it.
    #expect(error?.cause == .truncated || (isReset && error?.cause == .reset))
    #expect(error?.mayHaveBeenSent == true)
  }

  @Test(
    "a response that never begins is a reset",
    arguments: ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Le"], [true, false])
  func reset(text: String, isReset: Bool) async throws {
    let error = try await Self.failure { connection in
      connection.write(text)
      if isReset { connection.reset() }
    }
    #expect(error?.cause == .reset)
    #expect(error?.mayHaveBeenSent == true)
  }
}
