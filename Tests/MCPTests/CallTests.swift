import AtelierProtocol
import Engine
import JSON
import ServiceFixture
import StatementCounting
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

  private static let number = CallNumber(window: 7, number: 12)

  private var state: JSONValue {
    confirmation.inquiry("Continue?", about: digest, Self.number)["requestState"] ?? .null
  }

  @Test("a confirmation is what the person answered to the question about this call and its number")
  func valid() {
    let agreed = CostConfirmation.Answer(verdict: .agreed, number: Self.number)
    #expect(confirmation.answer(in: answer(state), about: digest) == agreed)
  }

  @Test("a confirmation is told from a refusal, and both from an answer of which nobody knows who gave it", arguments: [
    (["action": "accept", "content": ["ok": true]], .agreed), (["action": "accept", "content": ["ok": "true"]], .agreed),
    (["action": "accept", "content": ["ok": " True "]], .agreed),
    (["action": "accept", "content": ["ok": false]], .declined),
    (["action": "accept", "content": ["ok": "false"]], .declined),
    (["action": "decline"], .declined), (["action": "cancel"], .declined),
    (["action": "decline", "content": ["ok": true]], .declined),
    ([:], .unasked), (5, .unasked), (["action": "accept"], .unasked), (["action": "accept", "content": [:]], .unasked),
    (["action": "accept", "content": ["ok": "yes"]], .unasked), (["action": "accept", "content": ["ok": 1]], .unasked),
    (["action": "other", "content": ["ok": true]], .unasked), (["content": ["ok": true]], .unasked),
  ] as [(JSONValue, CostConfirmation.Verdict)])
  func verdicts(response: JSONValue, verdict: CostConfirmation.Verdict) {
    let answer = CostConfirmation.Answer(verdict: verdict, number: Self.number)
    #expect(confirmation.answer(in: self.answer(state, ["confirm": response]), about: digest) == answer)
  }

  @Test("a confirmation counts for no other account, tool or arguments")
  func others() {
    let others = [
      CallDigest(account: "alice", tool: "create_picture", request: ["prompt": "a boat"]),
      CallDigest(account: .owner, tool: "edit_photo", request: ["prompt": "a boat"]),
      CallDigest(account: .owner, tool: "create_picture", request: ["prompt": "a ship"]),
    ]
    for other in others { #expect(confirmation.answer(in: answer(state), about: other) == nil) }
  }

  @Test("a confirmation counts neither after its time nor in another process")
  func expired() {
    let state = state
    var elsewhere = fixture.surroundings
    elsewhere.random = { 8 }
    #expect(CostConfirmation(surroundings: elsewhere).answer(in: answer(state), about: digest) == nil)
    fixture.clock.advance(by: .milliseconds(CostConfirmation.lifetimeMs - 1))
    #expect(confirmation.answer(in: answer(state), about: digest)?.verdict == .agreed)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(confirmation.answer(in: answer(state), about: digest) == nil)
  }

  @Test("a confirmation counts no more once a character of its state is changed")
  func tampered() throws {
    let text = try #require(state.string)
    for position in text.indices {
      var changed = text
      changed.replaceSubrange(position...position, with: text[position] == "A" ? "B" : "A")
      #expect(confirmation.answer(in: answer(.string(changed)), about: digest) == nil)
    }
    for odd: JSONValue in ["", "AAAA", 5, .null, .string(String(repeating: "A", count: 100_000))] {
      #expect(confirmation.answer(in: answer(odd), about: digest) == nil)
    }
  }
}

@Suite("The digest of a call")
struct DigestTests {
  private func digest(_ tool: String, _ arguments: JSONObject) throws -> CallDigest {
    let tool = try #require(Tool.named(tool))
    guard case .make(let params) = tool.work else { throw CancellationError() }
    let request = try params(try Arguments(arguments, for: tool), MCPSettings())
    let asked = try JSONValueDecoder(unknownMembers: .reject).decode(Generate.self, from: .object(request))
    return try CallDigest(account: .owner, tool: tool.name, request: asked)
  }

  @Test("the digest of a call is the same whether a default of every provider is written or left out", arguments: [
    ("create_picture", ["prompt": "a boat"], ["prompt": "a boat", "count": 1]),
    ("create_picture", ["prompt": "a boat"], ["prompt": " a boat\n", "count": "1"]),
    ("create_picture", ["prompt": "a boat", "count": 2], ["count": "2", "prompt": "a boat ", "folder": .null]),
    ("find_places", ["prompt": "cafes"], ["prompt": "cafes", "limit": "10"]),
    ("find_places", ["prompt": "cafes", "near": "Austin"], ["prompt": "cafes", "near": " Austin "]),
    ("make_headshot", ["photo": "/a.jpg"], ["photo": "/a.jpg", "background": "auto", "matte": "none"]),
    ("make_headshot", ["photo": "/a.jpg", "shape": "passport"],
      ["photo": "/a.jpg", "shape": "passport", "background": "white"]),
    ("change_hairstyle", ["photo": "/a.jpg", "description": "bob"],
      ["photo": "/a.jpg", "description": "bob", "views": "front", "count": 1]),
  ] as [(String, JSONObject, JSONObject)])
  func same(tool: String, one: JSONObject, other: JSONObject) throws {
    #expect(try digest(tool, one) == digest(tool, other))
  }

  @Test("the digest of a call is another one for what may make another picture", arguments: [
    ("create_picture", ["prompt": "a boat"], ["prompt": "a boat", "count": 2]),
    ("create_picture", ["prompt": "a boat"], ["prompt": "a  boat"]),
    ("create_picture", ["prompt": "a boat"], ["prompt": "a boat", "aspect_ratio": "1:1"]),
    ("find_places", ["prompt": "cafes"], ["prompt": "cafes", "limit": 9]),
    ("make_headshot", ["photo": "/a.jpg"], ["photo": "/a.jpg", "background": "white"]),
    ("make_headshot", ["photo": "/a.jpg"], ["photo": "/b.jpg"]),
  ] as [(String, JSONObject, JSONObject)])
  func other(tool: String, one: JSONObject, other: JSONObject) throws {
    #expect(try digest(tool, one) != digest(tool, other))
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

  @Test("an equal call asks the store no more after fifty of them than after two")
  func statements() async throws {
    let engine = try engine()
    gate.open()
    let starter = starter(engine)
    let store = try await engine.engine.lazyStore.store()
    func call() async throws -> Int {
      let counter = StatementCounter()
      counter.attach(to: store)
      #expect(try await starter.join(digest) == nil)
      let id = try await starter.start(.picture(), digest).generationId
      let count = counter.statements.count
      await finish(engine, id)
      await starter.delivered(id)
      return count
    }
    _ = try await call()
    let second = try await call()
    for _ in 3..<50 { _ = try await call() }
    // What the generation itself writes may be among them, or not yet.
    let last = try await call()
    #expect(last < second + 40, "\(second) at the second call, \(last) at the last one")
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

  @Test("equal calls with one number make one generation, in any process, before and after its pictures are received")
  func numbered() async throws {
    let (one, other) = (try engine(), try engine())
    let starter = starter(one)
    let number = try await starter.nextNumber(of: digest)
    let id = try await starter.start(.picture(), digest, as: number)?.generationId
    #expect(try await starter.start(.picture(), digest, as: number)?.generationId == id)
    await finish(one, try #require(id))
    await starter.delivered(try #require(id))
    for _ in 0..<4 {
      #expect(try await starter.start(.picture(), digest, as: number)?.generationId == id)
      #expect(try await self.starter(other).start(.picture(), digest, as: number)?.generationId == id)
      await starter.delivered(try #require(id))
    }
    let next = try await starter.nextNumber(of: digest)
    #expect(next != number)
    #expect(try await starter.start(.picture(), digest, as: next)?.generationId != id)
    await one.leave()
    await other.leave()
  }

  @Test("equal calls have no generation under a number whose generation was cancelled or deleted, and another number then")
  func lostNumber() async throws {
    let engine = try engine()
    let starter = starter(engine)
    let cancelled = try await starter.nextNumber(of: digest)
    let first = try #require(try await starter.start(.picture(), digest, as: cancelled))
    _ = try await engine.generations.cancel(Cancel(target: .id(first.generationId)), for: Caller())
    #expect(try await starter.start(.picture(), digest, as: cancelled) == nil)
    gate.open()
    let deleted = try await starter.nextNumber(of: digest)
    #expect(deleted != cancelled)
    let second = try #require(try await starter.start(.picture(), digest, as: deleted))
    await finish(engine, second.generationId)
    _ = try await engine.engine.deleteHistory(
      HistoryDelete(target: .generation(second.generationId, account: nil)), for: Caller())
    #expect(try await starter.start(.picture(), digest, as: deleted) == nil)
    let next = try await starter.nextNumber(of: digest)
    #expect(next != deleted && next != cancelled)
    #expect(try await starter.start(.picture(), digest, as: next) != nil)
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
