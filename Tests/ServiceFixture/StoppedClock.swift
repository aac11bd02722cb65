/// A clock that never moves: no deadline on it ever passes, and whoever sleeps on it is woken only by cancellation.
public struct StoppedClock: Clock {
  public struct Instant: InstantProtocol {
    var offset = Swift.Duration.zero

    public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }

    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  public init() {}

  public var now: Instant { Instant() }
  public var minimumResolution: Swift.Duration { .zero }

  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try await Gate().pass()
  }
}
