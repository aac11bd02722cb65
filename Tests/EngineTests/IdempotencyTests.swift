import AtelierProtocol
import ServiceFixture
import Testing

@testable import Engine

@Suite("Idempotency keys", .timeLimit(.minutes(3)))
struct IdempotencyTests {
  @Test("the same key joins what is running: one generation, one answer for both")
  func joinsRunning() async throws {
    let gate = Gate()
    let provider = ScriptedProvider(waitingAt: gate)
    let engine = try ServiceFixture().engine([provider])
    let first = engine.generate(.picture(key: "k"))
    await gate.hasSeen()
    let second = engine.generate(.picture(key: "k"))
    try await until { await engine.generations.waiterCount(of: "gen_1") == 2 }
    gate.open()
    let (one, other) = (try await first.value, try await second.value)
    #expect(one == other)
    #expect(one.result?.generationId == "gen_1")
    #expect(provider.requests.count == 1)
    await engine.leave()
  }

  @Test("the same key gives what has ended, also in another process", arguments: [false, true])
  func joinsEnded(inline: Bool) async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    /// The thumbnail is made later than the answer.
    func answer(of engine: TestEngine) async throws -> Generation {
      var answer = try await engine.generations.generate(.picture(inline: inline, key: "k"), for: Caller())
      answer.thumbnail = nil
      return answer
    }
    let first = try await answer(of: engine)
    #expect(try await answer(of: engine) == first)
    await engine.leave()
    let provider = ScriptedProvider()
    let later = try fixture.engine([provider])
    #expect(try await answer(of: later) == first)
    #expect(provider.requests.isEmpty)
    await later.leave()
  }

  @Test("a failure is repeated, not tried again")
  func repeatsFailure() async throws {
    let provider = ScriptedProvider { _, _ in throw AtelierError(.contentBlocked) }
    let engine = try ServiceFixture().engine([provider])
    for _ in 0..<2 {
      let error = await #expect(throws: AtelierError.self) {
        try await engine.generations.generate(.picture(key: "k"), for: Caller())
      }
      #expect(error?.kind == .contentBlocked)
      #expect(error?.generationId == "gen_1")
    }
    #expect(provider.requests.count == 1)
    await engine.leave()
  }

  @Test("other params under the same key are refused; how the answer comes is no param")
  func mismatch() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    let first = try await engine.generations.generate(.picture("one", key: "k"), for: Caller())
    for request in [
      Generate.picture("two", key: "k"), .picture("one", count: 2, key: "k"), .picture("one", inline: true, key: "k"),
    ] {
      let error = await #expect(throws: AtelierError.self) {
        try await engine.generations.generate(request, for: Caller())
      }
      #expect(error?.kind == .idempotencyMismatch)
    }
    let otherwise = Generate.picture("one", key: "k", detach: true, progress: false)
    #expect(try await engine.generations.generate(otherwise, for: Caller()) == first)
    await engine.leave()
  }

  @Test("a key belongs to its account")
  func accounts() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    let ids = try await [AccountID?.none, "alice", "bob"].asyncMap { account in
      try await engine.generations.generate(.picture(key: "k", account: account), for: Caller()).result?.generationId
    }
    #expect(Set(ids).count == 3)
    await engine.leave()
  }

  @Test("cancelling a repetition ends its wait alone")
  func cancelRepetition() async throws {
    let gate = Gate()
    let engine = try ServiceFixture().engine([ScriptedProvider(waitingAt: gate)])
    let first = engine.generate(.picture(key: "k"))
    await gate.hasSeen()
    let second = engine.generate(.picture(key: "k"))
    try await until { await engine.generations.waiterCount(of: "gen_1") == 2 }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    gate.open()
    #expect(try await first.value.result?.state == .succeeded)
    await engine.leave()
  }

  @Test("cancelling what a repetition waits for answers both")
  func cancelBoth() async throws {
    let gate = Gate()
    let engine = try ServiceFixture().engine([ScriptedProvider(waitingAt: gate)])
    let first = engine.generate(.picture(key: "k"))
    await gate.hasSeen()
    let second = engine.generate(.picture(key: "k"))
    try await until { await engine.generations.waiterCount(of: "gen_1") == 2 }
    _ = try await engine.cancel("gen_1")
    #expect(try await first.value.result?.state == .cancelled)
    #expect(try await second.value.result?.state == .cancelled)
    await engine.leave()
  }
}

extension Sequence {
  /// The results of `transform`, one after the other.
  func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
