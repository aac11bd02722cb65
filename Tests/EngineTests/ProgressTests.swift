import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("Progress", .timeLimit(.minutes(3)))
struct ProgressTests {
  @Test("progress rises strictly, never goes back a phase, and precedes the end")
  func rises() async throws {
    let engine = try ServiceFixture().engine([
      ScriptedProvider { _, progress in
        for step in 1...50 {
          progress(ImageProgress(phase: .processing, message: "Step \(step)…", fraction: Double(step) / 50))
        }
        return try ScriptedProvider.picture()
      }
    ])
    _ = try await engine.generations.generate(.picture(count: 3, detach: true), for: Caller(requestID: 9))
    await engine.announcements.finish()
    let all = engine.announcements.progress
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.phase.position <= $1.phase.position })
    #expect(all.map(\.phase).first == .queued)
    #expect(all.map(\.phase).last == .saving)
    #expect(all.allSatisfy { $0.requestId == 9 && $0.generationId == "gen_1" && !$0.message.text.isEmpty })
    #expect(Set(all.compactMap(\.step?.index)) == [0, 1, 2])
    #expect(all.compactMap(\.step?.count).allSatisfy { $0 == 3 })
    guard case .finished = engine.announcements.all.last else {
      Issue.record("something was told after the end")
      return
    }
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.overall <= $1.overall })
    #expect(
      zip(all, all.dropFirst()).allSatisfy { $0.phase != $1.phase || ($0.fraction ?? 0) <= ($1.fraction ?? 1) })
    for number in all.map(\.overall) + all.compactMap(\.fraction) {
      #expect((0...1).contains(number) && (number * 1_000).rounded() / 1_000 == number, "\(number)")
    }
    // The record says as much as was told.
    let row = try #require(try await engine.row("gen_1"))
    #expect(row.phase == .saving)
    #expect(row.sequence == all.last?.sequence)
    #expect(try await engine.status("gen_1")?.progress == nil)
    await engine.leave()
  }

  @Test("progress comes at least once a second while work goes on", arguments: [1, 37, 110, 150, 250, 399, 500, 801])
  func heartbeat(offset: Int) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let updates = AsyncStream<Void>.makeStream()
    let engine = try fixture.engine([
      ScriptedProvider { _, progress in
        gate.arrive()
        for await _ in updates.stream { progress(ImageProgress(phase: .processing, message: "Still painting…")) }
        return try ScriptedProvider.picture()
      }
    ])
    let task = engine.generate(.picture())
    await gate.hasSeen()
    // The provider speaks once, at a moment of its own, and is silent from then on.
    let step = Duration.milliseconds(EngineConfiguration().heartbeatMs / 2)
    await fixture.clock.someoneSleeps(for: step)
    fixture.clock.advance(by: .milliseconds(offset))
    updates.continuation.yield()
    await engine.announcements.meet { all in
      all.contains { if case .progress(let progress, _) = $0 { progress.message == "Still painting…" } else { false } }
    }
    for _ in 0..<60 {
      await fixture.clock.someoneSleeps(for: step)
      fixture.clock.advance(by: .milliseconds(100))
      await engine.generations.settleDown()
    }
    updates.continuation.finish()
    _ = try await task.value
    let told = engine.announcements.progress.map(\.elapsedMs)
    #expect(told.count > 5)
    #expect(zip(told, told.dropFirst()).allSatisfy { $1 - $0 <= 1000 }, "\(told)")
    await engine.leave()
  }

  @Test("progress is silent for a request that wants none, and for one that does not say where the host wants none")
  func silent() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(progress: false), for: Caller())
    _ = try await engine.generations.generate(.picture(), for: Caller(wantsProgress: false))
    #expect(engine.announcements.all.isEmpty)
    _ = try await engine.generations.generate(.picture(progress: true), for: Caller(wantsProgress: false))
    #expect(!engine.announcements.all.isEmpty)
    await engine.leave()
  }

  @Test("progress tells positions in the queue, which move up")
  func queuePositions() async throws {
    let gates = [Gate(), Gate(), Gate()]
    let engine = try ServiceFixture().engine([
      ScriptedProvider(maximumConcurrentImages: 1) { request, _ in
        if let index = Int(request.model ?? "") { try await gates[index].pass() }
        return try ScriptedProvider.picture()
      }
    ])
    var tasks: [Task<Generation, any Error>] = []
    for index in 0..<3 {
      var request = Generate.picture("picture \(index)")
      request.model = "\(index)"
      tasks.append(engine.generate(request))
      await engine.announcements.reach(.queued, of: GenerationID(rawValue: "gen_\(index + 1)"))
    }
    await gates[0].hasSeen()
    #expect(try await engine.status("gen_1")?.progress?.queuePosition == nil)
    #expect(try await engine.status("gen_1")?.state == .running)
    #expect(try await engine.status("gen_2")?.progress?.queuePosition == 1)
    #expect(try await engine.status("gen_3")?.progress?.queuePosition == 2)
    #expect(try await engine.status("gen_3")?.state == .queued)
    gates[0].open()
    await gates[1].hasSeen()
    #expect(try await engine.status("gen_3")?.progress?.queuePosition == 1)
    gates[1].open()
    gates[2].open()
    for task in tasks { #expect(try await task.value.result?.state == .succeeded) }
    await engine.leave()
  }

  @Test("a provider that is full does not hold up another")
  func otherProvider() async throws {
    let gate = Gate()
    let engine = try ServiceFixture().engine([
      ScriptedProvider(id: "slow", maximumConcurrentImages: 1, waitingAt: gate), ScriptedProvider(id: "quick"),
    ])
    let first = engine.generate(.picture(provider: "slow"))
    await gate.hasSeen()
    let second = engine.generate(.picture(provider: "slow"))
    await engine.announcements.reach(.queued, of: "gen_2")
    let quick = try await engine.generations.generate(.picture(provider: "quick"), for: Caller())
    #expect(quick.result?.provider == "quick")
    #expect(try await engine.status("gen_2")?.state == .queued)
    gate.open()
    _ = try await (first.value, second.value)
    await engine.leave()
  }
}
