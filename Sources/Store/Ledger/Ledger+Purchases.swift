import AtelierProtocol
import GRDB

extension Ledger {
  /// Counts a purchase, once for whoever comes first.
  func record(_ purchase: Purchase) throws -> PurchaseOutcome {
    let earlier = try Row.fetchOne(
      database,
      sql: """
        SELECT account, EXISTS (SELECT 1 FROM receipt_refund WHERE receipt_refund.source = receipt.source) AS is_refunded
        FROM receipt WHERE source = ?
        """,
      arguments: [purchase.source])
    if let earlier {
      guard AccountID(rawValue: try earlier.value("account")) == purchase.account else { return .ofAnotherAccount }
      if try earlier.value("is_refunded") { return .refunded }
      try bringUpToDate(purchase.account)
      return .countedBefore(try balance(of: purchase.account))
    }
    try know(purchase.account)
    try bringUpToDate(purchase.account)
    let before = try grantedCount(to: purchase.account)
    try LedgerTable.receipts.insert(
      [
        purchase.source, purchase.account.rawValue, purchase.product.rawValue, purchase.kind.rawValue,
        purchase.quantity, purchase.purchasedAt.milliseconds, now.milliseconds,
      ], into: database)
    switch purchase.kind {
    case .bundle:
      try grant(.bundle, purchase.credits * purchase.quantity, to: purchase.account, for: purchase.source)
    case .subscription:
      try subscribe(
        purchase.account, to: purchase.product.rawValue, credits: purchase.credits, from: purchase.purchasedAt,
        until: purchase.expiresAt ?? purchase.purchasedAt.adding(months: 1), source: purchase.source)
      try grantPeriods(to: purchase.account)
    }
    return .counted(
      granted: try grantedCount(to: purchase.account) - before, try balance(of: purchase.account))
  }

  /// Notes that a store took a purchase back.
  /// - Returns: whether that is news; false as well for a purchase that was never counted.
  func refund(_ source: String, at refunded: Timestamp) throws -> Bool {
    let isNews = try Bool.fetchOne(
      database,
      sql: """
        SELECT NOT EXISTS (SELECT 1 FROM receipt_refund WHERE receipt_refund.source = receipt.source)
        FROM receipt WHERE source = ?
        """,
      arguments: [source])
    guard isNews == true else { return false }
    try LedgerTable.receiptRefunds.insert([source, refunded.milliseconds, now.milliseconds], into: database)
    try endSubscription(source)
    try refund(grantsOf: source)
    try refund(grantsOf: "premium:\(source)")
    return true
  }

  private func grantedCount(to account: AccountID) throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT coalesce(sum(amount), 0) FROM credit_grant WHERE account = ?",
      arguments: [account.rawValue]) ?? 0
  }
}

/// A purchase that a store has signed and somebody has verified, as the ledger counts it.
public struct Purchase: Sendable, Equatable {
  /// Names it for good: whoever submits it again, it is the same.
  public var source: String
  public var account: AccountID
  public var product: ProductID
  public var kind: CreditProduct.Kind
  /// Credits for each: of a subscription, for a month.
  public var credits: Int
  /// How many were bought at once.
  public var quantity: Int
  public var purchasedAt: Timestamp
  /// When a subscription ends unless it renews; nil for a bundle.
  public var expiresAt: Timestamp?

  public init(
    source: String, account: AccountID, product: ProductID, kind: CreditProduct.Kind, credits: Int, quantity: Int,
    purchasedAt: Timestamp, expiresAt: Timestamp?
  ) {
    self.source = source
    self.account = account
    self.product = product
    self.kind = kind
    self.credits = credits
    self.quantity = quantity
    self.purchasedAt = purchasedAt
    self.expiresAt = expiresAt
  }
}

/// What a submitted purchase came to.
public enum PurchaseOutcome: Sendable, Equatable {
  /// It was counted now.
  /// - granted: credits that came of it now; 0 for a subscription whose time has not begun.
  case counted(granted: Int, CreditBalance)
  /// The same account submitted it before.
  case countedBefore(CreditBalance)
  /// It was counted for another account.
  case ofAnotherAccount
  /// It was counted and then taken back by the store.
  case refunded
}

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
