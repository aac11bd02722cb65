/// The continuous clock, with sleeps that leave nothing behind when they are cancelled.
///
/// A cancelled `Task.sleep` ends at once, but its timer, of some 700 bytes, stays until its time has come
/// (swiftlang/swift#60441; so in Swift 6.3): a service that sets a limit of minutes for each of thousands of pieces of work,
/// nearly all of which end within it, would keep them all. Here a sleep is a series of short ones, each twice as long as the
/// one before, so that what is left of a cancelled one goes within as long as it has slept.
public struct SteppedClock: Clock {
  public typealias Instant = ContinuousClock.Instant

  /// Shorter sleeps, as between heartbeats, are not divided.
  private static let firstStep = Duration.milliseconds(500)

  public var now: Instant { .now }
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  public init() {}

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    var step = Self.firstStep
    while now + step < deadline {
      try await Task.sleep(until: now + step, clock: .continuous)
      step *= 2
    }
    try await Task.sleep(until: deadline, tolerance: tolerance, clock: .continuous)
  }
}
