import AtelierProtocol
import Synchronization

/// A clock that stands still until a test moves it: the time of day, the uptime and every wait.
///
/// One that nobody moves lets no deadline pass; whoever sleeps on it is woken by cancellation only.
public final class ManualClock: Sendable {
  private struct Sleeper {
    var duration: Duration
    var deadline: Duration
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Duration.zero
    var asked: [Duration] = []
    var sleepers: [Int: Sleeper] = [:]
    var nextSleeper = 0
    /// Who waits for a sleeper: for that duration, or for anyone.
    var watchers: [(duration: Duration?, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let start: Timestamp
  private let state = Mutex(State())

  /// - Parameter start: the time of day when nothing has moved.
  public init(start: Timestamp = Timestamp(milliseconds: 1_795_238_400_000)) {
    self.start = start
  }

  fileprivate var elapsed: Duration { state.withLock { $0.now } }

  public var uptimeMs: Int64 {
    let (seconds, attoseconds) = elapsed.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  public var now: Timestamp { Timestamp(milliseconds: start.milliseconds + uptimeMs) }

  /// How long each sleep was to be, in the order in which they began.
  public var sleeps: [Duration] { state.withLock { $0.asked } }

  /// Waits until the clock has been moved by `duration`.
  /// - Throws: `CancellationError` at once when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await sleep { now in now + duration }
  }

  /// - Parameter deadline: the time at which the sleep is over, given the present one.
  fileprivate func sleep(until deadline: (_ now: Duration) -> Duration) async throws {
    let (ticket, deadline, duration) = state.withLock { state in
      let deadline = deadline(state.now)
      state.asked.append(deadline - state.now)
      state.nextSleeper += 1
      return (state.nextSleeper, deadline, deadline - state.now)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let due: [CheckedContinuation<Void, Never>]? = state.withLock { state in
          if deadline <= state.now || Task.isCancelled { return nil }
          state.sleepers[ticket] = Sleeper(duration: duration, deadline: deadline, continuation: continuation)
          let due = state.watchers.filter { $0.duration == nil || $0.duration == duration }
          state.watchers.removeAll { $0.duration == nil || $0.duration == duration }
          return due.map(\.continuation)
        }
        guard let due else { return continuation.resume() }
        for watcher in due { watcher.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: ticket) }?.continuation.resume()
    }
    try Task.checkCancellation()
  }

  /// Returns once somebody waits, for exactly `duration` if one is given.
  public func someoneSleeps(for duration: Duration? = nil) async {
    await withCheckedContinuation { continuation in
      let isAsleep = state.withLock { state in
        if state.sleepers.values.contains(where: { duration == nil || $0.duration == duration }) { return true }
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
  /// - Returns: how many those are.
  @discardableResult
  public func advance(by duration: Duration) -> Int {
    let awake = state.withLock { state in
      state.now += duration
      let now = state.now
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for ticket in due.keys { state.sleepers[ticket] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in awake { continuation.resume() }
    return awake.count
  }

  /// The same in milliseconds, as the store counts; also back, as when somebody sets the time of day.
  public func advance(by milliseconds: Int64) { advance(by: .milliseconds(milliseconds)) }
}

extension ManualClock {
  /// For what takes a `Clock`.
  public var timer: Timer { Timer(clock: self) }

  /// A ``ManualClock`` as the standard library knows clocks.
  public struct Timer: Clock {
    public struct Instant: InstantProtocol {
      fileprivate var offset: Duration

      public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
      public func duration(to other: Instant) -> Duration { other.offset - offset }
      public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    fileprivate let clock: ManualClock

    public var now: Instant { Instant(offset: clock.elapsed) }
    public var minimumResolution: Duration { .zero }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await clock.sleep { _ in deadline.offset }
    }
  }
}
