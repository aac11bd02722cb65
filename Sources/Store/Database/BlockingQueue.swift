import Dispatch

/// One thread's worth of blocking work, in order, away from the threads that run tasks.
///
/// Work once begun is finished whatever becomes of the task that waits for it: a settlement is never cut short by a
/// cancellation.
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
