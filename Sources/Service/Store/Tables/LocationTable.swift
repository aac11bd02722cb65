/// The SQL of the lookups of places: the tables `location_answer` and `geocoder_reservation`.
struct LocationTable {
  let session: any SQLSession

  /// The answer to a question, if it is kept at `time`.
  func answer(to digest: String, at time: Int64) throws -> String? {
    try session.value(
      "SELECT answer FROM location_answer WHERE digest = ? AND created <= ? AND expires > ?", [digest, time, time])
  }

  /// When the first answer expires; nil when none is kept.
  func earliestExpiry() throws -> Int64? {
    try session.value("SELECT min(expires) AS expires FROM location_answer")
  }

  /// Keeps an answer, in place of an earlier one to the same question.
  func keep(_ answer: String, to digest: String, at time: Int64, until expires: Int64) throws {
    try session.run(
      """
      INSERT INTO location_answer (digest, answer, created, expires) VALUES (?, ?, ?, ?)
      ON CONFLICT (digest) DO UPDATE SET
        answer = excluded.answer, created = excluded.created, expires = excluded.expires
      """, [digest, answer, time, expires])
  }

  /// Deletes the answers that have expired at `time`.
  func deleteAnswers(expiredAt time: Int64) throws {
    try session.run("DELETE FROM location_answer WHERE expires <= ?", [time])
  }

  /// When the geocoder may be asked next; nil before the first turn.
  func nextRequest() throws -> Int64? {
    try session.value("SELECT next FROM geocoder_reservation WHERE id = 1")
  }

  func setNextRequest(_ time: Int64) throws {
    try session.run(
      "INSERT INTO geocoder_reservation (id, next) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET next = excluded.next",
      [time])
  }
}

extension SQLSession {
  var locations: LocationTable { LocationTable(session: self) }
}
