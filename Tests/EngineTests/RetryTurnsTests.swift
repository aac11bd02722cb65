import AtelierProtocol
import GRDB
import POSIX
import ServiceFixture
import Store
import Support
import Testing

@testable import Engine

@Suite("Who may try again what the store could not do", .timeLimit(.minutes(3)))
struct RetryTurnsTests {
  private let fixture: ServiceFixture
  private let retries: StoreRetries
  private static let heartbeat = Duration.milliseconds(400)

  init() throws {
    fixture = try ServiceFixture()
    retries = StoreRetries(fixture.surroundings, heartbeatInterval: Self.heartbeat)
  }

  /// Begins to wait.
  private func waiter(_ number: Int) async throws -> Task<Bool, any Error> {
    let task = Task { [retries] in try await retries.waitToTry() }
    try await until { await retries.waitingCount == number }
    return task
  }

  /// Lets time pass, for as long as somebody waits: then nobody sleeps any more.
  private func pass(_ heartbeats: Int) async {
    for _ in 0..<heartbeats where await retries.waitingCount > 0 {
      await fixture.clock.someoneSleeps(for: Self.heartbeat)
      fixture.clock.advance(by: Self.heartbeat)
      await retries.settle()
    }
  }

  @Test("one that is cancelled just as its turn came passes it on")
  func cancelledWithTurn() async throws {
    let first = try await waiter(1)
    let second = try await waiter(2)
    await retries.giveTurn(cancelling: first)
    await #expect(throws: CancellationError.self) { try await first.value }
    await pass(30)
    #expect(try await second.value)
  }

  @Test("one that is cancelled while it waits lets the others go on")
  func cancelledWaiting() async throws {
    let first = try await waiter(1)
    let second = try await waiter(2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await pass(30)
    #expect(try await second.value)
  }

  @Test("one at a time is tried, and once one succeeds the next two go on at once, then two more for each")
  func turns() async throws {
    var waiters: [Task<Bool, any Error>] = []
    for number in 1...4 { waiters.append(try await waiter(number)) }
    await pass(30)
    #expect(try await waiters[0].value)
    #expect(await retries.waitingCount == 3, "nobody else, however long it takes")
    await retries.tried(hasSucceeded: true)
    #expect(try await waiters[1].value)
    #expect(try await waiters[2].value)
    #expect(await retries.waitingCount == 1)
    await retries.tried(hasSucceeded: nil)
    await retries.tried(hasSucceeded: true)
    #expect(try await waiters[3].value)
  }

  @Test("the pauses of a second outage begin anew")
  func secondOutage() async throws {
    for outage in 1...3 {
      var waiting = try await waiter(1)
      for _ in 0..<6 {
        await pass(30)
        #expect(try await waiting.value)
        await retries.tried(hasSucceeded: false)
        waiting = try await waiter(1)
      }
      await pass(30)
      #expect(try await waiting.value)
      await retries.tried(hasSucceeded: true)
      let next = try await waiter(1)
      // The first pause is half a second.
      await pass(2)
      #expect(await retries.waitingCount == 0, "outage \(outage)")
      #expect(try await next.value)
      await retries.tried(hasSucceeded: true)
    }
  }

  @Test("a process that leaves lets nobody wait")
  func leaving() async throws {
    let waiting = try await waiter(1)
    await retries.leave()
    #expect(try await !waiting.value)
    #expect(try await !retries.waitToTry())
  }

  @Test("a generation that is given up lets others wait on")
  func givenUp() async throws {
    let others = try await waiter(1)
    let own = Task { [retries] in try await retries.waitToTry(for: "gen_1") }
    try await until { await retries.waitingCount == 2 }
    await retries.giveUp(for: "gen_1")
    #expect(try await !own.value)
    #expect(try await !retries.waitToTry(for: "gen_1"))
    #expect(await retries.waitingCount == 1)
    await pass(30)
    #expect(try await others.value)
  }

  @Test("a try that is given up or cancelled waits for no silent store, and what that keeps later is removed", arguments: [
    true, false,
  ])
  func silentStore(isCancelled: Bool) async throws {
    let (asked, answer, removed) = (Promise<Void>(), Promise<Int>(), Promise<Int?>())
    let attempt = Task { [retries] in
      try await retries.attempt(for: "gen_1", discard: { removed.fulfil($0) }) {
        asked.fulfil(())
        // Hears of no cancellation.
        return await Task { await answer.value() }.value
      }
    }
    _ = await asked.value()
    if isCancelled { attempt.cancel() } else { await retries.giveUp(for: "gen_1") }
    let error = await #expect(throws: (any Error).self) { try await attempt.value }
    #expect(isCancelled ? error is CancellationError : (error as? AtelierError)?.kind == .storageUnavailable)
    answer.fulfil(7)
    #expect(await removed.value() == 7)
  }

  @Test("finished pictures of a second outage are tried as soon as those of the first")
  func secondOutageOfPictures() async throws {
    let gates = [Gate(), Gate()]
    let engine = try fixture.engine([
      ScriptedProvider { request, _ in
        try await gates[request.prompt?.contains("second") == true ? 1 : 0].pass()
        return try ScriptedProvider.picture()
      }
    ])
    let writes = try await engine.failingWrites()
    for (number, prompt) in ["first", "second"].enumerated() {
      let id = GenerationID(rawValue: "gen_\(number + 1)")
      let task = engine.generate(.picture(prompt))
      await gates[number].hasSeen()
      writes.begin(.SQLITE_FULL)
      gates[number].open()
      try await until { await engine.generations.ends.isKept(id) }
      let before = writes.tries
      for _ in 0..<2 {
        await fixture.clock.someoneSleeps(for: engine.engine.parts.heartbeatInterval)
        fixture.clock.advance(by: engine.engine.parts.heartbeatInterval)
        for _ in 0..<2_000 { await Task.yield() }
      }
      try await until { writes.tries > before }
      // The outage goes on, and the pauses become long.
      for _ in 0..<200 {
        fixture.clock.advance(by: engine.engine.parts.heartbeatInterval)
        for _ in 0..<100 { await Task.yield() }
      }
      writes.end()
      try await fixture.heartbeats { try await engine.row(id)?.state == .succeeded }
      #expect(try await task.value.state == .succeeded)
    }
    await engine.leave()
  }
}

extension StoreRetries {
  fileprivate var waitingCount: Int { waiting.count }

  /// Comes after whatever waited for its turn here before.
  fileprivate func settle() async { for _ in 0..<200 { await Task.yield() } }

  fileprivate func giveTurn(cancelling task: Task<Bool, any Error>) {
    letOneTry()
    task.cancel()
  }
}
