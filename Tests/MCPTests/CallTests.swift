import AtelierProtocol
import Engine
import JSON
import ServiceFixture
import Support
import Testing

@testable import MCP

@Suite("The progress of a call")
struct ProgressTests {
  @Test("rises strictly and stays below the total, whatever the work reports", arguments: 0..<50 as Range<UInt64>)
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
  private let house: ServiceFixture
  private let confirmation: CostConfirmation
  private let digest = CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "a boat"])
  private static let agreed: JSONValue = ["confirm": ["action": "accept", "content": ["ok": true]]]

  init() throws {
    house = try ServiceFixture()
    confirmation = CostConfirmation(surroundings: house.surroundings)
  }

  private func answer(_ state: JSONValue, _ responses: JSONValue = agreed) -> JSONObject {
    ["inputResponses": responses, "requestState": state]
  }

  private var state: JSONValue { confirmation.inquiry("Continue?", about: digest)["requestState"] ?? .null }

  @Test("is what the person answered to the question about this call")
  func valid() {
    #expect(confirmation.verdict(in: answer(state), about: digest) == .agreed)
    for refusal: JSONValue in [
      ["confirm": ["action": "decline"]], ["confirm": ["action": "cancel"]], ["confirm": ["action": "accept", "content": ["ok": false]]],
      ["confirm": ["action": "accept"]], ["confirm": 5],
    ] {
      #expect(confirmation.verdict(in: answer(state, refusal), about: digest) == .declined)
    }
  }

  @Test("counts for no other account, tool or arguments")
  func others() {
    let others = [
      CallDigest(account: "alice", tool: "create_picture", request: ["prompt": "a boat"]),
      CallDigest(account: .owner, tool: "edit_photo", request: ["prompt": "a boat"]),
      CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "a ship"]),
    ]
    for other in others { #expect(confirmation.verdict(in: answer(state), about: other) == nil) }
  }

  @Test("counts neither after its time nor in another process")
  func expired() {
    let state = state
    var elsewhere = house.surroundings
    elsewhere.random = { 8 }
    #expect(CostConfirmation(surroundings: elsewhere).verdict(in: answer(state), about: digest) == nil)
    house.clock.advance(by: .milliseconds(CostConfirmation.lifetimeMs - 1))
    #expect(confirmation.verdict(in: answer(state), about: digest) == .agreed)
    house.clock.advance(by: .milliseconds(1))
    #expect(confirmation.verdict(in: answer(state), about: digest) == nil)
  }

  @Test("counts no more once a character of its state is changed")
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
  private let house: ServiceFixture
  private let gate = Gate()
  private let digest = CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "a lighthouse"])

  init() throws { house = try ServiceFixture() }

  private func engine() throws -> TestEngine { try house.engine([ScriptedProvider(waitingAt: gate)]) }

  private func finish(_ engine: TestEngine, _ id: GenerationID) async {
    gate.open()
    await engine.announcements.meet { all in
      all.contains { if case .finished(let generation, _) = $0 { generation.generationId == id } else { false } }
    }
  }

  @Test("join the generation while it is made, and receive its pictures if nobody has received them")
  func joins() async throws {
    let engine = try engine()
    let starter = GenerationStarter(engine: engine.engine, account: .owner)
    #expect(try await starter.joinable(digest) == nil)
    let first = try await starter.start(.picture(), digest)
    #expect(try await starter.joinable(digest)?.generationId == first.generationId)
    await finish(engine, first.generationId)
    #expect(try await starter.joinable(digest)?.generationId == first.generationId)
    await starter.delivered(first.generationId)
    #expect(try await starter.joinable(digest) == nil)
    let second = try await starter.start(.picture(), digest)
    #expect(second.generationId != first.generationId)
    await engine.leave()
  }

  @Test("at the same moment start one generation")
  func together() async throws {
    let engine = try engine()
    let starter = GenerationStarter(engine: engine.engine, account: .owner)
    async let first = starter.start(.picture(), digest)
    async let second = starter.start(.picture(), digest)
    #expect(try await first.generationId == second.generationId)
    gate.open()
    await engine.leave()
  }

  @Test("join a generation that another process makes, but not one that has ended")
  func otherProcess() async throws {
    let (one, other) = (try engine(), try engine())
    let first = try await GenerationStarter(engine: one.engine, account: .owner).start(.picture(), digest)
    let starter = GenerationStarter(engine: other.engine, account: .owner)
    #expect(try await starter.joinable(digest)?.generationId == first.generationId)
    #expect(try await GenerationStarter(engine: other.engine, account: "alice").joinable(digest) == nil)
    await finish(one, first.generationId)
    #expect(try await GenerationStarter(engine: other.engine, account: .owner).joinable(digest) == nil)
    await one.leave()
    await other.leave()
  }

  @Test("make another picture when the first was deleted from history")
  func deleted() async throws {
    let engine = try engine()
    let starter = GenerationStarter(engine: engine.engine, account: .owner)
    let first = try await starter.start(.picture(), digest)
    await finish(engine, first.generationId)
    _ = try await engine.engine.deleteHistory(
      HistoryDelete(target: .generation(first.generationId, account: nil)), for: Caller())
    #expect(try await starter.joinable(digest) == nil)
    #expect(try await starter.start(.picture(), digest).generationId != first.generationId)
    await engine.leave()
  }

  @Test("end the wait of one call without cancelling that of another")
  func waiting() async throws {
    let starter = GenerationStarter(engine: try engine().engine, account: .owner)
    await starter.beginWaiting(for: "gen_1")
    await starter.beginWaiting(for: "gen_1")
    #expect(await starter.endWaiting(for: "gen_1") == false)
    #expect(await starter.endWaiting(for: "gen_1"))
  }

  @Test("are answered at the end of the generation, or as it is when the time is over")
  func waits() async throws {
    let engine = try engine()
    let started = try await GenerationStarter(engine: engine.engine, account: .owner).start(.picture(), digest)
    let impatient = try await engine.engine.generation(started.generationId, for: Caller(), waitingMs: 0)
    #expect(!impatient.state.isFinal)
    let waiting = Task { try await engine.engine.generation(started.generationId, for: Caller(), waitingMs: 40_000) }
    gate.open()
    #expect(try await waiting.value.state == .succeeded)
    await engine.leave()
  }

  @Test("are answered with the generation as it stands when the process leaves it to another one")
  func leaving() async throws {
    let engine = try house.engine([ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate)])
    let starter = GenerationStarter(engine: engine.engine, account: .owner)
    _ = try await starter.start(.picture("one"), CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "one"]))
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

  @Test("leave the generation when the wait is cancelled")
  func cancelledWait() async throws {
    let engine = try engine()
    let started = try await GenerationStarter(engine: engine.engine, account: .owner).start(.picture(), digest)
    let waiting = Task { try await engine.engine.generation(started.generationId, for: Caller(), waitingMs: 40_000) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try await engine.status(started.generationId)?.state.isFinal == false)
    gate.open()
    await engine.leave()
  }
}
