import Synchronization

@testable import Imaging

/// A clock on which no time passes until ``runOut()``: then every sleep, present or later, is over.
final class TestClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let end = Outcome<Void>()

  let now = ContinuousClock.now
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await end.wait()
  }

  func runOut() { end.settle(.success(())) }
}
