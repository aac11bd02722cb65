import CurlHTTP
import Testing

/// The limits are short here, but no test expects that anything is quick: each waits for a server that does nothing.
@Suite("A request's limits", .timeLimit(.minutes(1)))
struct LimitTests {
  private static func failure(
    _ limits: HTTPLimits, body: [UInt8]? = nil, scheme: String = "http",
    _ script: @escaping @Sendable (RawConnection) -> Void
  ) async throws -> HTTPError? {
    let server = try RawServer { connection in
      script(connection)
      connection.waitForReset()
    }
    defer { server.close() }
    let url = "\(scheme)://127.0.0.1:\(server.port)"
    return await #expect(throws: HTTPError.self) {
      try await CurlClient().perform(HTTPRequest(.post, url, body: body, limits: limits))
    }
  }

  private static func limits(
    total: Duration = .seconds(50), connect: Duration = .seconds(50), stall: Duration = .seconds(50)
  ) -> HTTPLimits { HTTPLimits(total: total, connect: connect, stall: stall) }

  @Test("the total alone ends a request whose server never answers", arguments: [
    nil, [], [UInt8](repeating: 0, count: 100), [UInt8](repeating: 0, count: 300_000),
  ] as [[UInt8]?])
  func neverAnswers(body: [UInt8]?) async throws {
    // On a busy machine, a large body may stand still for a while on its way.
    let isLarge = (body?.count ?? 0) > 100
    let limits = Self.limits(
      total: isLarge ? .seconds(4) : .milliseconds(400), stall: isLarge ? .seconds(2) : .milliseconds(50))
    let error = try await Self.failure(limits, body: body) { _ = $0.readRequest() }
    #expect(error?.cause == .timedOut(.total))
    #expect(error?.mayHaveBeenSent == true)
  }

  @Test("a server may think as long as the total allows, also after an interim response and between events", arguments: [
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", events, events + ": still at work\n\n",
    events + "data: 1\r\n\r\n", events + "data: 1\r\r",
  ])
  func thinks(text: String) async throws {
    let limits = Self.limits(total: .milliseconds(400), stall: .milliseconds(50))
    let error = try await Self.failure(limits) { connection in
      _ = connection.readRequest()
      connection.write(text)
    }
    #expect(error?.cause == .timedOut(.total))
    #expect(error?.mayHaveBeenSent == true)
  }

  private static let events = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

  @Test("the limits end a request whose connection never stands, before anything is sent")
  func neverConnects() async throws {
    let connect = try await Self.failure(Self.limits(connect: .milliseconds(100)), scheme: "https") { _ in }
    #expect(connect?.cause == .timedOut(.connect))
    #expect(connect?.mayHaveBeenSent == false)
    let total = try await Self.failure(Self.limits(total: .milliseconds(100)), scheme: "https") { _ in }
    #expect(total?.cause == .timedOut(.total))
    #expect(total?.mayHaveBeenSent == false)
    let both = Self.limits(connect: .milliseconds(150), stall: .milliseconds(50))
    #expect(try await Self.failure(both, scheme: "https") { _ in }?.cause == .timedOut(.connect))
  }

  @Test("the limits end a request whose server stops reading")
  func uploadStalls() async throws {
    let body = [UInt8](repeating: 0, count: 50_000_000)
    let error = try await Self.failure(Self.limits(stall: .milliseconds(200)), body: body) { _ = $0.readHead() }
    #expect(error?.cause == .timedOut(.stall))
    #expect(error?.mayHaveBeenSent == true)
  }

  @Test("the limits end a request whose response stops, in the head or in the body", arguments: [
    "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nX: ",
    events + "data: 1\n", events + "data: 1\n\ndata: 2\n",
  ])
  func downloadStalls(text: String) async throws {
    let error = try await Self.failure(Self.limits(stall: .milliseconds(100))) { connection in
      _ = connection.readRequest()
      connection.write(text)
    }
    #expect(error?.cause == .timedOut(.stall))
    #expect(error?.mayHaveBeenSent == true)
  }

  @Test("limits of no time at all are met at once", arguments: [Duration.zero, .seconds(-1)])
  func noTime(total: Duration) async throws {
    let error = try await Self.failure(Self.limits(total: total)) { _ in }
    #expect(error?.cause == .timedOut(.total))
  }

  @Test("limits may be for ever")
  func forEver() async throws {
    let server = try RawServer { if $0.readRequest() != nil { $0.respond(200, "", "here") } }
    defer { server.close() }
    let ages = Duration.seconds(Int64.max / 4)
    let limits = HTTPLimits(total: ages, connect: ages, stall: ages)
    let response = try await CurlClient().perform(HTTPRequest(.get, server.url, limits: limits))
    #expect(response.body == Array("here".utf8))
  }
}
