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
