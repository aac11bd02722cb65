import Synchronization

@testable import Store

/// A clock for the waits for a server: it passes by what is waited, and by a little with each look, so that a wait for what
/// never comes has an end.
final class ServerClock: Sendable {
  private let state = Mutex(State())
  private let step: Duration

  private struct State {
    var passed = Duration.zero
    /// What happens in a pause, and before how many others.
    var event: (left: Int, work: @Sendable () -> Void)?
  }

  /// - Parameter step: how much passes with each look.
  init(step: Duration = .zero) { self.step = step }

  private static let start = ContinuousClock.now

  func advance(by duration: Duration) { state.withLock { $0.passed += duration } }

  /// Since its beginning.
  var elapsed: Duration { state.withLock { $0.passed } }

  /// Lets something happen in one of the next pauses.
  /// - Parameter number: 1 for the next.
  func inPause(_ number: Int, _ work: @escaping @Sendable () -> Void) { state.withLock { $0.event = (number, work) } }

  var clock: PostgreSQLClock {
    var clock = PostgreSQLClock()
    clock.glance = 5
    clock.now = { [self] in
      state.withLock { state in
        state.passed += step
        return Self.start + state.passed
      }
    }
    clock.pause = { [self] duration in
      let work = state.withLock { state -> (@Sendable () -> Void)? in
        state.passed += duration
        state.event?.left -= 1
        guard let event = state.event, event.left == 0 else { return nil }
        state.event = nil
        return event.work
      }
      work?()
    }
    return clock
  }
}
