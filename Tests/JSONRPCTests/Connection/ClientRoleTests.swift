import JSON
import POSIX
import Support
import Testing

@testable import JSONRPC

/// A connection that asks, in memory, with a peer whose pipes hold few bytes.
@Suite("A connection that asks", .timeLimit(.minutes(1)))
struct ClientRoleTests {
  private let peer: InMemoryTransport
  private let connection: Connection
  private let handler = ReadingHandler()
  private let clock = ManualClock()
  private let finishTimeout: Duration

  init() {
    let (client, peer) = InMemoryTransport.pair(capacity: 64)
    self.peer = peer
    var limits = ConnectionLimits()
    limits.maximumOutgoingBytes = 1_000
    limits.drainTimeout = .zero
    finishTimeout = limits.finishTimeout
    connection = Connection(
      transport: client, role: .client, framing: .fixed(.lines), limits: limits, handler: handler, clock: clock.timer)
  }

  /// A thread of its own waits for the bytes: in the pool, it would keep the one from working that writes them.
  private func read(_ count: Int) async throws {
    let done = Promise<Void>()
    try DedicatedThread.start { [peer] in
      var rest = count
      while rest > 0 {
        var buffer = [UInt8](repeating: 0, count: rest)
        rest -= peer.read(into: &buffer)
      }
      done.fulfil(())
    }
    _ = await done.value()
  }

  @Test("a sender waits while too much is unwritten, and goes on once half of it is written")
  func room() async throws {
    let running = Task { await connection.run() }
    let request = connection.makeRequest("ask", .string(String(repeating: "a", count: 2_000)))
    let answered = SharedState<Result<JSONValue, ResponseError>?>(nil)
    connection.send(request) { answer in
      answered.change { $0 = answer.mapError { $0 as? ResponseError ?? .internalError } }
    }
    let hasRoom = SharedState(false)
    let waiting = Task {
      await connection.waitForRoom()
      hasRoom.change { $0 = true }
    }
    // A task that is cancelled does not wait.
    let cancelled = Task { await connection.waitForRoom() }
    cancelled.cancel()
    await cancelled.value
    #expect(!hasRoom.value)
    try await read(request.byteCount + 1)
    await waiting.value
    #expect(hasRoom.value)
    try peer.write(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}\n".utf8))
    try await answered.wait { $0 != nil }
    #expect(answered.value == .success(7))
    peer.closeOutput()
    #expect(await running.value == .inputEnded(hasReader: true))
  }

  @Test("a client reads on while nobody reads what it writes")
  func readsOn() async throws {
    let running = Task { await connection.run() }
    for _ in 0..<10 { connection.notify("tell", .string(String(repeating: "a", count: 1_000))) }
    try peer.write(Array("{\"jsonrpc\":\"2.0\",\"method\":\"news\"}\n".utf8))
    try await handler.methods.wait { $0 == ["news"] }
    peer.output.closeWriter()
    _ = await running.value
  }

  @Test("a peer that has stopped reading is heard out; what is sent later fails")
  func halfClosed() async throws {
    let running = Task { await connection.run() }
    async let answer = connection.request("ask", [:])
    try await read(46)
    peer.input.closeReader()
    connection.notify("tell", [:])
    try peer.write(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}\n".utf8))
    #expect(try await answer == 7)
    await clock.someoneSleeps(for: finishTimeout)
    clock.advance(by: finishTimeout)
    #expect(await running.value == .outputFailed)
    await #expect(throws: ResponseError.connectionClosed) { try await connection.request("ask", [:]) }
  }

  @Test("bytes that are no message are told to the handler")
  func unreadable() async throws {
    let running = Task { await connection.run() }
    try peer.write(Array("nonsense\n".utf8))
    try await handler.unreadable.wait { $0 == 1 }
    peer.closeOutput()
    _ = await running.value
  }

  @Test("a request in a task that is cancelled is not sent, and a cancel of one that is answered is none")
  func cancelled() async throws {
    let running = Task { await connection.run() }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await connection.request("ask", [:])
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    connection.cancelRequest(1)
    connection.notify("last", [:])
    try await read(#"{"jsonrpc":"2.0","method":"last","params":{}}"#.utf8.count + 1)
    peer.closeOutput()
    _ = await running.value
  }
}

/// Notes what arrives.
private final class ReadingHandler: ConnectionHandler {
  let methods = SharedState<[String]>([])
  let unreadable = SharedState(0)

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    .answered(.failure(.methodNotFound(request.method)))
  }

  func receive(_ notification: JSONRPC.Notification, on connection: Connection) {
    methods.change { $0.append(notification.method) }
  }

  func receiveUnreadable(_ reason: String, on connection: Connection) { unreadable.change { $0 += 1 } }
}
