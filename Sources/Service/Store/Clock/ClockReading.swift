import AtelierProtocol

/// The system clock compared with the latest time known to be right.
///
/// Data that expires by a clock that has jumped ahead would be deleted permanently, so such a clock is in doubt:
/// nothing is deleted or ended by it until somebody confirms it, until it is set back, or until it has run for a day.
/// After a machine was off for longer than ``mostAhead``, its clock is in doubt as well.
///
/// The latest right time has a row of its own, because the newest row of another table may have a time in doubt.
struct ClockReading {
  /// The time of the system clock.
  let system: Timestamp
  /// The latest time known to be right; nil before the first write.
  let trusted: Timestamp?

  /// How far the clock may be ahead of the latest right time before it is in doubt, in milliseconds.
  static let mostAhead: Int64 = 2 * 86_400_000
  /// How far the clock may go back before this is noted, in milliseconds.
  static let tolerance: Int64 = 5 * 60_000
  /// How long a clock in doubt must run before it is trusted, in milliseconds.
  static let trial: Int64 = 86_400_000

  init(system: Timestamp, trusted: Timestamp?) {
    self.system = system
    self.trusted = trusted
  }

  init(in session: any SQLSession, system: Timestamp) throws {
    self.init(system: system, trusted: try session.clock.trusted())
  }

  /// Whether the clock has jumped ahead, so that expiry times cannot be trusted.
  var isAhead: Bool { trusted.map { system.isMore(than: Self.mostAhead, after: $0) } ?? false }

  /// Whether the clock was set back, or the latest right time was wrong.
  var isBehind: Bool { trusted.map { $0.isMore(than: Self.tolerance, after: system) } ?? false }

  /// Whether data that has expired by this clock may be deleted or ended.
  var mayExpire: Bool { !isAhead }

  /// Times later than this are so far ahead that a wrong clock must have set them; there are none while the clock
  /// itself is in doubt or behind.
  var farAhead: Timestamp { isAhead || isBehind ? Timestamp(milliseconds: .max) : system.later(by: Self.mostAhead) }
}

extension ClockReading {
  /// Updates the record to this time; must be called in write transactions.
  /// - Returns: true when the clock is in doubt from now on.
  @discardableResult
  static func record(_ system: Timestamp, in session: any SQLSession) throws -> Bool {
    guard let record = try session.clock.record() else {
      try session.clock.trust(system)
      return false
    }
    let reading = ClockReading(system: system, trusted: record.trusted)
    guard reading.isAhead else {
      // A clock that returns to the known time was wrong before and is trusted again.
      if record.doubtedFrom != nil || system > record.trusted { try session.clock.trust(max(system, record.trusted)) }
      return false
    }
    guard let from = record.doubtedFrom, let until = record.doubtedUntil, !until.isMore(than: tolerance, after: system),
      !system.isMore(than: mostAhead, after: until)
    else {
      try session.clock.doubt(from: system, until: system)
      return record.doubtedFrom == nil
    }
    if system >= from.later(by: trial) {
      try session.clock.trust(system)
    } else {
      try session.clock.doubt(from: from, until: system)
    }
    return false
  }

  /// Trusts a time, whatever was recorded before.
  static func trust(_ time: Timestamp, in session: any SQLSession) throws { try session.clock.trust(time) }
}

extension Timestamp {
  /// The time this many milliseconds later, or the last time there is.
  func later(by milliseconds: Int64) -> Timestamp {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    return Timestamp(milliseconds: overflow ? .max : sum)
  }

  /// Whether this time is more than `milliseconds` later than `other`.
  func isMore(than milliseconds: Int64, after other: Timestamp) -> Bool { self > other.later(by: milliseconds) }
}
