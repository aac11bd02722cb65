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

  /// Those that run now, each of which brings its credits. While the clock is in doubt, those that run at any time it
  /// may be: none ends by it, and one that was bought meanwhile has begun. One that was refunded never runs again, though
  /// a clock that is put right shows a time before that.
  func activeSubscriptions(of account: AccountID) throws -> [Subscription] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT source, credits, starts, ends FROM subscription
          WHERE account = ?1 AND starts <= ?2 AND (ends IS NULL OR ends > ?3)
            AND NOT EXISTS (SELECT 1 FROM receipt_refund WHERE receipt_refund.source = subscription.source)
          ORDER BY starts, source
          """),
      arguments: [account.rawValue, max(now, system).milliseconds, now.milliseconds])
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

  /// The month of a subscription that runs now.
  func presentMonth(of subscription: Subscription) -> MonthlyPeriods.Period? {
    subscription.months.period(at: max(now, subscription.months.starts))
  }

  /// The present months whose credits have not been given.
  func duePeriods(
    of account: AccountID
  ) throws -> [(source: String, credits: Int, period: MonthlyPeriods.Period)] {
    try activeSubscriptions(of: account).compactMap { subscription in
      guard let period = presentMonth(of: subscription) else { return nil }
      let source = "premium:\(subscription.source):\(period.number)"
      return try hasGranted(for: source) ? nil : (source, subscription.credits, period)
    }
  }
}
