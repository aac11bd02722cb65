import AtelierProtocol
import Foundation
import Glibc
import Imaging
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("Credits that were set aside come back", .timeLimit(.minutes(3)))
struct ReleaseTests {
  /// Where a generation stands when it ends.
  enum Moment: CaseIterable, Sendable {
    case queued, preparing, processing
  }

  private static let request = Generate.picture(account: "anna", timeoutMs: 5_000)

  /// A generation of anna's, held at a moment.
  private func hold(
    at moment: Moment, in fixture: ServiceFixture
  ) async throws -> (engine: TestEngine, task: Task<Generation, any Error>, id: GenerationID, before: Gate?) {
    let mute = try MuteWorker(in: fixture.temporary).worker
    switch moment {
    case .queued:
      let gate = Gate()
      let engine = try fixture.engine([
        ScriptedProvider(maximumConcurrentImages: 1, creditsPerImage: 1, waitingAt: gate)
      ])
      _ = engine.generate(.picture("the first"))
      await gate.hasSeen()
      let task = engine.generate(Self.request)
      await engine.announcements.reach(.queued, of: "gen_2")
      return (engine, task, "gen_2", gate)
    case .preparing:
      let engine = try fixture.engine([ScriptedProvider(creditsPerImage: 1)], worker: mute)
      let task = engine.generate(
        Generate(
          recipe: .headshot, image: .path(Fixture.path("images/orientation-6.jpg")), style: Style(), timeoutMs: 5_000,
          account: "anna"))
      await engine.announcements.reach(.preparing)
      return (engine, task, "gen_1", nil)
    case .processing:
      let gate = Gate()
      let engine = try fixture.engine([ScriptedProvider(creditsPerImage: 1, waitingAt: gate)])
      let task = engine.generate(Self.request)
      await gate.hasSeen()
      return (engine, task, "gen_1", nil)
    }
  }

  @Test(
    "the hold comes back by a cancel, wherever it comes, and every answer says so",
    arguments: Moment.allCases, [true, false])
  func cancelled(moment: Moment, byTask: Bool) async throws {
    let fixture = try ServiceFixture()
    let (engine, task, id, before) = try await hold(at: moment, in: fixture)
    #expect(try await engine.credits(of: "anna") == [0, 1])
    if byTask { task.cancel() } else { _ = try await engine.cancel(id) }
    let result = try #require(try await task.value.result)
    #expect(result.credits == Credits(held: 1, charged: 0, released: 1, balanceAfter: 1))
    for _ in 0..<2 {
      #expect(try await engine.cancel(id).credits == Credits(held: 1, charged: 0, released: 1, balanceAfter: 1))
    }
    #expect(try await engine.entry(id)?.credits == Credits(held: 1, charged: 0, released: 1, balanceAfter: 1))
    engine.hasTold([[1, 0], [0, 1], [1, 0]])
    before?.open()
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test(
    "the hold comes back by a cancel while saving, or the picture is there and paid for: never both or neither",
    arguments: 0..<8)
  func cancelledLate(round: Int) async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    let task = engine.generate(Self.request)
    await engine.announcements.reach(.saving)
    for _ in 0..<round { await Task.yield() }
    let cancel = try? await engine.cancel("gen_1")
    let result = try #require(try await task.value.result)
    #expect((cancel == nil) == (result.state == .succeeded))
    #expect(result.images.count == result.credits.charged)
    #expect(result.credits.charged + result.credits.released == 1)
    #expect(try await engine.credits(of: "anna") == [result.credits.released, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the hold comes back when its time is over", arguments: [Moment.preparing, .processing])
  func timedOut(moment: Moment) async throws {
    let fixture = try ServiceFixture()
    let (engine, task, id, _) = try await hold(at: moment, in: fixture)
    await fixture.clock.someoneSleeps(for: .milliseconds(5_000))
    fixture.clock.advance(by: .milliseconds(5_000))
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .timedOut)
    #expect(try await engine.credits(of: "anna") == [1, 0])
    #expect(try await engine.entry(id)?.state == .failed)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the hold comes back when another process cancels it, which tells its own host and answers with it")
  func otherProcess() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let worker = try fixture.engine([ScriptedProvider(creditsPerImage: 1, waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider(creditsPerImage: 1)])
    let task = worker.generate(.picture(account: "anna"))
    await gate.hasSeen()
    #expect(try await other.cancel("gen_1").credits == Credits(held: 1, charged: 0, released: 1, balanceAfter: 1))
    other.hasTold([[1, 0], [0, 1], [1, 0]])
    gate.open()
    #expect(
      try await task.value.result?.credits == Credits(held: 1, charged: 0, released: 1, balanceAfter: 1))
    worker.hasTold([[1, 0], [0, 1], [1, 0]])
    await worker.leave()
    try await other.leaveWithTheLedgerInOrder()
  }

  @Test("the hold comes back when history forgets its generation")
  func forgotten() async throws {
    let gate = Gate()
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1, waitingAt: gate)])
    let task = engine.generate(.picture(account: "anna"))
    await gate.hasSeen()
    _ = try await engine.engine.deleteHistory(
      HistoryDelete(target: .everything(of: "anna")), for: Caller())
    #expect(try await task.value.result?.state == .cancelled)
    #expect(try await engine.credits(of: "anna") == [1, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the hold of a gone process comes back: whoever has too few, or too much running, waits for no next start")
  func deadProcess() async throws {
    let fixture = try ServiceFixture()
    let other = try fixture.engine([ScriptedProvider(creditsPerImage: 1)])
    _ = try await other.engine.lazyStore.store()
    try await fixture.leaveRunning(for: "anna")
    #expect(try await other.credits(of: "anna") == [0, 1])
    let estimate = try await other.engine.estimate(CreditsEstimate(.picture(account: "anna")), for: Caller())
    #expect(estimate.allowed)
    try await fixture.leaveRunning(for: "anna")
    let result = try #require(try await other.generations.generate(.picture(account: "anna"), for: Caller()).result)
    #expect(result.credits == Credits(held: 1, charged: 1, released: 0, balanceAfter: 0))
    other.hasTold([[0, 1], [1, 0], [0, 1], [1, 0], [0, 1], [0, 0]])
    try await other.leaveWithTheLedgerInOrder()
  }

  @Test("the hold is charged by the process that takes its generation over, where it was only queued")
  func adopted() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let first = try fixture.engine([ScriptedProvider(maximumConcurrentImages: 1, creditsPerImage: 1, waitingAt: gate)])
    _ = try await first.generations.generate(.picture(detach: true, timeoutMs: 3_600_000), for: Caller())
    await gate.hasSeen()
    _ = try await first.generations.generate(
      .picture(account: "anna", detach: true, timeoutMs: 3_600_000), for: Caller())
    await first.generations.abandon()
    await first.leave()
    let second = try fixture.engine([ScriptedProvider(creditsPerImage: 1)])
    await second.engine.serve()
    _ = try await second.engine.status(Status(account: "anna"), for: Caller())
    try await fixture.heartbeats { second.announcements.finished.count >= 2 }
    #expect(
      second.announcements.finished.first { $0.generationId == "gen_2" }?.result?.credits
        == Credits(held: 1, charged: 1, released: 0, balanceAfter: 0))
    try await second.leaveWithTheLedgerInOrder()
  }
}

extension ServiceFixture {
  /// A generation of a process that died while it ran: its store is gone without having been closed.
  func leaveRunning(for account: AccountID) async throws {
    let others = try locks()
    try await begin(for: account)
    let left = try locks().subtracting(others)
    // The threads of the store that is gone let go of it one after the other.
    try await until { left.allSatisfy(Self.isFree) }
  }

  private func locks() throws -> Set<String> {
    let processes = "\(directory.path)/processes"
    return Set(try FileManager.default.contentsOfDirectory(atPath: processes).map { "\(processes)/\($0)" })
  }

  private static func isFree(_ lock: String) -> Bool {
    let descriptor = open(lock, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  private func begin(for account: AccountID) async throws {
    let store = try await Store.open(directory: directory, surroundings: storeSurroundings)
    let id = GenerationID(rawValue: makeIdentifier("lost_"))
    _ = try await store.accept(
      Acceptance(
        id: id, account: account, recipe: .create, request: ["recipe": "create"], prompt: nil,
        paramsHash: Array(repeating: 0, count: 32), timeLimitMs: 60_000, metering: Metering(credits: 1, limits: [])))
    _ = try await store.start(id)
  }
}
