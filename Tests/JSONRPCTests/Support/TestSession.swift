import Support

@testable import JSON
@testable import JSONRPC

/// A connection in memory with a peer at its other end.
struct TestSession {
  let peer: TestPeer
  let handler = TestHandler()
  let connection: Connection
  let clock = ManualClock()
  private let life: Task<ConnectionEnd, Never>

  init(
    framing: FramingChoice = .automatic, peerFraming: Framing = .lines, limits: ConnectionLimits = ConnectionLimits(),
    capacity: Int = 1 << 24, peerReads: Bool = true, trace: WireTrace? = nil
  ) throws {
    let (mine, theirs) = InMemoryTransport.pair(capacity: capacity)
    peer = try TestPeer(theirs, framing: peerFraming, reads: peerReads)
    let connection = Connection(
      transport: mine, framing: framing, limits: limits, handler: handler, trace: trace, clock: clock.timer)
    self.connection = connection
    life = Task {
      let end = await connection.run()
      await connection.finish(within: .seconds(1))
      return end
    }
  }

  /// Waits until the connection has ended and everything is written.
  func end() async -> ConnectionEnd { await life.value }
}

/// What an answer says, in short: the id and the result or the error code.
struct Answer: Equatable, CustomStringConvertible {
  var id: JSONValue
  var code: Int64?

  init(_ id: JSONValue, _ code: Int64? = nil) {
    self.id = id
    self.code = code
  }

  init?(reading message: JSONValue) {
    guard message["jsonrpc"] == "2.0", let id = message["id"] else { return nil }
    guard (message["result"] == nil) != (message["error"] == nil) else { return nil }
    if let error = message["error"] {
      guard let code = error["code"]?.int64, error["message"]?.string?.hasSuffix(".") == true else { return nil }
      self.code = code
    }
    self.id = id
  }

  var description: String { "\(id.serializedText): \(code.map(String.init) ?? "result")" }
}
