import AtelierProtocol
import GRDB

extension Ledger {
  /// Records a purchase once, for the first account that submits it.
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
    try insert(purchase)
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

  /// Records that a store refunded a purchase. One that was never submitted is recorded with it, without a grant, so
  /// that an older copy of it is worth nothing.
  /// - Returns: false when the refund was already recorded, or nothing had been granted.
  func refund(_ purchase: Purchase, at refunded: Timestamp) throws -> Bool {
    let source = purchase.source
    let isRefunded = try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM receipt_refund WHERE receipt_refund.source = receipt.source)
        FROM receipt WHERE source = ?
        """,
      arguments: [source])
    if isRefunded == true { return false }
    if isRefunded == nil {
      try know(purchase.account)
      try insert(purchase)
    }
    try LedgerTable.receiptRefunds.insert([source, refunded.milliseconds, now.milliseconds], into: database)
    if isRefunded == nil { return false }
    try endSubscription(source)
    try refund(grantsOf: source)
    try refund(grantsOf: "premium:\(source)")
    return true
  }

  private func insert(_ purchase: Purchase) throws {
    try LedgerTable.receipts.insert(
      [
        purchase.source, purchase.account.rawValue, purchase.product.rawValue, purchase.kind.rawValue,
        purchase.quantity, purchase.purchasedAt.milliseconds, now.milliseconds,
      ], into: database)
  }

  private func grantedCount(to account: AccountID) throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT coalesce(sum(amount), 0) FROM credit_grant WHERE account = ?",
      arguments: [account.rawValue]) ?? 0
  }
}

/// A purchase that a store has signed and that has been verified, as the ledger records it.
public struct Purchase: Sendable, Equatable {
  /// Identifies the purchase permanently, whichever account submits it again.
  public var source: String
  public var account: AccountID
  public var product: ProductID
  public var kind: CreditProduct.Kind
  /// Credits per unit; for a subscription, per month.
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

/// The result of submitting a purchase.
public enum PurchaseOutcome: Sendable, Equatable {
  /// The purchase was recorded now.
  /// - granted: credits granted now; 0 for a subscription that has not started.
  case counted(granted: Int, CreditBalance)
  /// The same account submitted it before.
  case countedBefore(CreditBalance)
  /// It was recorded for another account.
  case ofAnotherAccount
  /// It was recorded and then refunded by the store.
  case refunded
}

/// A source of monthly credits for an account.
struct Subscription {
  var source: String
  var credits: Int
  var months: MonthlyPeriods
}

extension Ledger {
  /// Records a subscription, unless it is known.
  /// - Returns: true when it is new.
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

  /// Ends a subscription now, unless it has ended. Only a refund takes back the credits granted for the current month.
  func endSubscription(_ source: String) throws {
    try database.execute(
      sql: "UPDATE subscription SET ends = max(starts, ?1) WHERE source = ?2 AND (ends IS NULL OR ends > max(starts, ?1))",
      arguments: [now.milliseconds, source])
    try LedgerTable.subscriptions.rehash(source, in: database)
  }

  /// The subscriptions that are active now; each grants its credits. While the clock is in doubt, a subscription is
  /// active if it is active at any possible time: none ends because of the clock, and one bought meanwhile has started.
  /// A refunded subscription is never active again, even if a corrected clock shows a time before the refund.
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

  /// Grants the current month's credits of each subscription of the account, unless they were already granted.
  func grantPeriods(to account: AccountID) throws {
    for due in try duePeriods(of: account) {
      try grant(
        .period, due.credits, to: account, for: due.source, from: due.period.starts, until: due.period.ends)
    }
  }

  /// The current month of an active subscription.
  func presentMonth(of subscription: Subscription) -> MonthlyPeriods.Period? {
    subscription.months.period(at: max(now, subscription.months.starts))
  }

  /// The current months whose credits have not been granted.
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
  /// Takes back the credits of a refunded purchase: available credits now, held credits when they are released; spent
  /// credits are owed.
  /// - Parameter prefix: the prefix of the sources of its grants.
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

  /// Spent credits of refunded purchases that no later grant has paid for.
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

  /// Pays the shortfall with newly granted credits.
  func payShortfall(of account: AccountID, with grant: CreditGrant) throws {
    let amount = min(try shortfall(of: account), grant.amount)
    guard amount > 0 else { return }
    let transfer = try move(.revoke, amount, of: grant.id, account: account)
    try LedgerTable.shortfallPayments.insert([transfer.seq, account.rawValue, amount], into: database)
  }
}
