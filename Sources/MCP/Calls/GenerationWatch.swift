import AtelierProtocol
import Engine
import Synchronization

/// Follows generations: those of this process by their announcements, those of others by looking once a second.
final class GenerationWatch: Sendable {
  private struct Observers {
    var byGeneration: [GenerationID: [Int: AsyncStream<Void>.Continuation]] = [:]
    var last = 0
  }

  private let observers = Mutex(Observers())

  /// Wakes those who follow the generation of an announcement.
  func announce(_ announcement: Announcement) {
    switch announcement {
    case .progress(let progress, _): wake(progress.generationId)
    case .finished(let generation, _): wake(generation.generationId)
    case .creditsChanged, .providerChanged: break
    }
  }

  private func wake(_ id: GenerationID) {
    let continuations = observers.withLock { $0.byGeneration[id].map { Array($0.values) } ?? [] }
    for continuation in continuations { continuation.yield() }
  }

  /// Waits for the end of a generation of any process, for at most `milliseconds`.
  /// - Parameter report: receives the generation about once a second until then.
  /// - Returns: the generation, which may still be under way.
  /// - Throws: `not_found`; `CancellationError` when the task is cancelled. The generation goes on.
  func follow(
    _ id: GenerationID, for caller: Caller, on engine: Engine, atMost milliseconds: Int64,
    report: (Generation) -> Void
  ) async throws -> Generation {
    let surroundings = engine.surroundings
    let deadline = surroundings.uptimeMs() + milliseconds
    let (wakes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = observers.withLock { observers in
      observers.last += 1
      observers.byGeneration[id, default: [:]][observers.last] = continuation
      return observers.last
    }
    let ticks = Task {
      while true {
        let rest = deadline - surroundings.uptimeMs()
        try await surroundings.sleep(.milliseconds(min(1_000, max(1, rest))))
        continuation.yield()
      }
    }
    defer {
      ticks.cancel()
      observers.withLock { observers in
        observers.byGeneration[id]?[number] = nil
        if observers.byGeneration[id]?.isEmpty == true { observers.byGeneration[id] = nil }
      }
    }
    var awaited = wakes.makeAsyncIterator()
    while true {
      let generation = try await engine.generation(id, for: caller)
      if generation.state.isFinal || surroundings.uptimeMs() >= deadline { return generation }
      report(generation)
      await awaited.next()
      try Task.checkCancellation()
    }
  }
}

extension Engine {
  /// A generation as it is now.
  /// - Throws: `not_found`.
  func generation(_ id: GenerationID, for caller: Caller) async throws -> Generation {
    guard case .generation(let generation) = try await status(Status(target: .id(id)), for: caller) else {
      throw AtelierError(.notFound)
    }
    return generation
  }
}

/// The progress of one call as MCP wants it: strictly rising, and below the total until the answer comes.
struct RisingProgress: Sendable, Equatable {
  static let total = 100

  /// In thousandths.
  private var last = 0

  /// The number to report; nil when it cannot rise any more.
  /// - Parameter overall: the part that is done, from 0 to 1. It may repeat, and falls when the work starts again.
  mutating func next(_ overall: Double) -> Double? {
    // The last hundredth is left for numbers that rise although nothing is known to have been done.
    let told = Int(min(max(overall, 0), 1) * Double((Self.total - 1) * 1_000))
    guard max(told, last + 1) < Self.total * 1_000 else { return nil }
    last = max(told, last + 1)
    return Double(last) / 1_000
  }
}
