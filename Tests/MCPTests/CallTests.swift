import AtelierProtocol
import Engine
import JSON
import ServiceFixture
import Support
import Testing

@testable import MCP

@Suite("The progress of a call")
struct ProgressTests {
  @Test(
    "the progress of a call rises strictly and stays below the total, whatever the work reports",
    arguments: 0..<50 as Range<UInt64>)
  func rises(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var progress = RisingProgress()
    var last = 0.0
    for _ in 0..<500 {
      guard let next = progress.next(Double(random.next() % 1_500) / 1_000 - 0.25) else { continue }
      #expect(next > last && next < Double(RisingProgress.total), "seed \(seed)")
      last = next
    }
    #expect(last > 0, "seed \(seed)")
  }
}

@Suite("A confirmation")
struct ConfirmationTests {
  private let fixture: ServiceFixture
  private let confirmation: CostConfirmation
  private let digest = CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "a boat"])
  private static let agreed: JSONValue = ["confirm": ["action": "accept", "content": ["ok": true]]]

  init() throws {
    fixture = try ServiceFixture()
    confirmation = CostConfirmation(surroundings: fixture.surroundings)
  }

  private func answer(_ state: JSONValue, _ responses: JSONValue = agreed) -> JSONObject {
    ["inputResponses": responses, "requestState": state]
  }

  private var state: JSONValue { confirmation.inquiry("Continue?", about: digest)["requestState"] ?? .null }

  @Test("a confirmation is what the person answered to the question about this call")
  func valid() {
    #expect(confirmation.verdict(in: answer(state), about: digest) == .agreed)
    for refusal: JSONValue in [
      ["confirm": ["action": "decline"]], ["confirm": ["action": "cancel"]],
      ["confirm": ["action": "accept", "content": ["ok": false]]],
      ["confirm": ["action": "accept"]], ["confirm": 5],
    ] {
      #expect(confirmation.verdict(in: answer(state, refusal), about: digest) == .declined)
    }
  }

  @Test("a confirmation counts for no other account, tool or arguments")
  func others() {
    let others = [
      CallDigest(account: "alice", tool: "create_picture", request: ["prompt": "a boat"]),
      CallDigest(account: .owner, tool: "edit_photo", request: ["prompt": "a boat"]),
      CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "a ship"]),
    ]
    for other in others { #expect(confirmation.verdict(in: answer(state), about: other) == nil) }
  }

  @Test("a confirmation counts neither after its time nor in another process")
  func expired() {
    let state = state
    var elsewhere = fixture.surroundings
    elsewhere.random = { 8 }
    #expect(CostConfirmation(surroundings: elsewhere).verdict(in: answer(state), about: digest) == nil)
    fixture.clock.advance(by: .milliseconds(CostConfirmation.lifetimeMs - 1))
    #expect(confirmation.verdict(in: answer(state), about: digest) == .agreed)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(confirmation.verdict(in: answer(state), about: digest) == nil)
  }

  @Test("a confirmation counts no more once a character of its state is changed")
  func tampered() throws {
    let text = try #require(state.string)
    for position in text.indices {
      var changed = text
      changed.replaceSubrange(position...position, with: text[position] == "A" ? "B" : "A")
      #expect(confirmation.verdict(in: answer(.string(changed)), about: digest) == nil)
    }
    for odd: JSONValue in ["", "AAAA", 5, .null, .string(String(repeating: "A", count: 100_000))] {
      #expect(confirmation.verdict(in: answer(odd), about: digest) == nil)
    }
  }
}

@Suite("Calls with the same arguments", .timeLimit(.minutes(2)))
struct StarterTests {
  private let fixture: ServiceFixture
  private let gate = Gate()
  private let digest = CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "a lighthouse"])

  init() throws { fixture = try ServiceFixture() }

  private func engine() throws -> TestEngine { try fixture.engine([ScriptedProvider(waitingAt: gate)]) }

  private func starter(_ engine: TestEngine, _ account: AccountID = .owner) -> GenerationStarter {
    GenerationStarter(engine: engine.engine, account: account, interest: CallInterest(engine: engine.engine))
  }

  private func finish(_ engine: TestEngine, _ id: GenerationID) async {
    gate.open()
    await engine.announcements.meet { all in
      all.contains { if case .finished(let generation, _) = $0 { generation.generationId == id } else { false } }
    }
  }

  @Test("equal calls join the generation while it is made, and receive its pictures if nobody has received them")
  func joins() async throws {
    let engine = try engine()
    let starter = starter(engine)
    #expect(try await starter.join(digest) == nil)
    let first = try await starter.start(.picture(), digest)
    #expect(try await starter.join(digest)?.generationId == first.generationId)
    await finish(engine, first.generationId)
    #expect(try await starter.join(digest)?.generationId == first.generationId)
    await starter.delivered(first.generationId)
    #expect(try await starter.join(digest) == nil)
    let second = try await starter.start(.picture(), digest)
    #expect(second.generationId != first.generationId)
    await engine.leave()
  }

  @Test("equal calls receive pictures that nobody has received for ten minutes, and no longer")
  func window() async throws {
    let engine = try engine()
    let starter = starter(engine)
    let first = try await starter.start(.picture(timeoutMs: 3_600_000), digest)
    await finish(engine, first.generationId)
    fixture.clock.advance(by: .milliseconds(GenerationStarter.windowMs - 1))
    #expect(try await starter.join(digest)?.generationId == first.generationId)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(try await starter.join(digest) == nil)
    await engine.leave()
  }

  @Test("equal calls join a generation under way across the edge of ten minutes, in any process", arguments: [false, true])
  func edge(inOtherProcess: Bool) async throws {
    let one = try engine()
    let other = inOtherProcess ? try engine() : one
    // The clock begins at the beginning of ten minutes.
    fixture.clock.advance(by: .milliseconds(GenerationStarter.windowMs - 1))
    let first = try await starter(one).start(.picture(timeoutMs: 3_600_000), digest)
    fixture.clock.advance(by: .milliseconds(1))
    // In the same process too a starter that remembers nothing, as after its own ten minutes.
    #expect(try await starter(other).join(digest)?.generationId == first.generationId)
    gate.open()
    await one.leave()
    if inOtherProcess { await other.leave() }
  }

  @Test("equal calls at the same moment start one generation, however many there are", arguments: [2, 9])
  func together(count: Int) async throws {
    let engine = try engine()
    let starter = starter(engine)
    let ids = try await withThrowingTaskGroup(of: GenerationID.self) { [digest] group in
      for _ in 0..<count {
        group.addTask {
          if let joined = try await starter.join(digest) { return joined.generationId }
          return try await starter.start(.picture(), digest).generationId
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    for id in ids { #expect(try await engine.status(id) != nil) }
    gate.open()
    await engine.leave()
  }

  @Test("equal calls join a generation that another process makes, but not one that has ended")
  func otherProcess() async throws {
    let (one, other) = (try engine(), try engine())
    let first = try await starter(one).start(.picture(), digest)
    #expect(try await starter(other).join(digest)?.generationId == first.generationId)
    #expect(try await starter(other, "alice").join(digest) == nil)
    await finish(one, first.generationId)
    #expect(try await starter(other).join(digest) == nil)
    await one.leave()
    await other.leave()
  }

  @Test("equal calls make another picture when the first was deleted from history")
  func deleted() async throws {
    let engine = try engine()
    let starter = starter(engine)
    let first = try await starter.start(.picture(), digest)
    await finish(engine, first.generationId)
    _ = try await engine.engine.deleteHistory(
      HistoryDelete(target: .generation(first.generationId, account: nil)), for: Caller())
    #expect(try await starter.join(digest) == nil)
    #expect(try await starter.start(.picture(), digest).generationId != first.generationId)
    await engine.leave()
  }

  @Test("equal calls are answered at the end of the generation, or as it is when the time is over")
  func waits() async throws {
    let engine = try engine()
    let started = try await starter(engine).start(.picture(), digest)
    let impatient = try await engine.engine.generation(started.generationId, for: Caller(), waitingMs: 0)
    #expect(!impatient.state.isFinal)
    let waiting = Task { try await engine.engine.generation(started.generationId, for: Caller(), waitingMs: 40_000) }
    gate.open()
    #expect(try await waiting.value.state == .succeeded)
    await engine.leave()
  }

  @Test("equal calls are answered with the generation as it stands when the process leaves it to another one")
  func leaving() async throws {
    let engine = try fixture.engine([ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate)])
    let starter = starter(engine)
    _ = try await starter.start(
      .picture("one"), CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "one"]))
    await gate.hasSeen()
    let second = try await starter.start(.picture("two"), digest)
    let call = Caller(of: .owner, telling: "call")
    let waiting = Task { try await engine.engine.generation(second.generationId, for: call, waitingMs: 40_000) }
    await engine.announcements.meet { all in
      all.contains { if case .progress(let progress, _) = $0 { progress.requestId == "call" } else { false } }
    }
    await engine.generations.abandon()
    #expect(try await waiting.value.state == .queued)
    await engine.leave()
  }

  @Test("equal calls leave the generation when the wait is cancelled")
  func cancelledWait() async throws {
    let engine = try engine()
    let started = try await starter(engine).start(.picture(), digest)
    let waiting = Task { try await engine.engine.generation(started.generationId, for: Caller(), waitingMs: 40_000) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try await engine.status(started.generationId)?.state.isFinal == false)
    gate.open()
    await engine.leave()
  }
}
