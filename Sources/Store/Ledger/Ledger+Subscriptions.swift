import AtelierProtocol
import GRDB

/// What gives an account credits month after month.
struct Subscription {
  var source: String
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
          SELECT source, credits, starts, ends FROM subscription
          WHERE account = ?1 AND starts <= ?2 AND (ends IS NULL OR ends > ?2) ORDER BY starts, source
          """),
      arguments: [account.rawValue, now.milliseconds])
    return try rows.map { row in
      Subscription(
        source: try row.value("source"), credits: try row.value("credits"),
        months: MonthlyPeriods(
          from: Timestamp(milliseconds: try row.value("starts")), until: try row.time("ends")))
    }
  }

  /// Gives the present month's credits of each of the account's subscriptions, unless they were given.
  func grantPeriods(to account: AccountID) throws {
    for due in try duePeriods(of: account) {
      try grant(
        .period, due.credits, to: account, for: due.source, from: due.period.starts, until: due.period.ends)
    }
  }

  /// The present months whose credits have not been given.
  func duePeriods(
    of account: AccountID
  ) throws -> [(source: String, credits: Int, period: MonthlyPeriods.Period)] {
    try activeSubscriptions(of: account).compactMap { subscription in
      guard let period = subscription.months.period(at: now) else { return nil }
      let source = "premium:\(subscription.source):\(period.number)"
      return try hasGranted(for: source) ? nil : (source, subscription.credits, period)
    }
  }
}
