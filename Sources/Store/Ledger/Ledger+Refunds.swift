import AtelierProtocol
import GRDB

extension Ledger {
  /// Takes back what a refunded purchase had given: what is left of it goes, what is held goes when it comes back, what
  /// was spent is owed.
  /// - Parameter prefix: how the sources of its grants begin.
  func refund(grantsOf prefix: String) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT id, account, available FROM credit_grant CROSS JOIN grant_balance ON grant_id = id
        WHERE (source_key = ?1 OR (source_key > ?1 || ':' AND source_key < ?1 || ';'))
          AND NOT EXISTS (SELECT 1 FROM grant_refund WHERE grant_refund.grant_id = id)
        """,
      arguments: [prefix])
    for row in rows {
      let grant: String = try row.value("id")
      try LedgerTable.grantRefunds.insert([grant, now.milliseconds], into: database)
      let left: Int = try row.value("available")
      if left > 0 { _ = try move(.revoke, left, of: grant, account: AccountID(rawValue: try row.value("account"))) }
    }
  }

  func isRefunded(_ grant: String) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM grant_refund WHERE grant_id = ?)"),
      arguments: [grant]) ?? false
  }

  /// Credits that were spent though their purchase was refunded, as far as no later grant has paid for them.
  func shortfall(of account: AccountID) throws -> Int {
    let owed = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT (
              SELECT coalesce(sum(transfer.amount), 0) FROM grant_refund
              JOIN credit_grant ON credit_grant.id = grant_refund.grant_id
              JOIN transfer ON transfer.grant_id = grant_refund.grant_id AND transfer.kind = 'capture'
              WHERE credit_grant.account = ?1
            ) - (SELECT coalesce(sum(amount), 0) FROM shortfall_payment WHERE account = ?1)
          """),
      arguments: [account.rawValue])
    return owed ?? 0
  }

  /// Pays what is owed with credits that have just come.
  func payShortfall(of account: AccountID, with grant: CreditGrant) throws {
    let amount = min(try shortfall(of: account), grant.amount)
    guard amount > 0 else { return }
    let transfer = try move(.revoke, amount, of: grant.id, account: account)
    try LedgerTable.shortfallPayments.insert([transfer.seq, account.rawValue, amount], into: database)
  }
}
