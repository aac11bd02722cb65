import AtelierProtocol
import ServiceFixture
import StatementCounting
import Testing

@testable import Engine

@Suite("Generations that wait", .timeLimit(.minutes(5)))
struct WaitingCostTests {
  /// What waits for its turn.
  enum Wait: CaseIterable {
    /// Behind others, for a slot of the provider.
    case slot
    /// For a provider that cannot be reached, in the queue of all processes.
    case provider
  }

  @Test("generations that wait are not read with every heartbeat, however many they are", arguments: Wait.allCases)
  func many(_ wait: Wait) async throws {
    let (fixture, gate, count, heartbeats) = (try ServiceFixture(), Gate(), 150, 5)
    var configuration = EngineConfiguration()
    configuration.queue.probes = .init(firstMs: 3_600_000, longestMs: 3_600_000)
    let engine = try fixture.engine(
      [wait == .slot ? ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate) : FarProvider().provider()],
      configuration: configuration)
    for number in 0..<count {
      var request = Generate.patient("picture \(number)", detach: true)
      request.progress = false
      _ = try await engine.generations.generate(request, for: Caller())
    }
    let step = Duration.milliseconds(configuration.heartbeatMs / 2)
    func passHeartbeat() async {
      await fixture.clock.someoneSleeps(for: step)
      fixture.clock.advance(by: step)
    }
    // By then other processes are told of all of them.
    for _ in 0..<heartbeats { await passHeartbeat() }
    await fixture.clock.someoneSleeps(for: step)
    let counter = StatementCounter()
    counter.attach(to: try await engine.engine.lazyStore.store())
    for _ in 0..<heartbeats { await passHeartbeat() }
    await fixture.clock.someoneSleeps(for: step)
    #expect(counter.statements.count >= heartbeats && counter.statements.count <= 12 * heartbeats, "\(counter.statements)")
    #expect(counter.rows <= 12 * heartbeats, "\(counter.statements)")
    gate.open()
    await engine.generations.abandon()
    await engine.leave()
  }
}
