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

extension SQLSession {
  var subscriptions: SubscriptionTable { SubscriptionTable(session: self) }
}
