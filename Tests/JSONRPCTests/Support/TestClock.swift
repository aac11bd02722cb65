import Synchronization

/// A clock that stands still until a test moves it.
final class TestClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = [:]
    var nextSleeper = 0
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let sleeper = state.withLock { state in
      state.nextSleeper += 1
      return state.nextSleeper
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watchers: [CheckedContinuation<Void, Never>]? = state.withLock { state in
          if deadline <= state.now || Task.isCancelled { return nil }
          state.sleepers[sleeper] = (deadline, continuation)
          defer { state.watchers = [] }
          return state.watchers
        }
        guard let watchers else { return continuation.resume() }
        watchers.forEach { $0.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: sleeper) }?.continuation.resume()
    }
    try Task.checkCancellation()
  }

  /// Returns once somebody sleeps.
  func someoneSleeps() async {
    await withCheckedContinuation { continuation in
      let isAsleep = state.withLock { state in
        if state.sleepers.isEmpty { state.watchers.append(continuation) }
        return !state.sleepers.isEmpty
      }
      if isAsleep { continuation.resume() }
    }
  }

  func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for key in due.keys { state.sleepers[key] = nil }
      return due.values.map(\.continuation)
    }
    awake.forEach { $0.resume() }
  }
}
