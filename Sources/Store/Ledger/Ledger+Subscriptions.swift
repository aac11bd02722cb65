import AtelierProtocol
import GRDB

/// What gives an account credits month after month.
struct Subscription {
  var source: String
  var product: String
  var credits: Int
  var months: MonthlyPeriods
}

extension Ledger {
  /// Notes a subscription, unless it is known.
  /// - Returns: whether it was not.
  @discardableResult
  func subscribe(
    _ account: AccountID, to product: String, credits: Int, from starts: Timestamp, until ends: Timestamp?,
    source: String
  ) throws -> Bool {
    let isKnown = try Bool.fetchOne(
      database, sql: "SELECT 1 FROM subscription WHERE source = ?", arguments: [source])
    if isKnown == true { return false }
    try LedgerTable.subscriptions.insert(
      [source, account.rawValue, product, credits, starts.milliseconds, ends?.milliseconds, now.milliseconds],
      into: database)
    return true
  }

  /// Ends a subscription now, if it goes on; what it gave for the present month is taken back by a refund only.
  func endSubscription(_ source: String) throws {
    try database.execute(
      sql: "UPDATE subscription SET ends = max(starts, ?1) WHERE source = ?2 AND (ends IS NULL OR ends > max(starts, ?1))",
      arguments: [now.milliseconds, source])
    try LedgerTable.subscriptions.rehash(source, in: database)
  }

  /// Those that run now, each of which brings its credits.
  func activeSubscriptions(of account: AccountID) throws -> [Subscription] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT source, product, credits, starts, ends FROM subscription
          WHERE account = ?1 AND starts <= ?2 AND (ends IS NULL OR ends > ?2) ORDER BY starts, source
          """),
      arguments: [account.rawValue, now.milliseconds])
    return try rows.map { row in
      Subscription(
        source: try row.value("source"), product: try row.value("product"), credits: try row.value("credits"),
        months: MonthlyPeriods(
          from: Timestamp(milliseconds: try row.value("starts")), until: try row.time("ends")))
    }
  }

  /// Gives the present month's credits of each of the account's subscriptions, unless they were given.
  func grantPeriods(to account: AccountID) throws {
    for subscription in try activeSubscriptions(of: account) {
      guard let period = subscription.months.period(at: now) else { continue }
      try grant(
        .period, subscription.credits, to: account, for: "premium:\(subscription.source):\(period.number)",
        from: period.starts, until: period.ends)
    }
  }
}
