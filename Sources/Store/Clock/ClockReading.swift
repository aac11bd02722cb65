import AtelierProtocol
import GRDB

/// The system's clock, held against the latest time that is known to have been right.
///
/// What is over by a clock that has jumped ahead would be deleted for good, so such a clock is in doubt: nothing is
/// deleted or ended by it until somebody confirms it, until it is put back, or until it has gone on for a day. A
/// machine that was off for longer than ``mostAhead`` comes back with a clock in doubt as well.
///
/// The latest right time has a row of its own: the newest row of another table may be of the time in doubt.
struct ClockReading {
  /// What the system's clock says.
  let system: Timestamp
  /// The latest time that is known to have been right; nil while nothing was ever written.
  let trusted: Timestamp?

  /// How far the clock may be ahead of the latest right time without being doubted, in milliseconds.
  static let mostAhead: Int64 = 2 * 86_400_000
  /// How far the clock may go back without it being noted, in milliseconds.
  static let tolerance: Int64 = 5 * 60_000
  /// How long a clock in doubt has to go on before it is trusted, in milliseconds.
  static let trial: Int64 = 86_400_000

  init(system: Timestamp, trusted: Timestamp?) {
    self.system = system
    self.trusted = trusted
  }

  init(in database: Database, system: Timestamp) throws {
    let trusted = try Int64.fetchOne(database.cachedStatement(sql: "SELECT trusted FROM clock WHERE id = 1"))
    self.init(system: system, trusted: trusted.map(Timestamp.init(milliseconds:)))
  }

  /// Whether it has jumped ahead, so that nobody knows what is over.
  var isAhead: Bool { trusted.map { system.isMore(than: Self.mostAhead, after: $0) } ?? false }

  /// Whether it was put back, or the latest right time was not right.
  var isBehind: Bool { trusted.map { $0.isMore(than: Self.tolerance, after: system) } ?? false }

  /// Whether what is over by this clock may be deleted or ended.
  var mayExpire: Bool { !isAhead }

  /// Times later than this lie so far ahead that a clock was wrong that set them; nothing does for a clock that is wrong
  /// itself.
  var farAhead: Timestamp { isAhead || isBehind ? Timestamp(milliseconds: .max) : system.later(by: Self.mostAhead) }
}

extension ClockReading {
  /// Brings the record up to this time; to be called in transactions that write.
  /// - Returns: true when the clock is in doubt from now on.
  @discardableResult
  static func record(_ system: Timestamp, in database: Database) throws -> Bool {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT trusted, doubted_from, doubted_until FROM clock WHERE id = 1"))
    guard let row else {
      try trust(system, in: database)
      return false
    }
    let trusted = Timestamp(milliseconds: try row.value("trusted"))
    let reading = ClockReading(system: system, trusted: trusted)
    let from = try row.time("doubted_from")
    guard reading.isAhead else {
      // A clock that comes back to what is known was wrong before, and is trusted again.
      if from != nil || system > trusted { try trust(max(system, trusted), in: database) }
      return false
    }
    guard let from, let until = try row.time("doubted_until"), !until.isMore(than: tolerance, after: system),
      !system.isMore(than: mostAhead, after: until)
    else {
      try doubt(from: system, until: system, in: database)
      return from == nil
    }
    if system >= from.later(by: trial) {
      try trust(system, in: database)
    } else {
      try doubt(from: from, until: system, in: database)
    }
    return false
  }

  /// Takes a time for right, whatever was recorded before.
  static func trust(_ time: Timestamp, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO clock (id, trusted) VALUES (1, ?)
        ON CONFLICT (id) DO UPDATE SET trusted = excluded.trusted, doubted_from = NULL, doubted_until = NULL
        """
    ).execute(arguments: [time.milliseconds])
  }

  private static func doubt(from: Timestamp, until: Timestamp, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE clock SET doubted_from = ?, doubted_until = ? WHERE id = 1")
      .execute(arguments: [from.milliseconds, until.milliseconds])
  }
}

extension Timestamp {
  /// So many milliseconds later, or the last time there is.
  func later(by milliseconds: Int64) -> Timestamp {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    return Timestamp(milliseconds: overflow ? .max : sum)
  }

  /// Whether it is more than so many milliseconds later than another.
  func isMore(than milliseconds: Int64, after other: Timestamp) -> Bool { self > other.later(by: milliseconds) }
}
