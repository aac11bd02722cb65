import CurlHTTP
import Dispatch
import Glibc
import Support
import Testing

@Suite("A cancelled request", .timeLimit(.minutes(1)))
struct CancelTests {
  private enum Phase: CaseIterable {
    case handshake, upload, waiting, head, download
  }

  /// Runs until the transfer is in that phase, cancels it, and expects the server to see the connection end.
  @Test("a cancelled request closes its connection in whatever phase it is", arguments: Phase.allCases)
  private func closes(phase: Phase) async throws {
    let reports = Reports<String>()
    let server = try RawServer { connection in
      switch phase {
      case .handshake: _ = connection.readSome(1)
      case .upload: _ = connection.readHead()
      case .waiting: _ = connection.readRequest()
      case .head:
        _ = connection.readRequest()
        connection.write("HTTP/1.1 200 OK\r\nX: ")
      case .download:
        _ = connection.readRequest()
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nbegun")
      }
      reports.add("there")
      // In the upload the client is held up by a server that does not read, so nothing may be read until it is over.
      if phase == .upload { connection.waitForReset() } else { connection.waitForEnd() }
      reports.add("end")
    }
    defer { server.close() }
    let client = CurlClient()
    let url = phase == .handshake ? "https://127.0.0.1:\(server.port)" : server.url
    let body = phase == .upload ? [UInt8](repeating: 0, count: 50_000_000) : [1, 2, 3]
    let task = Task { try await client.perform(HTTPRequest(.post, url, body: body, limits: .generous)) }
    #expect(try await reports.next() == "there")
    task.cancel()
    #expect(try await reports.next() == "end")
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a request cancelled before it had begun makes no connection")
  func beforeStart() async throws {
    let server = try RawServer { $0.waitForEnd() }
    defer { server.close() }
    let client = CurlClient()
    let gate = Reports<Void>()
    let task = Task {
      try await gate.next()
      return try await client.perform(HTTPRequest(.get, server.url))
    }
    task.cancel()
    gate.add(())
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.connectionCount == 0)
  }

  @Test("a cancelled request leaves the others on the same client alone")
  func others() async throws {
    let arrived = Reports<Int>()
    let mayAnswer = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      guard let request = connection.readRequest() else { return }
      arrived.add(connection.number)
      if request.target == "/wait" { return connection.waitForEnd() }
      mayAnswer.wait()
      connection.respond(200, "", "kept")
    }
    defer { server.close() }
    let client = CurlClient()
    let kept = Task { try await client.perform(HTTPRequest(.get, server.url, limits: .generous)) }
    let cancelled = Task { try await client.perform(HTTPRequest(.get, server.url + "/wait", limits: .generous)) }
    for _ in 0..<2 { _ = try await arrived.next() }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    mayAnswer.signal()
    #expect(try await kept.value.body == Array("kept".utf8))
  }

  @Test("a cancelled request leaves nobody waiting for the connection it was making")
  func pending() async throws {
    let connections = Reports<Int>()
    let server = try RawServer { connection in
      _ = connection.readSome(1)
      connections.add(connection.number)
      connection.waitForEnd()
    }
    defer { server.close() }
    let client = CurlClient()
    let request = HTTPRequest(.get, "https://127.0.0.1:\(server.port)", limits: .generous)
    let events = Reports<HTTPTransferEvent>()
    let first = Task { try await client.perform(request, takesPieces: false) { events.add($0) } }
    #expect(try await connections.next() == 0)
    // They wait for the first, since its connection may turn out to carry them all.
    let others = (0..<5).map { _ in Task { try await client.perform(request) } }
    first.cancel()
    #expect(try await connections.next() == 1)
    for task in others { task.cancel() }
    for task in [first] + others { await #expect(throws: CancellationError.self) { try await task.value } }
    // The server never answered the greeting, so nothing of the request can have left.
    #expect(events.all == [])
  }

  @Test("a cancelled request tells nothing more once it has returned")
  func silence() async throws {
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      while connection.write([UInt8](repeating: 0, count: 1_000)) {}
    }
    defer { server.close() }
    let client = CurlClient()
    let events = Reports<HTTPTransferEvent>()
    let task = Task {
      try await client.perform(HTTPRequest(.get, server.url, limits: .generous), takesPieces: true) { events.add($0) }
    }
    #expect(try await events.next() == .connected)
    #expect(try await events.next() == .responded(status: 200))
    task.cancel()
    _ = await task.result
    let told = events.all.count
    let next = HTTPRequest(.get, "https://\(HTTPRequest.unresolvableHost)", limits: .generous)
    #expect(try await client.perform(next, orNil: .resolve) == nil)
    #expect(events.all.count == told)
  }

  @Test(
    "a request cancelled and answered at the same moment returns once, with one of the two",
    arguments: 0..<60 as Range<UInt64>)
  func race(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.respond(200, "", "answer") }
    }
    defer { server.close() }
    let client = CurlClient()
    _ = try await client.perform(HTTPRequest(.get, server.url))
    for _ in 0..<5 {
      let task = Task { try await client.perform(HTTPRequest(.get, server.url, limits: .generous)) }
      let turns = Int.random(in: 0..<400, using: &random)
      for _ in 0..<turns { await Task.yield() }
      task.cancel()
      switch await task.result {
      case .success(let response): #expect(response.body == Array("answer".utf8), "seed \(seed)")
      case .failure(let error): #expect(error is CancellationError, "seed \(seed)")
      }
    }
    #expect(try await client.perform(HTTPRequest(.get, server.url)).status == 200, "seed \(seed)")
  }
}
