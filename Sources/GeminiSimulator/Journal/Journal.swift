import NIOCore
import Synchronization

/// What the simulator has seen, and who waits for it.
final class Journal: Sendable {
  /// Called with what was waited for; with nil when it does not come any more.
  typealias Answer = @Sendable ([RequestRecord]?) -> Void

  private struct Waiter {
    var requests: ClosedRange<Int>
    /// Whether those of the requests that are forgotten do not matter.
    var skipsForgotten: Bool
    var isMet: @Sendable (RequestRecord) -> Bool
    var answer: Answer
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

  /// Changes the state, and answers everybody who waited for what it is now.
  private func update<Result>(_ body: (inout State) -> sending Result) -> Result {
    let (result, answers) = state.withLock { state in
      let result = body(&state)
      var answers: [(Answer, [RequestRecord]?)] = []
      for (number, waiter) in state.waiters {
        guard let found = Self.found(waiter, in: state) else { continue }
        answers.append((waiter.answer, found.records))
        state.waiters[number] = nil
      }
      return (result, answers)
    }
    for (answer, records) in answers { answer(records) }
    return result
  }

  /// - Returns: nil when it may still come, and no records when it cannot.
  private static func found(_ waiter: Waiter, in state: State) -> (records: [RequestRecord]?, Void)? {
    if state.hasEnded || waiter.requests.lowerBound < state.firstRequest && !waiter.skipsForgotten { return (nil, ()) }
    var records: [RequestRecord] = []
    for id in waiter.requests where id >= state.firstRequest {
      guard let record = state.requests[id], waiter.isMet(record) else { return nil }
      records.append(record)
    }
    return (records, ())
  }

  // MARK: Connections

  func connectionOpened() -> Int {
    let time = now
    return state.withLock { state in
      state.lastConnection += 1
      state.connections[state.lastConnection] = ConnectionRecord(id: state.lastConnection, opened: time)
      state.connections[state.lastConnection - capacity] = nil
      return state.lastConnection
    }
  }

  func connectionClosed(_ id: Int, by end: ConnectionRecord.End) {
    let time = now
    state.withLock { state in
      guard state.connections[id]?.end == nil else { return }
      state.connections[id]?.closed = time
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

  /// Forgets all requests. Numbers go on, so that one still under way is not taken for a later one.
  func reset() {
    update { state in
      state.requests = [:]
      state.firstRequest = state.lastRequest + 1
    }
  }

  // MARK: Waiting

  /// Nothing more comes: whoever waits, or begins to, does so in vain.
  func end() { update { $0.hasEnded = true } }

  /// Calls `answer` once every one of the requests is there and meets the condition, which may be at once.
  /// - Returns: the number of the wait, for ``giveUp(_:)``.
  @discardableResult
  func wait(
    for requests: ClosedRange<Int>, skippingForgotten skips: Bool = false, number: Int? = nil,
    until isMet: @escaping @Sendable (RequestRecord) -> Bool, answer: @escaping Answer
  ) -> Int {
    let number = number ?? nextWaiter()
    update { $0.waiters[number] = Waiter(requests: requests, skipsForgotten: skips, isMet: isMet, answer: answer) }
    return number
  }

  private func nextWaiter() -> Int {
    state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
  }

  func giveUp(_ number: Int) { state.withLock { $0.waiters.removeValue(forKey: number) }?.answer(nil) }

  /// Waits until request `id` is there and `isMet` is true of it.
  /// - Throws: `CancellationError` when the task is cancelled, the request is forgotten, or nothing more comes.
  func wait(for id: Int, until isMet: @escaping @Sendable (RequestRecord) -> Bool) async throws -> RequestRecord {
    let number = nextWaiter()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(for: id...id, number: number, until: isMet) { records in
          continuation.resume(with: records?.first.map(Result.success) ?? .failure(CancellationError()))
        }
        // It may have been cancelled before there was anything to give up.
        if Task.isCancelled { giveUp(number) }
      }
    } onCancel: {
      giveUp(number)
    }
  }
}
