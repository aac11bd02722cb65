import AtelierProtocol

/// What replaced expired credits of a hold.
extension CreditGrantTable {
  /// The source of the grant that replaces expired credits of a hold.
  static func makegoodSource(ofHold hold: String, of grant: String) -> String { "makegood:\(hold):\(grant)" }

  /// The same, as an SQL expression.
  private static func makegoodSource(hold: String, grant: String) -> String { "'makegood:' || \(hold) || ':' || \(grant)" }

  /// The grant whose expired credits another one replaced, as an SQL expression of the other's source: the id with which
  /// this ends.
  static func replacedGrant(bySource source: String) -> String {
    "substr(\(source), length(rtrim(\(source), '\(identifierCharacters)')) + 1)"
  }

  /// All characters of which ids consist.
  private static let identifierCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
}

// MARK: What is held

/// Credits of one grant that a hold took, and what decides about them if they are released.
struct HeldCredits {
  var grant: String
  var amount: Int
  var expires: Timestamp?
  /// Whether the purchase of the grant was refunded.
  var isRefunded: Bool
  /// Whether an operator gave them, as ``RevocableCredits/isGift``.
  var isGift: Bool
}

extension CreditGrantTable {
  /// The credits that the hold of a generation took from each grant, in their order.
  func held(for generation: GenerationID) throws -> [HeldCredits] {
    try session.rows(Self.held(for: generation)).map { row in
      HeldCredits(
        grant: try row.value("grant_id"), amount: try row.value("amount"), expires: try row.time("expires"),
        isRefunded: try row.value("is_refunded"), isGift: try row.value("is_gift"))
    }
  }

  static func held(for generation: GenerationID) -> SQLQuery {
    SQLQuery(
      """
      SELECT transfer.grant_id AS grant_id, transfer.amount AS amount, credit_grant.expires AS expires,
        CASE WHEN EXISTS (SELECT 1 FROM grant_refund WHERE grant_refund.grant_id = credit_grant.id)
          THEN 1 ELSE 0 END AS is_refunded,
        CASE WHEN \(giftCondition) THEN 1 ELSE 0 END AS is_gift
      FROM hold CROSS JOIN transfer ON transfer.hold_id = hold.id AND transfer.kind = 'hold'
        CROSS JOIN credit_grant ON credit_grant.id = transfer.grant_id
      WHERE hold.generation_id = ? ORDER BY transfer.seq
      """,
      [generation.rawValue])
  }
}

// MARK: What an operator gave

/// Available credits, as an operator takes them back.
struct RevocableCredits {
  var grant: String
  var available: Int
  /// Whether an operator gave them.
  var isGift: Bool
}

extension CreditGrantTable {
  /// Whether an operator gave the credits of a grant, singly or by the month, or those that they replace, as an SQL
  /// expression.
  private static let giftCondition = """
    (credit_grant.kind = 'operator' OR credit_grant.kind IN ('period', 'makegood') AND EXISTS (
      WITH RECURSIVE origin (source) AS (
        SELECT credit_grant.source_key
        UNION ALL
        SELECT original.source_key FROM origin
        CROSS JOIN credit_grant AS original ON original.id = \(replacedGrant(bySource: "source"))
        WHERE source > 'makegood:' AND source < 'makegood;' OR source > 'merged:' AND source < 'merged;'
      )
      SELECT 1 FROM origin
      WHERE source > 'premium:\(Subscription.givenPrefix)' AND source < 'premium:operator;'))
    """

  /// Whether the credits of a grant were given for the source `?2`, perhaps to an account that was merged into this one, as
  /// an SQL expression.
  private static let isForSource = """
    EXISTS (
      WITH RECURSIVE \(originOfGrant)
      SELECT 1 FROM origin WHERE source = ?2)
    """

  /// The available credits of an account, in the order in which an operator takes them back: those granted for the
  /// source first, then other gifts.
  func revocable(from account: AccountID, for source: String) throws -> [RevocableCredits] {
    try session.rows(
      """
      SELECT id, available, CASE WHEN \(Self.giftCondition) THEN 1 ELSE 0 END AS is_gift
      FROM credit_grant JOIN grant_balance ON grant_id = id
      WHERE account = ?1 AND available > 0
      ORDER BY CASE WHEN \(Self.isForSource) THEN 0 ELSE 1 END, is_gift DESC, \(Self.spendingOrder)
      """,
      [account.rawValue, source]
    ).map { row in
      RevocableCredits(
        grant: try row.value("id"), available: try row.value("available"), isGift: try row.value("is_gift"))
    }
  }

  /// Credits that the operator gave and that were spent, less what was taken back although it was not there: negative
  /// when that is more.
  func spentGifts(of account: AccountID) throws -> Int {
    try session.value(
      """
      SELECT COALESCE((
          SELECT sum(transfer.amount) FROM credit_grant
          CROSS JOIN transfer ON transfer.grant_id = credit_grant.id
          WHERE credit_grant.account IN \(AccountTable.family(of: "?1")) AND \(Self.giftCondition)
            AND (transfer.kind = 'capture' OR \(Self.isPayment))
        ), 0) - \(Self.debts(of: "?1")) AS spent
      """,
      [account.rawValue]) ?? 0
  }
}

// MARK: Refunds

/// A grant whose purchase is taken back.
struct RefundedGrant {
  var id: String
  var account: AccountID
  var available: Int
}

extension CreditGrantTable {
  func insertRefund(of grant: String, created: Timestamp) throws {
    try LedgerTable.grantRefunds.insert([grant, created.milliseconds], into: session)
  }

  /// The grants of a purchase that were not refunded, with what replaced their credits after these had expired, or after
  /// their account had been merged into another.
  /// - Parameter prefix: the source of the grants, or what precedes a colon in it.
  func refundable(ofSource prefix: String) throws -> [RefundedGrant] {
    try continuing(
      "source_key = ?1 OR (source_key > ?1 || ':' AND source_key < ?1 || ';')", [prefix],
      where: "NOT EXISTS (SELECT 1 FROM grant_refund WHERE grant_refund.grant_id = credit_grant.id)")
  }

  /// The grant for a source, with those in which its credits went on.
  func continuing(_ source: String) throws -> [RefundedGrant] { try continuing("source_key = ?1", [source], where: "TRUE") }

  private func continuing(_ first: String, _ values: SQLValues, where condition: String) throws -> [RefundedGrant] {
    let rows = try session.rows(
      """
      WITH RECURSIVE refunded (id) AS (
        SELECT id FROM credit_grant
        WHERE \(first)
        UNION
        SELECT continued.id FROM refunded CROSS JOIN credit_grant AS continued ON continued.source_key IN (
          SELECT \(Self.makegoodSource(hold: "transfer.hold_id", grant: "refunded.id")) FROM transfer
          WHERE transfer.grant_id = refunded.id AND transfer.kind = 'hold'
          UNION ALL SELECT '\(Self.mergedPrefix)' || refunded.id)
      )
      SELECT credit_grant.id AS id, account, available FROM refunded
      CROSS JOIN credit_grant ON credit_grant.id = refunded.id
      CROSS JOIN grant_balance ON grant_balance.grant_id = refunded.id
      WHERE \(condition)
      """,
      values)
    return try rows.map { row in
      RefundedGrant(
        id: try row.value("id"), account: AccountID(rawValue: try row.value("account")),
        available: try row.value("available"))
    }
  }
}

// MARK: What an account owes

extension CreditGrantTable {
  /// Credits that were taken back after they had been spent, and that no later grant has paid for.
  func shortfall(of account: AccountID) throws -> Int { try session.value(Self.shortfall(of: account)) ?? 0 }

  static func shortfall(of account: AccountID) -> SQLQuery {
    SQLQuery("SELECT \(shortfall(of: "?1")) AS shortfall", [account.rawValue])
  }

  /// The same, as an SQL expression.
  ///
  /// A refunded grant is owed with everything that left it otherwise than by its refund or its expiry: what was spent,
  /// and what paid an older debt, which is thereby unpaid again. What an account owed that was merged into this one, this
  /// one owes. Only what left a refunded grant is looked at, whatever else an account has spent.
  static func shortfall(of account: String) -> String {
    """
    (COALESCE((
        SELECT sum((
          SELECT sum(transfer.amount) FROM transfer
          WHERE transfer.grant_id = credit_grant.id AND (transfer.kind = 'capture' OR \(isPayment))))
        FROM credit_grant CROSS JOIN grant_refund ON grant_refund.grant_id = credit_grant.id
        WHERE credit_grant.account IN \(AccountTable.family(of: account))
      ), 0)
      + \(debts(of: account))
      - COALESCE((
        SELECT sum(amount) FROM shortfall_payment
        WHERE shortfall_payment.account IN \(AccountTable.family(of: account))), 0))
    """
  }

  /// What operators took back although it was not there, as an SQL expression.
  static func debts(of account: String) -> String {
    """
    COALESCE((
      SELECT sum(credit_grant.amount) FROM credit_grant
      WHERE credit_grant.account IN \(AccountTable.family(of: account)) AND \(isDebt)), 0)
    """
  }

  /// With which the source of a grant begins that is owed: see ``Ledger/revoke(_:from:for:because:owes:)``.
  static let debtPrefix = "owed:"

  /// Whether a grant is such a debt, as an SQL expression. It is to be looked for by its account, hence the empty text:
  /// no index has the concatenation.
  static let isDebt = "credit_grant.source_key || '' > '\(debtPrefix)' AND credit_grant.source_key || '' < 'owed;'"

  /// Whether a transfer pays what is owed, as an SQL expression.
  static let isPayment = """
    transfer.kind = 'revoke' AND EXISTS (SELECT 1 FROM shortfall_payment WHERE transfer_seq = transfer.seq)
    """
}
