import AtelierProtocol

/// The SQL of the table `limit_event`: when requests were accepted, for the limits on how often.
struct LimitEventTable {
  let session: any SQLSession

  /// The events that a limit counts: after `start`, and not after `end`.
  struct Window {
    var account: AccountID
    /// Nil for all recipes.
    var recipe: Recipe?
    var start: Timestamp
    var end: Timestamp

    fileprivate var condition: String {
      "account = ? AND created > ? AND created <= ?" + (recipe == nil ? "" : " AND recipe = ?")
    }

    fileprivate var values: SQLValues {
      let values: SQLValues = [account.rawValue, start.milliseconds, end.milliseconds]
      return recipe.map { values + [$0.rawValue] } ?? values
    }
  }

  func count(in window: Window) throws -> Int { try session.value(Self.count(in: window)) ?? 0 }

  static func count(in window: Window) -> SQLQuery {
    SQLQuery("SELECT count(*) AS count FROM limit_event WHERE \(window.condition)", window.values)
  }

  /// When an event of a window was; nil when there are not as many.
  /// - Parameter position: 0 for the oldest.
  func time(ofEventAt position: Int, in window: Window) throws -> Timestamp? {
    try session.row(
      "SELECT created FROM limit_event WHERE \(window.condition) ORDER BY created LIMIT 1 OFFSET ?",
      window.values + [position])?.time("created")
  }

  func insert(_ generation: GenerationID, of account: AccountID, recipe: Recipe, created: Timestamp) throws {
    try session.run(
      "INSERT INTO limit_event (account, created, generation_id, recipe) VALUES (?, ?, ?, ?)",
      [account.rawValue, created.milliseconds, generation.rawValue, recipe.rawValue])
  }

  func delete(of account: AccountID, before time: Timestamp) throws {
    try session.run("DELETE FROM limit_event WHERE account = ? AND created < ?", [account.rawValue, time.milliseconds])
  }
}

extension SQLSession {
  var limitEvents: LimitEventTable { LimitEventTable(session: self) }
}
