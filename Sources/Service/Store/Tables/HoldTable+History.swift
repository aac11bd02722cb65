import AtelierProtocol

/// What history shows of credits.
extension HoldTable {
  /// The effect of generations on the credits of their accounts, by generation; nothing for those without a hold.
  func credits(ofGenerations ids: [String]) throws -> [String: Credits] {
    Dictionary(
      try session.rows(Self.credits(ofGenerations: ids)).map { (try $0.value("generation_id"), try Credits($0)) },
      uniquingKeysWith: { first, _ in first })
  }

  static func credits(ofGenerations ids: [String]) throws -> SQLQuery {
    SQLQuery(
      """
      SELECT hold.generation_id AS generation_id, hold.amount AS amount, captured,
        (
          SELECT available_after FROM transfer WHERE transfer.hold_id = hold.id ORDER BY seq DESC LIMIT 1
        ) AS available_after
      FROM hold LEFT JOIN hold_end ON hold_end.hold_id = hold.id
      WHERE hold.generation_id IN (SELECT value FROM json_each(?))
      """,
      [try StoredText.json(ids)])
  }

  /// The credits held for generations that have not ended.
  func heldForOpenGenerations() throws -> Int {
    try session.value(
      """
      SELECT COALESCE(sum(hold.amount), 0) AS amount
      FROM generation CROSS JOIN hold ON hold.generation_id = generation.id
      WHERE state IN ('queued', 'running')
      """) ?? 0
  }
}

extension Credits {
  fileprivate init(_ row: SQLRow) throws {
    let held: Int = try row.value("amount")
    let captured = try row.optional("captured", as: Int.self)
    self.init(
      held: held, charged: captured ?? 0, released: captured.map { held - $0 } ?? 0,
      balanceAfter: try row.optional("available_after"))
  }
}
