import Dispatch
import JSON
import Support
import Synchronization
import Testing

@testable import AtelierClient

/// Runs the pieces of a task one after another, and cancels the task before one of them.
final class StepExecutor: TaskExecutor {
  private struct State {
    var steps = 0
    var cancel: (@Sendable () -> Void)?
  }

  private let queue = DispatchQueue(label: "steps")
  private let state = Mutex(State())
  private let step: Int

  /// - Parameter step: the number of pieces that run before the task is cancelled.
  init(cancellingAt step: Int) { self.step = step }

  var steps: Int { state.withLock { $0.steps } }

  func cancels(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      let cancel = state.withLock { state in
        defer { state.steps += 1 }
        return state.steps == step ? state.cancel : nil
      }
      cancel?()
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

@Suite("Cancellation", .timeLimit(.minutes(2)))
struct CancellationTests {
  /// Runs a scenario again and again, and cancels its task one step later each time, until that comes too late.
  private func sweep(_ scenario: @escaping @Sendable (Studio) async throws -> Void) async throws {
    for step in 0..<500 {
      let peer = try ScriptedPeer()
      var options = Studio.Options()
      options.service = peer.service
      let executor = StepExecutor(cancellingAt: step)
      let start = Gate()
      let task = Task(executorPreference: executor) { [options] in
        start.wait()
        try await withStudio(options) { try await scenario($0) }
      }
      executor.cancels { task.cancel() }
      start.open()
      do {
        try await task.value
        if executor.steps <= step { return }
      } catch is CancellationError {
      } catch let error as AtelierError where error.clientKind == .requestCancelled {
      }
      // Each generation that was started has its one answer, and none goes on.
      #expect(peer.waitingCount == 0, "cancelled at step \(step)")
    }
    Issue.record("the scenario never ended")
  }

  @Test("a task that is cancelled at any step throws after the final answer, and leaves nothing behind")
  func generation() async throws {
    try await sweep { studio in
      let generation = studio.generate(.create("a lighthouse"))
      _ = try await generation.accepted
      for try await _ in generation.progress {}
      _ = try await generation.result
    }
  }

  @Test("a task that is cancelled at any step while a generation never ends cancels it")
  func endless() async throws {
    // It ends by the cancel, or is never waited for.
    try await sweep { studio in
      let generation = studio.generate(.create("until cancelled"))
      _ = try await generation.accepted
      _ = try await studio.send(Ping())
      for try await _ in generation.progress { break }
      generation.cancel()
      _ = try await generation.result
    }
  }

  @Test("requests that are cancelled at any step are withdrawn")
  func requests() async throws {
    try await sweep { studio in
      _ = try await studio.send(Ping())
      _ = try await studio.initialization
      _ = try await studio.send(Ping())
    }
  }
}

@Suite("The life of a generation")
struct TrackerTests {
  @Test("a generation ends exactly once, whatever happens in whatever order", arguments: 0..<300 as Range<UInt64>)
  func endsOnce(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tie: GenerationTracker.Tie = [.waiters, .itself, .others][Int(random.next() % 3)]
    var tracker = GenerationTracker(tie, generationID: tie == .others ? "gen_1" : nil)
    var cancels = 0
    for _ in 0..<40 {
      let before = tracker.outcome
      let wasEnded = tracker.hasEnded
      switch random.next() % 7 {
      case 0:
        if tracker.cancel() != .nothing { cancels += 1 }
      case 1: _ = tracker.beginSending()
      case 2:
        if tracker.sent() != .nothing { cancels += 1 }
      case 3:
        let progress = try Self.read(GenerationProgress.self, Sample.progress("gen_1", 1, Int64(random.next() % 9)))
        tracker.received(progress)
      case 4:
        let state: GenerationState = [.queued, .succeeded, .cancelled][Int(random.next() % 3)]
        if tracker.answered(.success(try Self.read(Generation.self, Sample.generation("gen_1", state)))) != .nothing {
          cancels += 1
        }
      case 5: tracker.end(.failure(.closed))
      default: tracker.end(.success(try Self.read(Generation.self, Sample.generation("gen_1", .partial))))
      }
      if wasEnded { #expect(tracker.outcome == before, "seed \(seed): the end changed") }
      #expect(tracker.isSettled || !tracker.hasEnded, "seed \(seed)")
      let sequences = tracker.progress.map(\.sequence)
      #expect(sequences == Array(Set(sequences)).sorted(), "seed \(seed)")
    }
    #expect(cancels <= 2, "seed \(seed)")
  }

  private static func read<Value: Decodable>(_ type: Value.Type, _ value: JSONValue) throws -> Value {
    try JSONValueDecoder(unknownMembers: .ignore).decode(type, from: value)
  }
}
