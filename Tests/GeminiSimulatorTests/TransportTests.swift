import Glibc
import POSIX
import Testing

@testable import GeminiSimulator

@Suite("The faults of a connection", .timeLimit(.minutes(2)))
struct TransportTests {
  private static func begin(
    _ simulator: GeminiSimulator, _ fault: TransportFault, _ request: RawRequest = .generate(prompt: "x")
  ) async throws -> RawConnection {
    simulator.enqueue(.transport(fault))
    let connection = try RawConnection(port: simulator.port)
    try await connection.send(request.bytes)
    return connection
  }

  /// What comes before the end, and whether that was a reset.
  private static func rest(of connection: RawConnection) async -> (bytes: [UInt8], isReset: Bool) {
    var all: [UInt8] = []
    do {
      while case let bytes = try await connection.receive(), !bytes.isEmpty { all += bytes }
      return (all, false)
    } catch {
      return (all, (error as? SystemError)?.code == ECONNRESET)
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Broken

  @Test("A connection is closed instead of an answer")
  func closeBeforeHead() async throws {
    try await withSimulator { simulator in
      let rest = await Self.rest(of: try await Self.begin(simulator, .closeBeforeHead))
      #expect(rest.bytes.isEmpty && !rest.isReset)
      #expect(try await simulator.waitForEnd(of: 1).state == .broken)
      #expect(simulator.connections[0].end == .simulator)
    }
  }

  @Test(
    "A connection is reset",
    arguments: [TransportFault.resetBeforeHead, .resetAfterHead, .resetMidBody, .resetDuringUpload])
  func reset(_ fault: TransportFault) async throws {
    try await withSimulator { simulator in
      let rest = await Self.rest(of: try await Self.begin(simulator, fault))
      #expect(rest.isReset)
      let hasHead = fault == .resetAfterHead || fault == .resetMidBody
      #expect(Self.text(rest.bytes).hasPrefix("HTTP/1.1 200 OK\r\n") == hasHead)
      #expect(Self.text(rest.bytes).hasSuffix("\r\n\r\n") == (fault == .resetAfterHead))
      #expect(try await simulator.waitForEnd(of: 1).state == .broken)
    }
  }

  @Test(
    "A body is shorter than its length, or than its chunk",
    arguments: [TransportFault.truncatedBody, .truncatedChunked])
  func truncated(_ fault: TransportFault) async throws {
    try await withSimulator { simulator in
      let connection = try await Self.begin(simulator, fault)
      await #expect(throws: RawResponse.Incomplete.self) { try await connection.response() }
    }
  }

  @Test("Something else than HTTP is answered")
  func notHTTP() async throws {
    try await withSimulator { simulator in
      let rest = await Self.rest(of: try await Self.begin(simulator, .notHTTP))
      #expect(Self.text(rest.bytes).hasPrefix("220 "))
    }
  }

  // MARK: Stopped

  @Test(
    "A connection on which nothing happens is seen to be closed by the peer",
    arguments: [
      (TransportFault.stallBeforeHead, RequestRecord.State.received), (.stallAfterHead, .answering),
      (.stallMidBody, .answering), (.endlessBody, .answering), (.endlessHeaders, .answering),
      (.gzipBomb, .answering), (.slowDrip, .answering), (.hold, .received), (.holdMidBody, .answering),
      (.stallDuringUpload, .received), (.holdDuringUpload, .receiving),
    ])
  func stalls(_ fault: TransportFault, _ state: RequestRecord.State) async throws {
    try await withSimulator({ $0.dripMilliseconds = 1_000_000 }) { simulator in
      let connection = try await Self.begin(simulator, fault)
      let before = try await simulator.waitForRequest(1, reaching: state)
      #expect(before.state == state && before.times.closedByPeer == nil)
      let time = simulator.now
      connection.close()
      let after = try await simulator.waitForClose(of: 1)
      #expect(after.state == .closedByPeer)
      #expect(try #require(after.times.closedByPeer) >= time)
    }
  }

  @Test("Waiting out a latency does not keep from seeing the peer close or reset", arguments: [false, true])
  func latency(isReset: Bool) async throws {
    try await withSimulator { simulator in
      simulator.enqueue(ScenarioStep(latencyMilliseconds: 1_000_000))
      let connection = try RawConnection(port: simulator.port)
      try await connection.send(RawRequest.generate(prompt: "x").bytes)
      try await simulator.waitForRequest(1)
      if isReset { connection.reset() } else { connection.close() }
      #expect(try await simulator.waitForClose(of: 1).state == .closedByPeer)
      #expect(simulator.connections[0].end == (isReset ? .peerReset : .peer))
    }
  }

  @Test("A request that is not wholly there is seen to be given up")
  func uploadGivenUp() async throws {
    try await withSimulator { simulator in
      let connection = try RawConnection(port: simulator.port)
      let request = RawRequest.generate(prompt: "x")
      try await connection.send(request.head + request.body.prefix(10))
      try await simulator.waitForRequest(1, reaching: .receiving)
      connection.close()
      let record = try await simulator.waitForClose(of: 1)
      #expect(record.state == .closedByPeer && record.times.bodyComplete == nil)
    }
  }

  @Test("A held answer comes when it is released, before or after it is held", arguments: [false, true])
  func hold(isEarly: Bool) async throws {
    try await withSimulator { simulator in
      for (id, fault) in [(1, TransportFault.hold), (2, .holdMidBody), (3, .holdDuringUpload)] {
        simulator.enqueue(.transport(fault))
        let connection = try RawConnection(port: simulator.port)
        let request = RawRequest.generate(prompt: "x")
        try await connection.send(request.head)
        try await simulator.waitForRequest(id, reaching: .receiving)
        if isEarly { simulator.release(id) }
        try await connection.send(request.body)
        if !isEarly {
          let state: RequestRecord.State =
            switch fault {
            case .hold: .received
            case .holdMidBody: .answering
            default: .receiving
            }
          try await simulator.waitForRequest(id, reaching: state)
          simulator.release(id)
        }
        let response = try await connection.response()
        #expect(response.status == 200)
        #expect(try response.pictures.count == 1)
      }
    }
  }

  // MARK: Early

  /// More than the sockets between the two can hold.
  private static let large = RawRequest.generate(prompt: String(repeating: "x", count: 32 << 20))

  @Test("An error comes before the body was read, which is read all the same")
  func earlyResponse() async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.transport(.earlyResponse))
      let connection = try RawConnection(port: simulator.port)
      try await connection.send(Self.large.head)
      #expect(try await connection.response().status == 413)
      try await connection.send(Self.large.body)
      #expect(try await connection.exchange(.generate(prompt: "x")).status == 200)
      #expect(simulator.connections.count == 1)
    }
  }

  @Test("An error comes before the body was read, and the connection is closed")
  func earlyResponseAndClose() async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.transport(.earlyResponseAndClose))
      let connection = try RawConnection(port: simulator.port)
      try await connection.send(Self.large.head)
      let response = try await connection.response()
      #expect(response.status == 413 && response.header("Connection") == "close")
      await #expect(throws: SystemError.self) { try await connection.send(Self.large.body) }
    }
  }

  @Test("A body beyond the API's limit is refused by its length alone")
  func tooLarge() async throws {
    try await withSimulator { simulator in
      let connection = try RawConnection(port: simulator.port)
      var request = RawRequest.generate(prompt: "x")
      request.headers.append(("Content-Length", "104857601"))
      request.method = "GET"
      let head = String(decoding: request.head, as: UTF8.self).replacing("GET ", with: "POST ")
      try await connection.send(Array(head.utf8))
      let response = try await connection.response()
      #expect(response.status == 400)
      #expect(response.error?["message"]?.string?.contains("exceeds the limit: 104857600 bytes") == true)
    }
  }

  // MARK: Good in another way

  @Test(
    "A good answer may travel in many ways",
    arguments: [
      TransportFault.slowDrip, .hugeHeaders, .connectionClose, .surprisingClose, .chunked, .untilClose, .interim,
      .noContinue,
    ])
  func unusual(_ fault: TransportFault) async throws {
    try await withSimulator({ $0.dripMilliseconds = 0 }) { simulator in
      let connection = try await Self.begin(simulator, fault)
      let response = try await connection.response()
      #expect(response.status == 200)
      #expect(try PictureMarker(in: response.pictures[0]) == PictureMarker(prompt: "x", request: 1))
      #expect((response.header("Transfer-Encoding") == "chunked") == (fault == .chunked))
      #expect((response.headers.count > 64) == (fault == .hugeHeaders))
      let isLast = [.connectionClose, .surprisingClose, .untilClose].contains(fault)
      #expect((response.header("Connection") == "close") == (isLast && fault != .surprisingClose))
      if isLast {
        #expect(await Self.rest(of: connection).bytes.isEmpty)
      } else {
        #expect(try await connection.exchange(.generate(prompt: "y")).status == 200)
      }
    }
  }

  @Test("Redirects lead to the same server or elsewhere", arguments: [TransportFault.redirect, .redirectElsewhere])
  func redirects(_ fault: TransportFault) async throws {
    try await withSimulator { simulator in
      let response = try await Self.begin(simulator, fault).response()
      #expect(response.status == 302)
      let place = try #require(response.header("Location"))
      #expect(place.hasPrefix("/") == (fault == .redirect))
    }
  }

  @Test("An Expect: 100-continue is heeded unless it should not be", arguments: [false, true])
  func expectation(isHeeded: Bool) async throws {
    try await withSimulator { simulator in
      if !isHeeded { simulator.enqueue(.transport(.noContinue)) }
      var request = RawRequest.generate(prompt: "x")
      request.headers.append(("Expect", "100-continue"))
      let connection = try RawConnection(port: simulator.port)
      try await connection.send(request.head)
      if isHeeded { #expect(Self.text(try await connection.receive()) == "HTTP/1.1 100 Continue\r\n\r\n") }
      try await connection.send(request.body)
      #expect(Self.text(try await connection.receive()).hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test("Bytes that are no HTTP are refused")
  func garbage() async throws {
    try await withSimulator { simulator in
      let connection = try RawConnection(port: simulator.port)
      try await connection.send(Array("\u{16}\u{3}\u{1} hello\r\n\r\n".utf8))
      #expect(try await connection.response().status == 400)
    }
  }

  @Test("Requests sent at once are answered in their order")
  func pipelined() async throws {
    try await withSimulator { simulator in
      simulator.enqueue(ScenarioStep(latencyMilliseconds: 20), .success, ScenarioStep(latencyMilliseconds: 1))
      let connection = try RawConnection(port: simulator.port)
      try await connection.send(["a", "b", "c"].flatMap { RawRequest.generate(prompt: $0).bytes })
      for (index, prompt) in ["a", "b", "c"].enumerated() {
        let marker = try PictureMarker(in: await connection.response().pictures[0])
        #expect(marker == PictureMarker(prompt: prompt, request: index + 1))
      }
    }
  }
}
