import AtelierProtocol
import GRDB
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("Cancelling many at once", .timeLimit(.minutes(3)))
struct CancelManyTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  private func id(_ number: Int) -> GenerationID { GenerationID(rawValue: "gen_\(number)") }

  /// So many that wait at `gate` in their provider, and hold a credit each.
  private func engine(
    _ gate: Gate, running count: Int
  ) async throws -> (TestEngine, [Task<Generation, any Error>]) {
    let provider = ScriptedProvider(maximumConcurrentImages: count, creditsPerImage: 1, waitingAt: gate)
    var configuration = EngineConfiguration()
    configuration.credits.limits = []
    let engine = try fixture.engine([provider], configuration: configuration)
    try await engine.give(count, to: "anna")
    let tasks = (0..<count).map { _ in engine.generate(.picture(account: "anna")) }
    await gate.hasSeen(count)
    return (engine, tasks)
  }

  @Test("cancelling many at once answers each, ends each once, and gives every credit back, however they are cancelled")
  func all() async throws {
    let count = 300
    let (engine, tasks) = try await engine(Gate(), running: count)
    let sums = try await engine.credits(of: "anna")
    #expect(sums[1] == count)
    for (number, task) in tasks.enumerated() where number % 2 == 0 { task.cancel() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in stride(from: 1, to: count, by: 2) {
        group.addTask {
          let state = try await engine.cancel(id(number + 1)).state
          #expect(state == .cancelled)
        }
      }
      try await group.waitForAll()
    }
    // Those of the odd ids may have been cancelled twice, and the others not yet: each is answered in the end.
    for task in tasks { task.cancel() }
    var ended: Set<GenerationID> = []
    for task in tasks {
      let result = try #require(try await task.value.result)
      #expect(result.state == .cancelled && result.credits.released == 1)
      ended.insert(result.generationId)
    }
    #expect(ended.count == count)
    #expect(try await engine.credits(of: "anna") == [sums[0] + count, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a cancelled generation whose end cannot be written keeps no other from its end, and is written later")
  func oneFails() async throws {
    let count = 20
    let (engine, tasks) = try await engine(Gate(), running: count)
    try await DatabaseQueue(beside: fixture.directory).write {
      try $0.execute(
        sql: """
          CREATE TRIGGER one_stays BEFORE UPDATE OF finished ON generation WHEN NEW.id = 'gen_7'
          BEGIN SELECT RAISE(ABORT, 'no'); END
          """)
    }
    let lock = try await WriteLock(fixture.directory)
    for task in tasks { task.cancel() }
    // They come together: the first waits for the lock, the others for the first.
    for number in 1...count { try await until { await engine.generations.isSettling(id(number)) } }
    try await lock.release()
    for task in tasks { #expect(try await task.value.result?.state == .cancelled) }
    #expect(try await engine.row("gen_7")?.state == .running)
    try await DatabaseQueue(beside: fixture.directory).write { try $0.execute(sql: "DROP TRIGGER one_stays") }
    // Its record follows with a heartbeat.
    try await fixture.heartbeats { try await engine.row("gen_7")?.state == .cancelled }
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("cancelling many at once stops the work of all although none of their ends can be written")
  func slowDisk() async throws {
    let count = 5
    let stopped = Gate()
    let gate = Gate()
    let provider = ScriptedProvider(maximumConcurrentImages: count) { _, progress in
      progress(ImageProgress(phase: .processing, message: "Painting…", fraction: 0.5))
      do {
        try await gate.pass()
      } catch {
        stopped.arrive()
        throw error
      }
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider])
    let tasks = (0..<count).map { _ in engine.generate(.picture()) }
    await gate.hasSeen(count)
    for number in 1...count { await engine.announcements.reach(.processing, of: id(number)) }
    let lock = try await WriteLock(fixture.directory)
    for task in tasks { task.cancel() }
    for number in 1...count { try await until { await engine.generations.isSettling(id(number)) } }
    await fixture.clock.someoneSleeps(for: .milliseconds(DelayedCancellations.longestMs))
    #expect(stopped.arrivals == 0)
    fixture.clock.advance(by: .milliseconds(DelayedCancellations.longestMs))
    await stopped.hasSeen(count)
    #expect(await engine.generations.load().running == count)
    try await lock.release()
    for task in tasks {
      let outcome = try await task.value.result?.state
      #expect(outcome == .cancelled)
    }
    await engine.leave()
  }

  @Test("a cancel stops at once what has not been sent yet")
  func unsent() async throws {
    let stopped = Gate()
    let provider = ScriptedProvider { _, progress in
      progress(ImageProgress(phase: .uploading, message: "Sending…", fraction: 0.5))
      do {
        try await Gate().pass()
      } catch {
        stopped.arrive()
        throw error
      }
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider])
    let task = engine.generate(.picture())
    await engine.announcements.reach(.uploading, of: "gen_1")
    let lock = try await WriteLock(fixture.directory)
    task.cancel()
    await stopped.hasSeen()
    try await lock.release()
    #expect(try await task.value.result?.state == .cancelled)
    await engine.leave()
  }
}
