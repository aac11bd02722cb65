import NIOCore
import Synchronization

/// What the simulator has seen, and who waits for it.
final class Journal: Sendable {
  private struct Waiter {
    var request: Int
    var isMet: @Sendable (RequestRecord) -> Bool
    var answer: @Sendable (RequestRecord?) -> Void
  }

  private struct State {
    var requests: [Int: RequestRecord] = [:]
    var lastRequest = 0
    /// Requests below this one are forgotten.
    var firstRequest = 1
    var connections: [Int: ConnectionRecord] = [:]
    var lastConnection = 0
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let start = NIODeadline.now()
  private let capacity: Int

  /// - Parameter capacity: how many requests, and how many connections, are remembered.
  init(capacity: Int) { self.capacity = capacity }

  /// Milliseconds since the start.
  var now: Double { Double((NIODeadline.now() - start).nanoseconds) / 1e6 }

  // MARK: Connections

  func connectionOpened() -> Int {
    state.withLock { state in
      state.lastConnection += 1
      state.connections[state.lastConnection] = ConnectionRecord(id: state.lastConnection, opened: now)
      state.connections[state.lastConnection - capacity] = nil
      return state.lastConnection
    }
  }

  func connectionClosed(_ id: Int, by end: ConnectionRecord.End) {
    state.withLock { state in
      guard state.connections[id]?.end == nil else { return }
      state.connections[id]?.closed = now
      state.connections[id]?.end = end
    }
  }

  func connectionBrought(_ id: Int) { state.withLock { $0.connections[id]?.requests += 1 } }

  var connections: [ConnectionRecord] {
    state.withLock { state in state.connections.values.sorted { $0.id < $1.id } }
  }

  // MARK: Requests

  /// Adds what `make` makes of its number.
  func requestBegan(_ make: (Int) -> RequestRecord) -> Int {
    update { state in
      state.lastRequest += 1
      state.requests[state.lastRequest] = make(state.lastRequest)
      if state.requests.count > capacity {
        state.requests[state.firstRequest] = nil
        state.firstRequest += 1
      }
      return state.lastRequest
    }
  }

  /// Changes the record of a request, unless it is forgotten.
  func change(_ id: Int, _ body: (inout RequestRecord) -> Void) {
    update { state in
      // Taken out, so that it is not copied while it is changed.
      guard var record = state.requests.removeValue(forKey: id) else { return }
      body(&record)
      state.requests[id] = record
    }
  }

  func request(_ id: Int) -> RequestRecord? { state.withLock { $0.requests[id] } }

  var requests: [RequestRecord] { state.withLock { state in state.requests.values.sorted { $0.id < $1.id } } }

  /// Nothing more comes: whoever waits, or begins to, does so in vain.
  func end() { update { $0.hasEnded = true } }

  // MARK: Waiting

  /// Changes the state, and answers everybody who waited for what it is now.
  private func update<Result>(_ body: (inout State) -> sending Result) -> Result {
    let (result, answers) = state.withLock { state in
      let result = body(&state)
      var answers: [(waiter: Waiter, record: RequestRecord?)] = []
      for (number, waiter) in state.waiters {
        let record = state.requests[waiter.request].flatMap { waiter.isMet($0) ? $0 : nil }
        guard record != nil || state.hasEnded || waiter.request < state.firstRequest else { continue }
        answers.append((waiter, record))
        state.waiters[number] = nil
      }
      return (result, answers)
    }
    for (waiter, record) in answers { waiter.answer(record) }
    return result
  }

  /// A number for a wait, with which it can be given up.
  func waitNumber() -> Int {
    state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
  }

  /// Calls `answer` once the request is there and meets the condition, which may be at once; with nil when it is
  /// forgotten, the wait is given up, or nothing more comes.
  func wait(
    _ number: Int, for request: Int, until isMet: @escaping @Sendable (RequestRecord) -> Bool,
    answer: @escaping @Sendable (RequestRecord?) -> Void
  ) { update { $0.waiters[number] = Waiter(request: request, isMet: isMet, answer: answer) } }

  func giveUp(_ number: Int) { state.withLock { $0.waiters.removeValue(forKey: number) }?.answer(nil) }

  /// Waits until request `id` is there and `isMet` is true of it.
  /// - Throws: `CancellationError` when the task is cancelled, the request is forgotten, or nothing more comes.
  func wait(for id: Int, until isMet: @escaping @Sendable (RequestRecord) -> Bool) async throws -> RequestRecord {
    let number = waitNumber()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(number, for: id, until: isMet) { record in
          continuation.resume(with: record.map(Result.success) ?? .failure(CancellationError()))
        }
        // It may have been cancelled before there was anything to give up.
        if Task.isCancelled { giveUp(number) }
      }
    } onCancel: {
      giveUp(number)
    }
  }
}
