import AtelierProtocol
import GRDB

extension Store {
  /// How far ahead turns at the geocoder may be given, in milliseconds. A later one was given by a wrong clock.
  private static let longestLineMs: Int64 = 120_000

  /// The kept answer to a question for the geocoder.
  /// - Parameter digest: identifies the question.
  /// - Returns: nil when there is none, or its time is over.
  public func locationAnswer(_ digest: String) async throws(AtelierError) -> [FoundPlace]? {
    let now = surroundings.now().milliseconds
    return try await read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT answer FROM location_answer WHERE digest = ? AND created <= ? AND expires > ?")
      let answer = try String.fetchOne(statement, arguments: [digest, now, now])
      return try answer.map { try StoredText.decode(from: $0) }
    }
  }

  /// Keeps an answer of the geocoder, in place of an earlier one to the same question.
  public func keepLocationAnswer(
    _ places: [FoundPlace], digest: String, lifetimeMs: Int64
  ) async throws(AtelierError) {
    let now = surroundings.now().milliseconds
    let (expires, overflow) = now.addingReportingOverflow(lifetimeMs)
    guard !overflow, lifetimeMs > 0 else { return }
    let answer: String
    do { answer = try StoredText.json(places) } catch { throw atelierError(error) }
    try await write(isDurable: false) { database in
      try database.cachedStatement(
        sql: """
          INSERT INTO location_answer (digest, answer, created, expires) VALUES (?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET answer = excluded.answer, created = excluded.created, expires = excluded.expires
          """
      ).execute(arguments: [digest, answer, now, expires])
    }
  }

  /// Takes the next turn at the geocoder, after those that any process has taken.
  /// - Parameter intervalMs: the least time between two turns, in milliseconds.
  /// - Returns: how long to wait for it, in milliseconds.
  public func takeGeocoderTurn(intervalMs: Int64) async throws(AtelierError) -> Int64 {
    try await write(isDurable: false) { [self] database in
      let now = surroundings.now().milliseconds
      let next = try Int64.fetchOne(
        try database.cachedStatement(sql: "SELECT next FROM geocoder_turn WHERE id = 1"))
      let turn = next.flatMap { (now...now + Self.longestLineMs).contains($0) ? $0 : nil } ?? now
      try database.cachedStatement(
        sql: "INSERT INTO geocoder_turn (id, next) VALUES (1, ?) ON CONFLICT DO UPDATE SET next = excluded.next"
      ).execute(arguments: [turn + intervalMs])
      return turn - now
    }
  }

  /// Forgets the answers whose time is over.
  func eraseExpiredLocationAnswers() async throws(AtelierError) {
    let now = surroundings.now().milliseconds
    let isDue = try await read { database in
      let earliest = try database.cachedStatement(sql: "SELECT min(expires) FROM location_answer")
      return try Int64.fetchOne(earliest).map { $0 <= now } ?? false
    }
    guard isDue else { return }
    try await write(isDurable: false) { database in
      try database.cachedStatement(sql: "DELETE FROM location_answer WHERE expires <= ?").execute(arguments: [now])
    }
  }
}
