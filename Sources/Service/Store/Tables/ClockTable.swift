import AtelierProtocol

/// The SQL of the table `clock`, which has one row, and of `clock_jump`.
struct ClockTable {
  let session: any SQLSession

  /// What is on record of the system clock.
  struct Record {
    /// The latest time known to be right.
    var trusted: Timestamp
    /// Since when the clock has been seen too far ahead, and until when; nil while it is not.
    var doubtedFrom: Timestamp?
    var doubtedUntil: Timestamp?
  }

  static let record = SQLQuery("SELECT trusted, doubted_from, doubted_until FROM clock WHERE id = 1")

  /// - Returns: nil before the first write.
  func record() throws -> Record? {
    try session.row(Self.record).map { row in
      Record(
        trusted: Timestamp(milliseconds: try row.value("trusted")), doubtedFrom: try row.time("doubted_from"),
        doubtedUntil: try row.time("doubted_until"))
    }
  }

  /// The latest time known to be right; nil before the first write.
  func trusted() throws -> Timestamp? {
    try session.row(Self.record)?.time("trusted")
  }

  /// Trusts a time, and ends every doubt.
  func trust(_ time: Timestamp) throws {
    try session.run(
      """
      INSERT INTO clock (id, trusted) VALUES (1, ?)
      ON CONFLICT (id) DO UPDATE SET trusted = excluded.trusted, doubted_from = NULL, doubted_until = NULL
      """,
      [time.milliseconds])
  }

  func doubt(from: Timestamp, until: Timestamp) throws {
    try session.run(
      "UPDATE clock SET doubted_from = ?, doubted_until = ? WHERE id = 1", [from.milliseconds, until.milliseconds])
  }

  /// Notes that the system clock was far behind the ledger's.
  func insertJump(seen: Timestamp, system: Timestamp) throws {
    try session.run(
      "INSERT INTO clock_jump (seen, system) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [seen.milliseconds, system.milliseconds])
  }
}

extension SQLSession {
  var clock: ClockTable { ClockTable(session: self) }
}
