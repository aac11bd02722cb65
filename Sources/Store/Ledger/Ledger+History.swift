import AtelierProtocol
import GRDB

extension Ledger {
  /// What became of an account's credits, newest first: what one generation took from several buckets is one entry.
  /// - Parameter before: entries whose first transfer is earlier than this one.
  func entries(
    of account: AccountID, before seq: Int64?, limit: Int
  ) throws -> [(seq: Int64, entry: CreditsHistory.Entry)] {
    let cursor = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT min(transfer.seq) AS seq, max(transfer.seq), transfer.kind AS kind, transfer.created AS created,
            sum(transfer.amount) AS amount, transfer.available_after AS available_after, transfer.hold_id AS hold_id,
            CASE count(DISTINCT credit_grant.kind) WHEN 1 THEN credit_grant.kind END AS bucket,
            CASE transfer.kind WHEN 'revoke' THEN transfer.reason ELSE credit_grant.reason END AS reason
          FROM transfer JOIN credit_grant ON credit_grant.id = grant_id
          WHERE transfer.account = ?1 AND transfer.kind IN ('grant', 'capture', 'expire', 'revoke')
          GROUP BY CASE transfer.kind WHEN 'capture' THEN transfer.hold_id ELSE transfer.seq END
          HAVING ?2 IS NULL OR min(transfer.seq) < ?2
          ORDER BY min(transfer.seq) DESC LIMIT ?3
          """),
      arguments: [account.rawValue, seq, limit])
    return try Array(cursor.map { (try $0.value("seq"), try entry($0)) })
  }

  private func entry(_ row: Row) throws -> CreditsHistory.Entry {
    let kind: Transfer.Kind = try row.coded("kind")
    let amount: Int = try row.value("amount")
    let hold: String? = try row.optional("hold_id")
    let seq: Int64 = try row.value("seq")
    var entry = CreditsHistory.Entry(
      id: String(seq), date: Timestamp(milliseconds: try row.value("created")), kind: kind.historyKind,
      amount: kind == .grant ? amount : -amount, balanceAfter: try row.value("available_after"),
      bucket: try row.optional("bucket", as: String.self).flatMap(CreditKind.init(rawValue:)),
      reason: try row.optional("reason"))
    if let hold { try addGeneration(ofHold: hold, to: &entry) }
    return entry
  }

  private func addGeneration(ofHold hold: String, to entry: inout CreditsHistory.Entry) throws {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT generation_id, recipe, prompt FROM hold LEFT JOIN generation ON generation.id = generation_id
          WHERE hold.id = ?
          """),
      arguments: [hold])
    guard let row else { return }
    entry.generationId = GenerationID(rawValue: try row.value("generation_id"))
    entry.recipe = try row.optional("recipe", as: String.self).flatMap(Recipe.init(rawValue:))
    entry.prompt = try row.optional("prompt", as: String.self).flatMap(CreditsHistory.Entry.summary)
  }

  /// Credits the account has spent since a moment, or ever.
  func used(by account: AccountID, since start: Timestamp? = nil) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT coalesce(sum(amount), 0) FROM transfer
          WHERE account = ?1 AND kind = 'capture' AND (?2 IS NULL OR created >= ?2)
          """),
      arguments: [account.rawValue, start?.milliseconds]) ?? 0
  }
}

extension Transfer.Kind {
  fileprivate var historyKind: CreditsHistory.Entry.Kind {
    switch self {
    case .expire: .expiry
    case .revoke: .revocation
    case .capture, .hold: .use
    case .grant, .release: .grant
    }
  }
}
