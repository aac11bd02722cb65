import Dispatch
import Synchronization

/// Runs blocking work on several threads, in order of submission, away from the threads that run tasks.
///
/// Started work always finishes, whatever happens to the task that waits for it.
final class BlockingPool: Sendable {
  private let lanes: [DispatchQueue]
  private let state: Mutex<State>

  private struct State {
    var idle: [Int]
    var waiting: [@Sendable () -> Void] = []
  }

  /// The number of parallel threads.
  var width: Int { lanes.count }

  init(label: String, width: Int) {
    lanes = (0..<width).map { DispatchQueue(label: "\(label).\($0)") }
    state = Mutex(State(idle: Array((0..<width).reversed())))
  }

  /// - Parameter isUrgent: as in ``start(isUrgent:_:)``.
  func run<Value: Sendable>(
    isUrgent: Bool = false, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      start(isUrgent: isUrgent) { continuation.resume(with: Result(catching: work)) }
    }
  }

  /// Runs `work` for each of `items`, ahead of waiting work, and blocks the calling thread until it is done.
  func forEach<Item: Sendable>(_ items: [Item], _ work: @escaping @Sendable (Item) -> Void) {
    let group = DispatchGroup()
    for item in items {
      group.enter()
      start(isUrgent: true) {
        work(item)
        group.leave()
      }
    }
    group.wait()
  }

  /// Returns when all work started before is done.
  func finish() async {
    for lane in lanes {
      await withCheckedContinuation { continuation in lane.async { continuation.resume() } }
    }
  }

  /// - Parameter isUrgent: true to start ahead of all waiting work.
  func start(isUrgent: Bool = false, _ work: @escaping @Sendable () -> Void) {
    let lane = state.withLock { state in
      let lane = state.idle.popLast()
      if lane == nil { state.waiting.insert(work, at: isUrgent ? 0 : state.waiting.count) }
      return lane
    }
    if let lane { lanes[lane].async { self.occupy(lane, beginningWith: work) } }
  }

  private func occupy(_ lane: Int, beginningWith first: @escaping @Sendable () -> Void) {
    var next: (@Sendable () -> Void)? = first
    while let work = next {
      work()
      next = state.withLock { state in
        if !state.waiting.isEmpty { return state.waiting.removeFirst() }
        state.idle.append(lane)
        return nil
      }
    }
  }
}

/// Runs blocking work on one thread, in order, away from the threads that run tasks.
///
/// Started work always finishes, whatever happens to the task that waits for it: a cancellation never interrupts a
/// settlement.
struct BlockingQueue: Sendable {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      start { continuation.resume(with: Result(catching: work)) }
    }
  }

  func start(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
