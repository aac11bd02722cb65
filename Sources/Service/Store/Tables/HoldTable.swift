import AtelierProtocol

/// The SQL of the table `hold`, with its ends.
struct HoldTable {
  let session: any SQLSession

  /// A hold that has not ended.
  struct OpenHold {
    var id: String
    var account: AccountID
    var amount: Int
  }

  /// The hold of a generation that has not ended; nil where nothing is held.
  func open(for generation: GenerationID) throws -> OpenHold? {
    try session.row(Self.open(for: generation)).map { row in
      OpenHold(
        id: try row.value("id"), account: AccountID(rawValue: try row.value("account")), amount: try row.value("amount"))
    }
  }

  static func open(for generation: GenerationID) -> SQLQuery {
    SQLQuery(
      """
      SELECT id, account, amount FROM hold WHERE generation_id = ?
        AND NOT EXISTS (SELECT 1 FROM hold_end WHERE hold_id = id)
      """,
      [generation.rawValue])
  }

  /// The effect of a generation on its account's credits; nil when nothing was held for it.
  func credits(of generation: GenerationID) throws -> Credits? {
    try credits(ofGenerations: [generation.rawValue])[generation.rawValue]
  }

  /// What credits were held for.
  struct Purpose {
    var generation: GenerationID
    /// Nil when the generation was deleted.
    var recipe: Recipe?
    var prompt: String?
  }

  /// What these holds were for, by their ids.
  func purposes(of holds: [String]) throws -> [String: Purpose] {
    if holds.isEmpty { return [:] }
    let rows = try session.rows(
      """
      SELECT hold.id AS id, generation_id, recipe, prompt
      FROM hold LEFT JOIN generation ON generation.id = generation_id
      WHERE hold.id IN (SELECT value FROM json_each(?))
      """,
      [try StoredText.json(holds)])
    var purposes: [String: Purpose] = [:]
    for row in rows {
      let hold: String = try row.value("id")
      purposes[hold] = Purpose(
        generation: GenerationID(rawValue: try row.value("generation_id")), recipe: try row.identifier("recipe"),
        prompt: try row.optional("prompt"))
    }
    return purposes
  }

  func insert(
    _ hold: String, of amount: Int, for generation: GenerationID, of account: AccountID, created: Timestamp
  ) throws {
    try LedgerTable.holds.insert(
      [hold, account.rawValue, generation.rawValue, amount, created.milliseconds], into: session)
  }

  /// - Parameters:
  ///   - captured: how many of its credits were spent.
  ///   - amount: how many were held.
  func insertEnd(of hold: OpenHold, captured: Int, because reason: String, created: Timestamp) throws {
    let outcome = captured == 0 ? "released" : captured == hold.amount ? "captured" : "partial"
    try LedgerTable.holdEnds.insert([hold.id, outcome, captured, reason, created.milliseconds], into: session)
  }
}

extension SQLSession {
  var holds: HoldTable { HoldTable(session: self) }
}
