import CurlHTTP
import Testing

@Suite("The progress of an upload", .timeLimit(.minutes(1)))
struct UploadTests {
  private static func events(_ bytes: Int) async throws -> [HTTPTransferEvent] {
    let server = try RawServer { connection in
      while let request = connection.readRequest() { connection.respond(200, "", "\(request.body.count)") }
    }
    defer { server.close() }
    let events = Reports<HTTPTransferEvent>()
    let body = [UInt8](repeating: 3, count: bytes)
    let response = try await CurlClient().perform(
      HTTPRequest(.post, server.url, body: body, limits: .generous), takesPieces: false) { events.add($0) }
    #expect(response.body == Array("\(bytes)".utf8))
    return events.all
  }

  @Test("the progress of an upload rises to the whole in at most a hundred steps, and is complete before the response",
    arguments: [1, 10, 99, 100, 101, 65_536, 1_000_000, 20_000_000])
  func rises(bytes: Int) async throws {
    let events = try await Self.events(bytes)
    let counts = events.compactMap { event in
      if case .sent(let count, of: bytes) = event { count } else { nil }
    }
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 })
    #expect(counts.last == bytes)
    #expect(counts.count <= 101)
    #expect(events == [.connected] + counts.map { .sent(bytes: $0, of: bytes) } + [.responded(status: 200)])
  }

  @Test("the progress of an empty upload is not told")
  func nothing() async throws {
    #expect(try await Self.events(0) == [.connected, .responded(status: 200)])
  }

  @Test("the progress of an upload stops where a server stops reading, but for what the system keeps")
  func honest() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.waitForReset()
    }
    defer { server.close() }
    let client = CurlClient()
    let events = Reports<HTTPTransferEvent>()
    let body = [UInt8](repeating: 3, count: 100_000_000)
    var limits = HTTPLimits.generous
    limits.stall = .milliseconds(200)
    let request = HTTPRequest(.post, server.url, body: body, limits: limits)
    await #expect(throws: HTTPError.self) {
      try await client.perform(request, takesPieces: false) { events.add($0) }
    }
    let counts = events.all.compactMap { event in
      if case .sent(let count, of: _) = event { count } else { nil }
    }
    #expect((counts.last ?? 0) < 50_000_000)
  }

  @Test("the progress of an upload is not claimed to be complete when the server answers early")
  func early() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.respond(413, "Connection: close\r\n", "too large")
      // The client still sends; closing under its hands would reset what it has not read.
      connection.waitForEnd()
    }
    defer { server.close() }
    let events = Reports<HTTPTransferEvent>()
    let body = [UInt8](repeating: 3, count: 50_000_000)
    let response = try await CurlClient().perform(
      HTTPRequest(.post, server.url, body: body, limits: .generous), takesPieces: false) { events.add($0) }
    #expect(response.status == 413)
    #expect(response.body == Array("too large".utf8))
    #expect(events.all.last == .responded(status: 413))
    #expect(!events.all.contains(.sent(bytes: body.count, of: body.count)))
  }
}
