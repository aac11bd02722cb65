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

  func count(in window: Window) throws -> Int {
    try session.value("SELECT count(*) AS count FROM limit_event WHERE \(window.condition)", window.values) ?? 0
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

extension GenerationTable {
  /// How many generations of an account have not ended, without those that wait in the queue.
  /// - Parameter recipe: nil for all recipes.
  func unqueuedCount(of account: AccountID, recipe: Recipe?) throws -> Int {
    let values: SQLValues = [account.rawValue]
    return try session.value(
      """
      SELECT count(*) AS count FROM generation INDEXED BY generation_open_by_account
      WHERE account = ? AND state IN ('queued', 'running')\(recipe == nil ? "" : " AND recipe = ?")
        AND NOT EXISTS (SELECT 1 FROM queued_generation WHERE generation_id = generation.id)
      """,
      recipe.map { values + [$0.rawValue] } ?? values) ?? 0
  }
}

extension SQLSession {
  var limitEvents: LimitEventTable { LimitEventTable(session: self) }
}
