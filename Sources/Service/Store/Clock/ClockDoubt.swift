import AtelierProtocol

/// Why the system clock is not trusted.
public struct ClockDoubt: Sendable, Equatable {
  /// The time of the system clock.
  public var now: Timestamp
  /// The latest recorded time that was trusted.
  public var latest: Timestamp
  /// Whether the clock is more than two days ahead of `latest`; otherwise it is behind.
  public var isAhead: Bool { now > latest }

  /// One or more sentences for an operator: the problem, its effect and the remedy.
  public var sentence: String {
    isAhead
      ? "The clock says \(now.text), but the latest time on record is \(latest.text). Until this is confirmed, nothing "
        + "expires and nothing is deleted for its age. If the clock is right, run atelier doctor --confirm-clock; it is "
        + "taken for right when it has gone on for a day."
      : "The clock says \(now.text), but something was recorded at \(latest.text). Until then no credits expire and no "
        + "month's credits come. If the clock is right, run atelier doctor --confirm-clock."
  }

  /// - Returns: nil for a clock that is trusted.
  init?(_ reading: ClockReading) {
    guard let trusted = reading.trusted, reading.isAhead || reading.isBehind else { return nil }
    (now, latest) = (reading.system, trusted)
  }
}
