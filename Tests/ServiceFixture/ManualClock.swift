import AtelierProtocol
import Synchronization

/// A clock that stands still until a test moves it: the time of day, the uptime and every wait.
public final class ManualClock: Sendable {
  private struct Sleeper {
    var duration: Duration
    var deadline: Duration
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Duration.zero
    var sleepers: [Int: Sleeper] = [:]
    var nextSleeper = 0
    var watchers: [(duration: Duration, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// 2026-11-21T05:20:00Z, when nothing has moved.
  private static let start: Int64 = 1_795_238_400_000

  private let state = Mutex(State())

  public init() {}

  public var uptimeMs: Int64 { Int64(state.withLock { $0.now } / .milliseconds(1)) }
  public var now: Timestamp { Timestamp(milliseconds: Self.start + uptimeMs) }

  /// Waits until the clock has been moved by `duration`.
  /// - Throws: `CancellationError` at once when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    let ticket = state.withLock { state in
      state.nextSleeper += 1
      return state.nextSleeper
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let due: [CheckedContinuation<Void, Never>]? = state.withLock { state in
          if duration <= .zero || Task.isCancelled { return nil }
          state.sleepers[ticket] = Sleeper(
            duration: duration, deadline: state.now + duration, continuation: continuation)
          defer { state.watchers.removeAll { $0.duration == duration } }
          return state.watchers.filter { $0.duration == duration }.map(\.continuation)
        }
        guard let due else { return continuation.resume() }
        for watcher in due { watcher.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: ticket) }?.continuation.resume()
    }
    try Task.checkCancellation()
  }

  /// Returns once somebody waits for exactly `duration`.
  public func someoneSleeps(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      let isAsleep = state.withLock { state in
        if state.sleepers.values.contains(where: { $0.duration == duration }) { return true }
        state.watchers.append((duration, continuation))
        return false
      }
      if isAsleep { continuation.resume() }
    }
  }

  /// How many wait for exactly `duration`.
  public func sleepers(for duration: Duration) -> Int {
    state.withLock { $0.sleepers.values.count { $0.duration == duration } }
  }

  /// Moves the clock and wakes whoever has waited long enough.
  public func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now += duration
      let now = state.now
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for ticket in due.keys { state.sleepers[ticket] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in awake { continuation.resume() }
  }
}
