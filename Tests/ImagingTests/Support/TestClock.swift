import Synchronization

@testable import Imaging

/// A clock on which no time passes until ``runOut()``: then every sleep, present or later, is over. It notes how long
/// each was to be.
final class TestClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let end = Outcome<Void>()
  private let asked = Record<Duration>()

  /// How long each sleep was to be, in the order in which they began.
  var sleeps: [Duration] { asked.events }

  let now = ContinuousClock.now
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    asked.append(now.duration(to: deadline))
    try await end.wait()
  }

  func runOut() { end.set(.success(())) }
}
