import Synchronization

/// A place in some work where a test holds it, and lets it go on.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  public init(isOpen: Bool = false) {
    state.withLock { $0.isOpen = isOpen }
  }

  /// Waits until the gate is open.
  /// - Throws: `CancellationError` at once when the task is cancelled.
  public func pass() async throws {
    let ticket = count()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if state.isOpen || Task.isCancelled { return true }
          state.waiting[ticket] = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
    }
    try Task.checkCancellation()
  }

  /// Lets everybody through, now and later.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns once `count` have come to the gate, those included that went on.
  public func hasSeen(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals < count { state.watchers.append((count, continuation)) }
        return state.arrivals >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// How many have come to the gate.
  public var arrivals: Int { state.withLock { $0.arrivals } }

  /// Comes to the gate and goes on.
  public func arrive() { _ = count() }

  private func count() -> Int {
    let (ticket, due) = state.withLock { state in
      state.arrivals += 1
      let arrivals = state.arrivals
      let due = state.watchers.filter { $0.count <= arrivals }
      state.watchers.removeAll { $0.count <= arrivals }
      return (arrivals, due)
    }
    for watcher in due { watcher.continuation.resume() }
    return ticket
  }
}
