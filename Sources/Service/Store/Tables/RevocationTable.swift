import AtelierProtocol

/// The SQL of the table `revocation`, what an operator took back or wants taken back, with `revocation_payment` and
/// `revocation_effect`, and of `shortfall_payment`.
struct RevocationTable {
  let session: any SQLSession

  /// What a key of an operator was used to take back; nil when it was not.
  func keyed(by source: String) throws -> KeyedRevocation? {
    try session.row(
      """
      SELECT account_digest, amount, reason, payment,
        CASE WHEN revocation_effect.source IS NULL THEN 1 ELSE 0 END AS waits, COALESCE(revoked, 0) AS revoked
      FROM revocation LEFT JOIN revocation_payment ON revocation_payment.source = revocation.source
        LEFT JOIN revocation_effect ON revocation_effect.source = revocation.source
      WHERE revocation.source = ?
      """,
      [source]
    ).map { row in
      KeyedRevocation(
        credits: try KeyedCredits(row), payment: try row.optional("payment"), isWaiting: try row.value("waits"),
        revoked: try row.value("revoked"))
    }
  }

  /// - Parameter payment: the source of the grant that it is a refund of; nil for none.
  func insert(_ revocation: KeyedCredits, for source: String, of payment: String?, created: Timestamp) throws {
    try LedgerTable.revocations.insert(
      [source, revocation.digest, revocation.amount, revocation.reason, payment != nil, created.milliseconds],
      into: session)
    if let payment { try LedgerTable.revocationPayments.insert([source, payment], into: session) }
  }

  /// Records what a revocation did.
  /// - Parameter transfers: those that it consists of, in their order.
  func insertEffect(
    of source: String, revoking amount: Int, by transfers: [Int64], created: Timestamp
  ) throws {
    try LedgerTable.revocationEffects.insert(
      [source, amount, transfers.first, transfers.last, created.milliseconds], into: session)
  }

  /// Records that a transfer pays what an account owes.
  func insertPayment(_ amount: Int, by transfer: Int64, of account: AccountID) throws {
    try LedgerTable.shortfallPayments.insert([transfer, account.rawValue, amount], into: session)
  }
}

/// A revocation that was recorded under a key.
struct KeyedRevocation {
  var credits: KeyedCredits
  /// The source of the grant that it is a refund of.
  var payment: String?
  /// Whether it waits for that payment.
  var isWaiting: Bool
  /// What it has taken back or recorded as owed.
  var revoked: Int
}

// MARK: Refunds of payments

/// A refund that takes its credits from a payment when that comes.
struct WaitingRefund {
  var source: String
  var amount: Int
  var reason: String
}

extension RevocationTable {
  /// The refunds of a payment that were reported before it and wait for it, in the order in which they were.
  func waiting(for payment: String) throws -> [WaitingRefund] {
    try session.rows(
      """
      SELECT revocation.source AS source, amount, reason
      FROM revocation_payment CROSS JOIN revocation ON revocation.source = revocation_payment.source
      WHERE payment = ? AND NOT EXISTS (
        SELECT 1 FROM revocation_effect WHERE revocation_effect.source = revocation.source)
      ORDER BY created, revocation.source
      """,
      [payment]
    ).map { row in
      WaitingRefund(
        source: try row.value("source"), amount: try row.value("amount"), reason: try row.value("reason"))
    }
  }

  /// The refund of a payment that was owed by an account before the payment came, and not by any account since: that one was
  /// deleted meanwhile. Nil for none.
  func lapsed(for payment: String) throws -> (amount: Int, reason: String)? {
    try session.row(
      """
      SELECT revocation.amount AS amount, revocation.reason AS reason
      FROM revocation CROSS JOIN revocation_effect ON revocation_effect.source = revocation.source
        CROSS JOIN revocation_payment ON revocation_payment.source = revocation.source
        CROSS JOIN transfer ON seq = first_transfer
      WHERE revocation.source = ?1 AND payment = ?1 AND \(DeletedAccount.isDeleted("transfer.account"))
      """,
      [payment]
    ).map { (amount: try $0.value("amount"), reason: try $0.value("reason")) }
  }

  /// How many credits the refunds of a payment have taken back or left owed.
  func refunded(of payment: String) throws -> Int {
    try session.value("SELECT \(Self.refunded(of: "?1")) AS refunded", [payment]) ?? 0
  }

  /// The same, as an SQL expression.
  static func refunded(of payment: String) -> String {
    """
    COALESCE((
      SELECT sum(revoked) FROM revocation_payment
      CROSS JOIN revocation_effect ON revocation_effect.source = revocation_payment.source
      WHERE payment = \(payment)), 0)
    """
  }
}

extension SQLSession {
  var revocations: RevocationTable { RevocationTable(session: self) }
}
