import AtelierProtocol

@testable import Store

/// What the months of subscriptions bring.
extension LedgerModel {
  /// Gives what the present months bring.
  mutating func giveMonths(to account: AccountID) {
    for subscription in running(account) {
      let months = MonthlyPeriods(
        from: Timestamp(milliseconds: subscription.starts), until: subscription.ends.map { Timestamp(milliseconds: $0) })
      if let period = months.period(at: Timestamp(milliseconds: max(now, subscription.starts))) {
        give(period, of: subscription, to: account)
      }
    }
  }

  /// The subscriptions that were given to an account, and to those that had its name or its person or have become part of
  /// it.
  func everGiven(to account: AccountID) -> Set<String> {
    let all = accounts.flatMap { holder, known in
      known.subscriptions.filter { $0.isGiven && (holder == account || $0.givenTo == account) }.map(\.source)
    }
    return identities.filter { $0.value == account }.keys.reduce(Set(all)) { $0.union(givenBefore[$1] ?? []) }
  }

  /// The months of these.
  func givenMonths(of account: AccountID) -> [Month] {
    let own = accounts[account]?.buckets ?? []
    let given = everGiven(to: account)
    let others = accounts.filter { $0.key != account }.values.flatMap(\.buckets)
      .filter { $0.month.map { given.contains($0.subscription.source) } ?? false }
    return (own + others).compactMap(Month.init).filter(\.subscription.isGiven)
  }

  private mutating func give(_ period: MonthlyPeriods.Period, of subscription: Subscription, to account: AccountID) {
    let month = Month(
      subscription: subscription, starts: period.starts.milliseconds, ends: period.ends.milliseconds)
    let buckets = accounts[account]?.buckets ?? []
    let own = buckets.filter { $0.month?.subscription.source == subscription.source && $0.month?.starts == month.starts }
    var due = subscription.credits - own.reduce(0) { $0 + $1.amount }
    let others = (subscription.isGiven ? givenMonths(of: account) : buckets.filter { !$0.isRefunded }.compactMap(Month.init))
      .filter { other in
        other.subscription.isGiven == subscription.isGiven && other.subscription.source != subscription.source
          && other.starts < month.ends && other.ends > month.starts
      }
    let same = others.filter { min($0.ends, month.ends) - max($0.starts, month.starts) > 2 * Self.day }
    if same.contains(where: { $0.subscription.product == subscription.product }) { return }
    if same.isEmpty, others.contains(where: { $0.starts <= month.starts && $0.ends > now }) { return }
    due -= same.reduce(0) { $0 + $1.amount }
    give(
      .period, due, to: account, source: "month \(subscription.source) \(period.number) \(own.count)",
      expires: month.ends, month: month)
  }

  /// Gives the months, also past ones, that a refunded purchase had covered.
  mutating func giveMonths(coveredBy refunded: String, to account: AccountID) {
    let covered = (accounts[account]?.buckets ?? []).compactMap(\.month).filter { $0.subscription.source == refunded }
      .sorted { $0.starts < $1.starts }
    let bought = (accounts[account]?.subscriptions ?? []).filter { !$0.isGiven && receipts[$0.source]?.isRefunded != true }
      .sorted { ($0.starts, $0.source) < ($1.starts, $1.source) }
    for subscription in bought {
      let months = MonthlyPeriods(
        from: Timestamp(milliseconds: subscription.starts), until: subscription.ends.map { Timestamp(milliseconds: $0) })
      for month in covered {
        var number = 0
        // Every month from the first, one after the other.
        while months.start(of: number).milliseconds < min(month.ends, subscription.ends ?? .max, now + 1) {
          if let period = months.period(at: months.start(of: number)), period.ends.milliseconds > month.starts,
            period.ends.milliseconds <= now || mayExpireCredits
          {
            let count = accounts[account]?.buckets.count ?? 0
            give(period, of: subscription, to: account)
            let after = accounts[account]?.buckets.count ?? 0
            if after > count, period.ends.milliseconds <= now { accounts[account]?.buckets[after - 1].available = 0 }
          }
          number += 1
        }
      }
    }
  }
}

extension LedgerModel.Month {
  /// The month of a bucket, with what it brought; nil for another kind of bucket.
  fileprivate init?(_ bucket: LedgerModel.Bucket) {
    guard var month = bucket.month else { return nil }
    month.amount = bucket.amount
    self = month
  }
}
