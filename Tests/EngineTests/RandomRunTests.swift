import AtelierProtocol
import Providers
import Support
import Synchronization
import ServiceFixture
import Testing

@testable import Engine

@Suite("Random runs", .timeLimit(.minutes(3)))
struct RandomRunTests {
  /// What one request came to.
  private enum Ending: Equatable {
    case outcome(GenerationState)
    case error(ErrorKind)
  }

  @Test(
    "every request is answered once, and the store agrees with the answers", arguments: 1...12 as ClosedRange<UInt64>)
  func agree(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let fixture = try ServiceFixture()
    let dice = Mutex(SplitMix64(seed: seed &* 7919))
    var configuration = EngineConfiguration()
    configuration.credits.limits = []
    let provider = ScriptedProvider(maximumConcurrentImages: 3, creditsPerImage: 2) { _, progress in
      let roll = dice.withLock { Int($0.next() % 10) }
      for step in 0..<roll {
        progress(ImageProgress(phase: .processing, message: "Painting…", fraction: Double(step) / 10))
        for _ in 0..<roll { await Task.yield() }
      }
      try Task.checkCancellation()
      if roll == 0 { throw AtelierError(.contentBlocked, provider: "scripted") }
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider], configuration: configuration)
    try await engine.give(999, to: "anna")
    var tasks: [(id: GenerationID, isDetached: Bool, task: Task<Generation, any Error>)] = []
    let count = 24
    for index in 1...count {
      let id = GenerationID(rawValue: "gen_\(index)")
      let isDetached = random.next() % 4 == 0
      let request = Generate.picture(
        "picture \(index)", count: Int(random.next() % 3) + 1, account: index % 3 == 0 ? nil : "anna", detach: isDetached)
      tasks.append((id, isDetached, engine.generate(request)))
      // One at a time, so that the ids are known.
      try await until { try await engine.knows(id) }
      switch random.next() % 6 {
      case 0: tasks[Int(random.next() % UInt64(index))].task.cancel()
      case 1:
        let victim = tasks[Int(random.next() % UInt64(index))].id
        Task { try? await engine.cancel(victim) }
      default: for _ in 0..<(random.next() % 200) { await Task.yield() }
      }
    }
    var endings: [GenerationID: Ending] = [:]
    for (id, isDetached, task) in tasks {
      do {
        let answer = try await task.value
        #expect((answer.acceptance != nil) == isDetached, "seed \(seed)")
        if let result = answer.result { endings[id] = .outcome(result.state) }
      } catch {
        endings[id] = .error(AtelierError(wrapping: error).kind)
      }
    }
    await engine.generations.leave(milliseconds: 120_000)
    for finished in engine.announcements.finished {
      #expect(endings[finished.generationId] == nil, "seed \(seed): \(finished.generationId) was answered twice")
      endings[finished.generationId] =
        finished.result.map { .outcome($0.state) }
        ?? .error(finished.error.flatMap { ErrorKind(rawValue: $0.data.kind) } ?? .internal)
    }
    #expect(endings.count == count, "seed \(seed)")
    var charged = 0
    for (id, ending) in endings {
      let row = try #require(try await engine.row(id), "seed \(seed)")
      let expected: Ending =
        switch row.state {
        case .succeeded: .outcome(.succeeded)
        case .partial: .outcome(.partial)
        case .cancelled: .outcome(.cancelled)
        default: .error(row.error?.kind ?? .internal)
        }
      #expect(ending == expected, "seed \(seed): \(id)")
      #expect(row.images.isEmpty == (row.state != .succeeded && row.state != .partial), "seed \(seed): \(id)")
      #expect(row.creditsCharged == (row.account == .owner ? 0 : 2 * row.images.count), "seed \(seed): \(id)")
      charged += row.creditsCharged
    }
    #expect(await engine.generations.sessionCount == 0, "seed \(seed)")
    #expect(try await engine.credits(of: "anna") == [1_000 - charged, 0], "seed \(seed)")
    #expect(engine.creditsTold.last == [1_000 - charged, 0], "seed \(seed)")
    #expect(try await engine.engine.lazyStore.store().auditLedger() == [], "seed \(seed)")
    let report = try await engine.engine.lazyStore.store().check()
    #expect(report.isSound, "seed \(seed): \(report.findings)")
    await engine.leave()
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty, "seed \(seed)")
  }
}

extension TestEngine {
  /// Whether the request has got this id, whatever became of it since.
  fileprivate func knows(_ id: GenerationID) async throws -> Bool {
    if await generations.knows(id) { return true }
    return try await row(id) != nil
  }
}
