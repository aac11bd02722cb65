import AtelierProtocol
import Engine
import JSON
import JSONRPC
import ServiceFixture
import Support
import Synchronization
import Testing

@testable import MCP

/// Gives other tasks their turn until `condition` holds.
private func until(_ condition: @Sendable () async throws -> Bool) async throws {
  while try await !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}

@Suite("A call that the client cancels", .timeLimit(.minutes(2)))
struct InterestTests {
  private static let grace = Duration.milliseconds(CallInterest.graceMs)

  private let fixture: ServiceFixture
  private let gate = Gate()
  private let digest = CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "a lighthouse"])

  init() throws { fixture = try ServiceFixture() }

  /// One server and its client's calls.
  private struct Server {
    let engine: TestEngine
    let interest: CallInterest
    let starter: GenerationStarter

    func giveUp(_ id: GenerationID) async {
      await interest.end(in: id)
      await interest.giveUp(id)
    }
  }

  private func server(slots: Int = 4) throws -> Server {
    let far = FarProvider(isCutOff: false) { [gate] _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([far.provider(maximumConcurrentImages: slots)])
    let interest = CallInterest(engine: engine.engine)
    return Server(
      engine: engine, interest: interest,
      starter: GenerationStarter(engine: engine.engine, account: .owner, interest: interest))
  }

  /// A generation whose request was sent.
  private func sent(_ server: Server) async throws -> GenerationID {
    let id = try await server.starter.start(.picture(timeoutMs: 3_600_000), digest).generationId
    await gate.hasSeen()
    return id
  }

  /// Lets the time pass in which a given-up generation can still be joined, and returns once its end is decided.
  private func letGraceEnd(_ server: Server) async throws {
    await fixture.clock.someoneSleeps(for: Self.grace)
    fixture.clock.advance(by: Self.grace)
    try await until { await server.interest.endingCount == 0 }
  }

  private func state(_ id: GenerationID, _ server: Server) async throws -> GenerationState? {
    try await server.engine.status(id)?.state
  }

  @Test("a cancelled call ends what was sent only after some seconds, and then for good")
  func alone() async throws {
    let server = try server()
    let id = try await sent(server)
    await server.giveUp(id)
    await fixture.clock.someoneSleeps(for: Self.grace)
    fixture.clock.advance(by: Self.grace - .milliseconds(1))
    #expect(try await state(id, server) == .running)
    fixture.clock.advance(by: .milliseconds(1))
    try await until { try await state(id, server) == .cancelled }
    #expect(try await server.starter.join(digest) == nil)
    #expect(try await server.starter.start(.picture(), digest).generationId != id)
    gate.open()
    await server.engine.leave()
  }

  @Test("a cancelled call is joined by the same call within these seconds, and nothing is sent twice")
  func joined() async throws {
    let server = try server()
    let id = try await sent(server)
    for _ in 0..<3 {
      await server.giveUp(id)
      await fixture.clock.someoneSleeps(for: Self.grace)
      fixture.clock.advance(by: Self.grace - .milliseconds(1))
      #expect(try await server.starter.join(digest)?.generationId == id)
    }
    fixture.clock.advance(by: Self.grace)
    #expect(try await state(id, server) == .running)
    gate.open()
    try await until { try await state(id, server) == .succeeded }
    #expect(gate.arrivals == 1)
    await server.engine.leave()
  }

  @Test("a cancelled call ends what was not sent at once: it costs nothing to make again")
  func unsent() async throws {
    let server = try server(slots: 1)
    let first = try await sent(server)
    let other = CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "another"])
    let second = try await server.starter.start(.picture("another"), other).generationId
    await server.giveUp(second)
    try await until { try await state(second, server) == .cancelled }
    #expect(try await state(first, server) == .running)
    gate.open()
    await server.engine.leave()
  }

  @Test(
    "a cancelled call leaves the generation to the calls of another server; the last one to be cancelled ends it",
    arguments: [false, true])
  func servers(firstGivesUpFirst: Bool) async throws {
    let (one, other) = (try server(), try server())
    let id = try await sent(one)
    #expect(try await other.starter.join(digest)?.generationId == id)
    let (early, late) = firstGivesUpFirst ? (one, other) : (other, one)
    await early.giveUp(id)
    try await letGraceEnd(early)
    #expect(try await state(id, late) == .running)
    await late.giveUp(id)
    try await letGraceEnd(late)
    try await until { try await state(id, late) == .cancelled }
    gate.open()
    await one.engine.leave()
    await other.engine.leave()
  }

  @Test("a cancelled call does not wait for the calls of a server that is gone")
  func gone() async throws {
    let (one, other) = (try server(), try server())
    let id = try await sent(one)
    #expect(try await other.starter.join(digest)?.generationId == id)
    await other.engine.leave()
    await one.giveUp(id)
    try await letGraceEnd(one)
    try await until { try await state(id, one) == .cancelled }
    gate.open()
    await one.engine.leave()
  }

  @Test("a cancelled call leaves the generation to another call or task of its own client")
  func own() async throws {
    let server = try server()
    let id = try await sent(server)
    #expect(try await server.starter.join(digest)?.generationId == id)
    await server.giveUp(id)
    #expect(await server.interest.endingCount == 0)
    await server.interest.beginTask(id)
    await server.giveUp(id)
    #expect(await server.interest.endingCount == 0)
    await server.interest.endTask(id)
    await server.interest.giveUp(id)
    try await letGraceEnd(server)
    try await until { try await state(id, server) == .cancelled }
    gate.open()
    await server.engine.leave()
  }

  @Test("a cancelled call leaves to the client of another server what that has been told to fetch later")
  func handle() async throws {
    let (one, other) = (try server(), try server())
    let id = try await sent(one)
    // Its call was answered that the work goes on.
    await one.interest.end(in: id)
    #expect(try await other.starter.join(digest)?.generationId == id)
    await other.giveUp(id)
    try await letGraceEnd(other)
    #expect(try await state(id, one) == .running)
    gate.open()
    await one.engine.leave()
    await other.engine.leave()
  }

  @Test(
    "a cancelled call ends a generation exactly when the last call of all servers is given up",
    arguments: 0..<12 as Range<UInt64>)
  func random(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let servers = [try server(), try server()]
    let id = try await sent(servers[0])
    // A server whose client has given up nothing yet keeps its interest, also when its calls have been answered.
    var calls = [1, 0]
    var hasInterest = [true, false]
    for _ in 0..<12 where hasInterest.contains(true) {
      let who = Int(random.next() % 2)
      if random.next() % 3 == 0 {
        #expect(try await servers[who].starter.join(digest)?.generationId == id, "seed \(seed)")
        calls[who] += 1
        hasInterest[who] = true
      } else if calls[who] > 0 {
        calls[who] -= 1
        await servers[who].giveUp(id)
        if calls[who] == 0 {
          try await letGraceEnd(servers[who])
          hasInterest[who] = false
        }
      }
      let state = try await state(id, servers[1])
      #expect(state == (hasInterest.contains(true) ? .running : .cancelled), "seed \(seed)")
    }
    gate.open()
    for server in servers { await server.engine.leave() }
  }
}

@Suite("What a client says when it cancels a call", .timeLimit(.minutes(2)))
struct CancelReasonTests {
  private static let call: JSONValue = ["name": "create_picture", "arguments": ["prompt": "a lighthouse"]]

  @Test(
    "the reason that a client gives for cancelling decides nothing: the same call joins in any case",
    arguments: [
      "timed out after 30s", "Délai dépassé", "AbortError: This operation was aborted", "context deadline exceeded",
      "the person pressed Esc", "", nil, 5, ["code": -32001],
    ] as [JSONValue])
  func reasons(reason: JSONValue) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let far = FarProvider(isCutOff: false) { _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let (mine, theirs) = InMemoryTransport.pair(capacity: 1 << 20)
    let announcing = Mutex<(@Sendable (Announcement) -> Void)?>(nil)
    let engine = try fixture.engine([far.provider()]) { announcement in announcing.withLock { $0 }?(announcement) }
    let host = MCPHost(transport: mine, limits: ConnectionLimits(), settings: MCPSettings()) { announce in
      announcing.withLock { $0 = announce }
      return engine.engine
    }
    let client = TestHost(theirs)
    let life = Task { await host.run() }
    _ = try await client.call(1, "initialize", ["protocolVersion": "2025-11-25", "capabilities": [:]])
    try client.ask(2, "tools/call", Self.call)
    await gate.hasSeen()
    try client.notify("notifications/cancelled", ["requestId": 2, "reason": reason])
    await fixture.clock.someoneSleeps(for: .milliseconds(CallInterest.graceMs))
    try client.ask(3, "tools/call", Self.call)
    // The call has joined once the end is not waited for any more.
    try await until { fixture.clock.sleepers(for: .milliseconds(CallInterest.graceMs)) == 0 }
    gate.open()
    let answer = await client.answer(to: 3)
    #expect(answer?["result"]?["structuredContent"]?["state"] == "succeeded", "\(String(describing: answer))")
    #expect(gate.arrivals == 1)
    client.closeInput()
    #expect(await client.rest().allSatisfy { $0["id"] != 2 })
    _ = await life.value
  }
}
