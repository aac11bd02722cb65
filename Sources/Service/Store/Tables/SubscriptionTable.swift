import AtelierProtocol

/// The SQL of the table `subscription`.
struct SubscriptionTable {
  let session: any SQLSession

  func exists(_ source: String) throws -> Bool {
    try session.finds("SELECT 1 FROM subscription WHERE source = ?", [source])
  }

  func insert(_ subscription: Subscription, of account: AccountID, created: Timestamp) throws {
    try LedgerTable.subscriptions.insert(
      [
        subscription.source, account.rawValue, subscription.product, subscription.credits,
        subscription.months.starts.milliseconds, subscription.months.ends?.milliseconds, created.milliseconds,
      ], into: session)
  }

  /// Ends a subscription, unless it has ended: at this time, or at its start if that is later.
  func end(_ source: String, at time: Timestamp) throws {
    let end = "CASE WHEN starts > ?1 THEN starts ELSE ?1 END"
    try session.run(
      "UPDATE subscription SET ends = \(end) WHERE source = ?2 AND (ends IS NULL OR ends > \(end))",
      [time.milliseconds, source])
    try LedgerTable.subscriptions.rehash(source, in: session)
  }

  /// All subscriptions that an account and those merged into it have or had, without those of refunded purchases.
  func unrefunded(of account: AccountID) throws -> [Subscription] {
    try session.rows(Self.unrefunded(of: account)).map(Subscription.init)
  }

  static func unrefunded(of account: AccountID) -> SQLQuery {
    SQLQuery(
      """
      SELECT source, product, credits, starts, ends FROM subscription
      WHERE account IN \(AccountTable.family(of: "?1"))
        AND NOT EXISTS (SELECT 1 FROM receipt_refund WHERE receipt_refund.source = subscription.source)
      ORDER BY starts, source
      """,
      [account.rawValue])
  }

  /// All subscriptions that an account and those merged into it have or had.
  func all(of account: AccountID) throws -> [Subscription] {
    try session.rows(
      """
      SELECT source, product, credits, starts, ends FROM subscription
      WHERE account IN \(AccountTable.family(of: "?1")) ORDER BY starts, source
      """,
      [account.rawValue]
    ).map(Subscription.init)
  }
}

/// What an operator gave. A month that was paid for is granted once, also where the account is deleted meanwhile and begins
/// anew: the source of a given subscription says to which name it was given, and deletions note which identities had it.
extension SubscriptionTable {
  /// The sources of an account's subscriptions, and of those that were ever given to its name or its person, as an SQL
  /// expression.
  /// - Parameters: SQL expressions; `prefix` is ``givenPrefix(of:)``.
  static func everSources(of account: String, givenPrefix prefix: String) -> String {
    """
    (SELECT source FROM subscription WHERE account IN \(AccountTable.family(of: account))
     UNION SELECT source FROM subscription WHERE source > \(prefix) || ':' AND source < \(prefix) || ';'
     UNION \(AccountTable.givenBeforeDeletion(ofIdentitiesOf: account)))
    """
  }

  /// What precedes the colon and the rest in the source of a subscription that was given to an account.
  static func givenPrefix(of account: AccountID) -> String {
    "\(Subscription.givenPrefix)\(DeletedAccount.digest(of: account))"
  }

  /// All subscriptions that an operator gave an account, or one that had its name or an identity of its person, or was
  /// merged into it.
  func everGiven(to account: AccountID) throws -> [Subscription] {
    try session.rows(
      """
      SELECT source, product, credits, starts, ends FROM subscription
      WHERE source IN \(Self.everSources(of: "?1", givenPrefix: "?2")) ORDER BY starts, source
      """,
      [account.rawValue, Self.givenPrefix(of: account)]
    ).map(Subscription.init).filter(\.isGiven)
  }
}

extension SQLSession {
  var subscriptions: SubscriptionTable { SubscriptionTable(session: self) }
}
