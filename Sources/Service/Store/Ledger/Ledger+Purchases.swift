import AtelierProtocol

extension Ledger {
  /// Records a purchase once, for the first account that submits it. What was bought before an account of this name was
  /// deleted, was bought for that one.
  func record(_ purchase: Purchase) throws -> PurchaseOutcome {
    let account = purchase.account
    if let earlier = try session.receipts.entry(of: purchase.source) {
      guard let owner = earlier.account else { return .refunded }
      guard owner == account else { return DeletedAccount.isDeleted(owner) ? .ofDeletedAccount : .ofAnotherAccount }
      if earlier.isRefunded { return .refunded }
      try bringUpToDate(account)
      return .countedBefore(try balance(of: account))
    }
    if try isOver(purchase.purchasedAt, for: account) { return .ofDeletedAccount }
    try know(account)
    try bringUpToDate(account)
    try session.receipts.insert(purchase, of: account, created: now)
    switch purchase.kind {
    case .bundle:
      let granted = try grant(.bundle, purchase.credits * purchase.quantity, to: account, for: purchase.source)
      return .counted(granted: granted?.amount ?? 0, try balance(of: account), reason: nil)
    case .subscription:
      let end = purchase.expiresAt ?? purchase.purchasedAt.adding(months: 1)
      try subscribe(
        account,
        to: Subscription(
          source: purchase.source, product: purchase.product.rawValue, credits: purchase.credits,
          months: MonthlyPeriods(from: purchase.purchasedAt, until: end)))
      let (granted, reason) = try grantFirstMonth(of: purchase.source, to: account)
      return .counted(granted: granted, try balance(of: account), reason: reason)
    }
  }

  /// Records that a store refunded a purchase. One that was never submitted is recorded with it, without a grant and for
  /// nobody, so that an older copy of it is worth nothing.
  /// - Returns: false when the refund was already recorded, or nothing had been granted.
  func refund(_ purchase: Purchase, at refunded: Timestamp) throws -> Bool {
    let source = purchase.source
    let earlier = try session.receipts.entry(of: source)
    if earlier?.isRefunded == true { return false }
    if earlier == nil { try session.receipts.insert(purchase, of: nil, created: now) }
    try session.receipts.insertRefund(of: source, refunded: refunded, created: now)
    guard let account = earlier?.account else { return false }
    try session.subscriptions.end(source, at: now)
    try refund(grantsOf: source)
    try refund(grantsOf: "premium:\(source)")
    try grantMonths(withheldFor: source, of: account)
    return true
  }
}

/// The result of submitting a purchase.
public enum PurchaseOutcome: Sendable, Equatable {
  /// The purchase was recorded now.
  /// - granted: credits granted now.
  /// - reason: why these are fewer than the product gives; nil if they are not.
  case counted(granted: Int, CreditBalance, reason: ReducedGrant?)
  /// The same account submitted it before.
  case countedBefore(CreditBalance)
  /// It was recorded for another account.
  case ofAnotherAccount
  /// It was recorded for an account that was deleted, or bought for it.
  case ofDeletedAccount
  /// It was recorded and then refunded by the store.
  case refunded
}
