import AtelierProtocol
import GRDB

extension Ledger {
  /// The credit history of an account, newest first: the credits that one generation took from several buckets are one
  /// entry. Its id is the number of its first transfer among the account's own: it tells nothing of other accounts.
  /// - Parameter before: only entries with a lower number.
  func entries(
    of account: AccountID, before number: Int64?, limit: Int
  ) throws -> [CreditsHistory.Entry] {
    let cursor = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT min(numbered.number) AS number, max(numbered.number), numbered.kind AS kind, numbered.created AS created,
            sum(numbered.amount) AS amount, numbered.available_after AS available_after, numbered.hold_id AS hold_id,
            CASE count(DISTINCT credit_grant.kind) WHEN 1 THEN credit_grant.kind END AS bucket,
            CASE numbered.kind WHEN 'revoke' THEN numbered.reason ELSE credit_grant.reason END AS reason
          FROM (
            SELECT *, row_number() OVER (ORDER BY seq) AS number FROM transfer WHERE account = ?1
          ) AS numbered JOIN credit_grant ON credit_grant.id = grant_id
          WHERE numbered.kind IN ('grant', 'capture', 'expire', 'revoke')
            -- What is owed was never there.
            AND NOT (\(Self.isDebt))
          GROUP BY CASE numbered.kind WHEN 'capture' THEN numbered.hold_id ELSE numbered.number END
          HAVING ?2 IS NULL OR min(numbered.number) < ?2
          ORDER BY min(numbered.number) DESC LIMIT ?3
          """),
      arguments: [account.rawValue, number, limit])
    return try Array(cursor.map(entry))
  }

  private func entry(_ row: Row) throws -> CreditsHistory.Entry {
    let kind: Transfer.Kind = try row.coded("kind")
    let amount: Int = try row.value("amount")
    let hold: String? = try row.optional("hold_id")
    let number: Int64 = try row.value("number")
    var entry = CreditsHistory.Entry(
      id: String(number), date: Timestamp(milliseconds: try row.value("created")), kind: kind.historyKind,
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

  /// Credits the account has spent since `start`, or ever.
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

/// One transfer of credits of one bucket: a balanced double entry.
struct Transfer {
  enum Kind: String, CaseIterable {
    case grant, hold, capture, release, expire, revoke

    var source: String {
      switch self {
      case .grant: "issued"
      case .hold, .expire, .revoke: "available"
      case .capture, .release: "held"
      }
    }

    var destination: String {
      switch self {
      case .grant, .release: "available"
      case .hold: "held"
      case .capture: "spent"
      case .expire: "expired"
      case .revoke: "revoked"
      }
    }

    /// Its effect on available credits: 1, 0 or −1.
    var direction: Int { (destination == "available" ? 1 : 0) - (source == "available" ? 1 : 0) }
  }

  var seq: Int64
  var kind: Kind
  var account: AccountID
  var grant: String
  var hold: String?
  var amount: Int
  /// The available credits of the account after it.
  var availableAfter: Int
  /// The operator's reason.
  var reason: String?
  var created: Timestamp
  /// Empty for the first.
  var previousHash: String

  /// - Returns: its hash.
  func insert(into database: Database) throws -> String {
    try LedgerTable.transfers.insert(
      [
        seq, kind.rawValue, account.rawValue, grant, hold, kind.source, kind.destination, amount, availableAfter,
        reason, created.milliseconds, previousHash,
      ], into: database)
  }
}

extension Transfer {
  /// The values that the next transfer builds on.
  struct Last {
    var seq: Int64
    var hash: String
    var created: Timestamp
  }

  static func last(in database: Database) throws -> Last? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT seq, hash, created FROM transfer WHERE seq = (SELECT max(seq) FROM transfer)"))
    return try row.map { row in
      Last(
        seq: try row.value("seq"), hash: try row.value("hash"),
        created: Timestamp(milliseconds: try row.value("created")))
    }
  }
}
