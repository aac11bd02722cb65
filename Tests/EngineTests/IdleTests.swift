import AtelierProtocol
import ServiceFixture
import Synchronization
import Testing

@testable import Engine
@testable import Store

@Suite("A service that has nothing to do", .timeLimit(.minutes(3)))
struct IdleTests {
  private final class Counter: SessionObserver {
    let transactions = Atomic<Int>(0)

    func observe<Value>(_ session: any SQLSession, _ work: (any SQLSession) throws -> Value) throws -> Value {
      transactions.add(1, ordering: .relaxed)
      return try work(session)
    }
  }

  @Test("an idle service makes at most one transaction in two seconds, cleaning included")
  func transactions() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(), for: Caller())
    await engine.engine.serve()
    let counter = Counter()
    try await engine.engine.lazyStore.store().observer.withLock { $0 = counter }
    let idle = Duration.milliseconds(OfflineQueue.idleMs)
    // Longer than the longest pause between two rounds of cleaning.
    let looks = Int(Maintenance.longestPauseMs) / OfflineQueue.idleMs + 20
    for _ in 0..<looks {
      await fixture.clock.someoneSleeps(for: idle)
      fixture.clock.advance(by: idle)
    }
    await fixture.clock.someoneSleeps(for: idle)
    let count = counter.transactions.load(ordering: .relaxed)
    #expect(count >= looks && Double(count) <= 0.5 * Double(looks * OfflineQueue.idleMs) / 1_000)
    await engine.leave()
  }
}
