import AtelierProtocol

/// The SQL of the table `transfer`.
struct TransferTable {
  let session: any SQLSession

  /// - Returns: its hash.
  func insert(_ transfer: CreditTransfer) throws -> String {
    let hash = try LedgerTable.transfers.insert(
      [
        transfer.seq, transfer.kind.rawValue, transfer.account.rawValue, transfer.grant, transfer.hold,
        transfer.kind.source, transfer.kind.destination, transfer.amount, transfer.availableAfter, transfer.reason,
        transfer.created.milliseconds, transfer.previousHash,
      ], into: session)
    let row = SQLRow(
      columns: Self.lastColumns, values: ([transfer.seq, hash, transfer.created.milliseconds] as SQLValues).values)
    session.note([row], to: Self.last)
    return hash
  }

  static let last = SQLQuery(
    "SELECT \(lastColumns.names.joined(separator: ", ")) FROM transfer WHERE seq = (SELECT max(seq) FROM transfer)")
  private static let lastColumns = SQLColumns(["seq", "hash", "created"])

  /// What the next transfer builds on; nil before the first.
  func last() throws -> CreditTransfer.Last? {
    try session.row(Self.last).map { row in
      CreditTransfer.Last(
        seq: try row.value("seq"), hash: try row.value("hash"),
        created: Timestamp(milliseconds: try row.value("created")))
    }
  }

  /// The hash of a transfer; nil when there is no such transfer.
  func hash(of seq: Int64) throws -> String? {
    try session.value("SELECT hash FROM transfer WHERE seq = ?", [seq])
  }

  /// Credits that an account has spent since `start`; nil for ever.
  func used(by account: AccountID, since start: Timestamp?) throws -> Int {
    let used = "SELECT COALESCE(sum(amount), 0) AS used FROM transfer WHERE account = ? AND kind = 'capture'"
    guard let start else { return try session.value(used, [account.rawValue]) ?? 0 }
    return try session.value("\(used) AND created >= ?", [account.rawValue, start.milliseconds]) ?? 0
  }
}

// MARK: History

/// An entry of the credit history: the transfers of one kind that one generation or one cause made together.
struct TransferEntry {
  /// The number of its first transfer among the account's own.
  var number: Int64
  var kind: CreditTransfer.Kind
  var created: Timestamp
  var amount: Int
  /// The available credits of the account after it.
  var availableAfter: Int
  var hold: String?
  /// Nil for credits of several kinds.
  var bucket: CreditKind?
  var reason: String?

  fileprivate init(_ row: SQLRow) throws {
    number = try row.value("number")
    kind = try row.coded("kind")
    created = Timestamp(milliseconds: try row.value("created"))
    amount = try row.value("amount")
    availableAfter = try row.value("available_after")
    hold = try row.optional("hold_id")
    bucket = try row.identifier("bucket")
    reason = try row.optional("reason")
  }
}

extension TransferTable {
  /// The entries of an account's history, newest first.
  /// - Parameter before: only those with a lower number; nil for all.
  func entries(of account: AccountID, before number: Int64?, limit: Int) throws -> [TransferEntry] {
    let page = number == nil ? "" : " AND first_number < ?"
    var values: SQLValues = [account.rawValue]
    if let number { values += [number] }
    let rows = try session.rows(
      """
      SELECT first_number AS number, kind, created, amount, available_after, hold_id, bucket, reason FROM (
        \(Self.numberedParts)
      ) AS numbered_part
      WHERE numbered_part.number = last_number\(page) ORDER BY first_number DESC LIMIT ?
      """,
      values + [limit])
    return try rows.map(TransferEntry.init)
  }

  /// The transfers of an account that change what it has, each with what it has in common with the others of its entry:
  /// captures of one hold are one. What is owed was never there.
  private static let numberedParts = """
    SELECT numbered.number AS number, numbered.kind AS kind, numbered.created AS created,
      numbered.available_after AS available_after, numbered.hold_id AS hold_id,
      CASE numbered.kind WHEN 'revoke' THEN numbered.reason ELSE credit_grant.reason END AS reason,
      min(numbered.number) OVER entry AS first_number, max(numbered.number) OVER entry AS last_number,
      sum(numbered.amount) OVER entry AS amount,
      CASE WHEN min(credit_grant.kind) OVER entry = max(credit_grant.kind) OVER entry THEN credit_grant.kind END AS bucket
    FROM (
      SELECT *, row_number() OVER (ORDER BY seq) AS number FROM transfer WHERE account = ?
    ) AS numbered JOIN credit_grant ON credit_grant.id = numbered.grant_id
    WHERE numbered.kind IN ('grant', 'capture', 'expire', 'revoke', 'merge', 'forfeit') AND NOT (\(CreditGrantTable.isDebt))
    WINDOW entry AS (
      PARTITION BY CASE numbered.kind WHEN 'capture' THEN numbered.hold_id ELSE CAST(numbered.number AS TEXT) END)
    """
}

extension SQLSession {
  var transfers: TransferTable { TransferTable(session: self) }
}
