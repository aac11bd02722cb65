import AtelierProtocol
import GRDB

extension Ledger {
  /// Takes back the credits of a refunded purchase: available credits now, held credits when they are released; what was
  /// spent, or paid an older debt, is owed.
  /// - Parameter prefix: the prefix of the sources of its grants.
  func refund(grantsOf prefix: String) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        WITH RECURSIVE refunded (id) AS (
          SELECT id FROM credit_grant
          WHERE source_key = ?1 OR (source_key > ?1 || ':' AND source_key < ?1 || ';')
          UNION
          -- What replaced its credits after they had expired.
          SELECT makegood.id FROM refunded
          CROSS JOIN transfer ON transfer.grant_id = refunded.id AND transfer.kind = 'hold'
          CROSS JOIN credit_grant AS makegood
            ON makegood.source_key = \(Self.makegoodSource(hold: "transfer.hold_id", grant: "refunded.id"))
        )
        SELECT credit_grant.id AS id, account, available FROM refunded
        CROSS JOIN credit_grant ON credit_grant.id = refunded.id
        CROSS JOIN grant_balance ON grant_balance.grant_id = refunded.id
        WHERE NOT EXISTS (SELECT 1 FROM grant_refund WHERE grant_refund.grant_id = refunded.id)
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

  /// The source of the grant that replaces expired credits of a hold, as an SQL expression.
  private static func makegoodSource(hold: String, grant: String) -> String { "'makegood:' || \(hold) || ':' || \(grant)" }

  /// The grant whose expired credits another one replaced, as an SQL expression of the other's source.
  static func replacedGrant(bySource source: String) -> String {
    "substr(\(source), 10 + instr(substr(\(source), 10), ':'))"
  }

  /// The source of the grant that replaces expired credits of a hold.
  static func makegoodSource(ofHold hold: String, of grant: String) -> String { "makegood:\(hold):\(grant)" }
}

// MARK: What an account owes

extension Ledger {
  /// Credits that were taken back after they had been spent, and that no later grant has paid for.
  func shortfall(of account: AccountID) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT \(Self.shortfall(of: "?1"))"), arguments: [account.rawValue]) ?? 0
  }

  /// The same, as an SQL expression.
  ///
  /// A refunded grant is owed with everything that left it otherwise than by its refund or its expiry: what was spent,
  /// and what paid an older debt, which is thereby unpaid again.
  static func shortfall(of account: String) -> String {
    """
    (coalesce((
        SELECT sum(transfer.amount) FROM credit_grant
        CROSS JOIN grant_refund ON grant_refund.grant_id = credit_grant.id
        CROSS JOIN transfer ON transfer.grant_id = credit_grant.id
        WHERE credit_grant.account = \(account) AND (transfer.kind = 'capture' OR \(isPayment))
      ), 0)
      + \(debts(of: account))
      - coalesce((SELECT sum(amount) FROM shortfall_payment WHERE shortfall_payment.account = \(account)), 0))
    """
  }

  /// What operators took back although it was not there, as an SQL expression.
  static func debts(of account: String) -> String {
    """
    coalesce((
      SELECT sum(credit_grant.amount) FROM credit_grant
      WHERE credit_grant.account = \(account) AND \(isDebt)), 0)
    """
  }

  /// With which the source of a grant begins that is owed: see ``revoke(_:from:for:because:owes:)``.
  static let debtPrefix = "owed:"

  /// Whether a grant is such a debt, as an SQL expression. It is to be looked for by its account, hence the sign.
  static let isDebt = "+source_key > '\(debtPrefix)' AND +source_key < 'owed;'"

  /// Whether a transfer pays what is owed, as an SQL expression.
  static let isPayment = """
    transfer.kind = 'revoke' AND EXISTS (SELECT 1 FROM shortfall_payment WHERE transfer_seq = transfer.seq)
    """

  /// Pays the shortfall with credits of a grant.
  /// - Parameters:
  ///   - amount: how many of its credits are available for that.
  ///   - hold: the hold that has just released them.
  func payShortfall(of account: AccountID, with amount: Int, of grant: String, hold: String? = nil) throws {
    let payment = min(try shortfall(of: account), amount)
    guard payment > 0 else { return }
    let transfer = try move(.revoke, payment, of: grant, account: account, hold: hold)
    try LedgerTable.shortfallPayments.insert([transfer.seq, account.rawValue, payment], into: database)
  }
}
