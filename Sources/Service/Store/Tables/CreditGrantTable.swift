import AtelierProtocol

/// The SQL of the table `credit_grant`, with the balance of each grant. `CreditGrantTable+Refunds.swift` has what was
/// taken back and is owed.
struct CreditGrantTable {
  let session: any SQLSession

  func insert(_ grant: CreditGrant) throws {
    try LedgerTable.grants.insert(
      [
        grant.id, grant.account.rawValue, grant.kind.rawValue, grant.source, grant.amount, grant.priority,
        grant.effective.milliseconds, grant.expires?.milliseconds, grant.reason, grant.created.milliseconds,
      ], into: session)
  }

  /// Whether credits were granted for a source.
  func exists(for source: String) throws -> Bool { try session.finds(Self.exists(for: source)) }

  static func exists(for source: String) -> SQLQuery {
    SQLQuery("SELECT 1 FROM credit_grant WHERE source_key = ?", [source])
  }

  /// Who has the credits that were granted for a source, or had them when deleted, and how many there were; nil when none
  /// were granted.
  func payment(of source: String) throws -> (account: AccountID, amount: Int)? {
    try session.row(
      """
      SELECT \(AccountTable.present("credit_grant.account")) AS account, amount FROM credit_grant WHERE source_key = ?
      """,
      [source]
    ).map { (account: AccountID(rawValue: try $0.value("account")), amount: try $0.value("amount")) }
  }

  /// Whether an account, or one merged into it, was ever granted credits of a kind.
  func hasHad(_ kind: CreditKind, _ account: AccountID) throws -> Bool {
    try session.finds(
      "SELECT 1 FROM credit_grant WHERE account IN \(AccountTable.family(of: "?1")) AND kind = ?2 LIMIT 1",
      [account.rawValue, kind.rawValue])
  }

  /// The grant for a key of an operator; nil when the key was not used for one.
  func keyed(by source: String) throws -> KeyedCredits? {
    try session.row(
      """
      SELECT \(DeletedAccount.digest(ofColumn: AccountTable.present("credit_grant.account"))) AS account_digest,
        amount, reason
      FROM credit_grant WHERE source_key = ?
      """,
      [source]
    ).map(KeyedCredits.init)
  }
}

/// Credits of one grant that can be spent.
struct AvailableCredits {
  var grant: String
  var amount: Int
  var expires: Timestamp?
}

extension AvailableCredits {
  /// - Parameter row: any row that has `id`, `available` and `expires`.
  fileprivate init(_ row: SQLRow) throws {
    grant = try row.value("id")
    amount = try row.value("available")
    expires = try row.time("expires")
  }
}

// MARK: Balances

extension CreditGrantTable {
  /// The order in which an account's credits are spent.
  static let spendingOrder = "priority, expires IS NULL, expires, created, id"

  static func spendable(by account: AccountID) -> SQLQuery {
    SQLQuery(
      """
      SELECT id, available, expires FROM credit_grant JOIN grant_balance ON grant_id = id
      WHERE account = ? AND available > 0 ORDER BY \(spendingOrder)
      """,
      [account.rawValue])
  }

  /// The available credits of an account, in the order in which they are spent; those whose expiry time has passed
  /// included.
  func spendable(by account: AccountID) throws -> [AvailableCredits] {
    try session.rows(Self.spendable(by: account)).map(AvailableCredits.init)
  }

  /// How many credits of a grant can be spent; nil when there is no such grant.
  func available(of grant: String) throws -> Int? {
    try session.value("SELECT available FROM grant_balance WHERE grant_id = ?", [grant])
  }

  /// The grants of which credits are left, in the order in which they are spent.
  func buckets(of account: AccountID) throws -> [CreditBalance.Bucket] {
    let rows = try session.rows(
      """
      SELECT id, kind, amount, available, held, created, expires
      FROM credit_grant JOIN grant_balance ON grant_id = id
      WHERE account = ? AND available + held > 0 ORDER BY \(Self.spendingOrder)
      """,
      [account.rawValue])
    return try rows.map { row in
      CreditBalance.Bucket(
        id: try row.value("id"), kind: try row.coded("kind"), amount: try row.value("amount"),
        available: try row.value("available"), held: try row.value("held"),
        createdAt: Timestamp(milliseconds: try row.value("created")), expiresAt: try row.time("expires"))
    }
  }

  /// Whether an account has bought credits, or was given some by the operator, and they were not taken back.
  func hasBought(_ account: AccountID) throws -> Bool { try session.finds(Self.hasBought(account)) }

  static func hasBought(_ account: AccountID) -> SQLQuery {
    SQLQuery(
      """
      SELECT 1 FROM credit_grant CROSS JOIN grant_balance ON grant_id = id
      WHERE account IN \(AccountTable.family(of: "?1"))
        AND kind IN ('bundle', 'operator', 'period', 'makegood') AND (available + held > 0 OR EXISTS (
          SELECT 1 FROM transfer WHERE transfer.grant_id = id AND transfer.kind = 'capture'))
        AND NOT EXISTS (SELECT 1 FROM grant_refund WHERE grant_refund.grant_id = id)
        AND NOT EXISTS (
          WITH RECURSIVE \(originOfGrant)
          SELECT 1 FROM origin WHERE \(RevocationTable.refunded(of: "origin.source")) >= credit_grant.amount)
      LIMIT 1
      """,
      [account.rawValue])
  }
}

// MARK: Months

extension CreditGrantTable {
  /// What the grants for a month of a subscription are granted for: this, or with `+<count>` what came later.
  static func monthSource(_ number: Int, of subscription: String) -> String { "premium:\(subscription):\(number)" }

  /// When the granted months of a subscription began and end, in their order.
  func months(of subscription: String) throws -> [(begin: Timestamp?, end: Timestamp?)] {
    try session.rows(
      """
      SELECT effective, expires FROM credit_grant
      WHERE source_key > 'premium:' || ?1 || ':' AND source_key < 'premium:' || ?1 || ';' ORDER BY effective, id
      """,
      [subscription]
    ).map { (begin: try $0.time("effective"), end: try $0.time("expires")) }
  }

  /// The grants of one month of a subscription: more than one if the other plan's month was refunded, which had left only
  /// the difference.
  func sum(ofMonth source: String) throws -> (count: Int, credits: Int) {
    let row = try session.row(Self.sum(ofMonth: source))
    return try row.map { (count: try $0.value("count"), credits: try $0.value("credits")) } ?? (0, 0)
  }

  static func sum(ofMonth source: String) -> SQLQuery {
    SQLQuery(
      """
      SELECT count(*) AS count, COALESCE(sum(amount), 0) AS credits FROM credit_grant
      WHERE source_key = ?1 OR (source_key > ?1 || '+' AND source_key < ?1 || ',')
      """,
      [source])
  }

  /// The granted months of an account's other subscriptions, and of those that were ever given to its name or its
  /// person, that overlap with a time, without those of refunded purchases.
  func months(
    besides subscription: String, of account: AccountID, from start: Timestamp, until end: Timestamp
  ) throws -> [GrantedMonth] {
    let rows = try session.rows(
      """
      SELECT source, product, amount, effective, expires FROM subscription CROSS JOIN credit_grant
        ON source_key > 'premium:' || source || ':' AND source_key < 'premium:' || source || ';'
      WHERE source IN \(SubscriptionTable.everSources(of: "?1", givenPrefix: "?5")) AND source <> ?2
        AND effective < ?3 AND expires > ?4
        AND NOT EXISTS (SELECT 1 FROM grant_refund WHERE grant_id = credit_grant.id)
      """,
      [
        account.rawValue, subscription, end.milliseconds, start.milliseconds, SubscriptionTable.givenPrefix(of: account),
      ])
    return try rows.map { row in
      GrantedMonth(
        source: try row.value("source"), product: try row.value("product"), credits: try row.value("amount"),
        starts: Timestamp(milliseconds: try row.value("effective")),
        ends: Timestamp(milliseconds: try row.value("expires")))
    }
  }
}

// MARK: Merging

/// Credits that go to the account that another one is merged into.
struct MergedCredits {
  var grant: String
  var kind: CreditKind
  var amount: Int
  var effective: Timestamp
  var expires: Timestamp?
}

extension CreditGrantTable {
  /// The available credits of an account, in the order in which they are spent.
  func mergeable(from account: AccountID) throws -> [MergedCredits] {
    try session.rows(
      """
      SELECT id, kind, available, effective, expires FROM credit_grant JOIN grant_balance ON grant_id = id
      WHERE account = ? AND available > 0 ORDER BY \(Self.spendingOrder)
      """,
      [account.rawValue]
    ).map { row in
      MergedCredits(
        grant: try row.value("id"), kind: try row.coded("kind"), amount: try row.value("available"),
        effective: Timestamp(milliseconds: try row.value("effective")), expires: try row.time("expires"))
    }
  }

  /// The source of the grant with which the credits of another one go on in another account.
  static func mergedSource(of grant: String) -> String { "\(mergedPrefix)\(grant)" }

  static let mergedPrefix = "merged:"

  /// The sources of a grant and of those that it continues in another account, as a recursive table expression.
  static let originOfGrant = """
    origin (source) AS (
      SELECT credit_grant.source_key
      UNION ALL
      SELECT original.source_key FROM origin
      CROSS JOIN credit_grant AS original ON original.id = \(replacedGrant(bySource: "source"))
      WHERE source > '\(mergedPrefix)' AND source < 'merged;')
    """

  /// Whether a grant is such a one, as an SQL expression.
  static let isMerged = "substr(credit_grant.source_key, 1, \(mergedPrefix.count)) = '\(mergedPrefix)'"
}

extension SQLSession {
  var creditGrants: CreditGrantTable { CreditGrantTable(session: self) }
}
