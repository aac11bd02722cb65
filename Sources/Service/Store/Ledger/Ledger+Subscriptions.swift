import AtelierProtocol

extension Ledger {
  /// Records a subscription, unless it is known.
  func subscribe(_ account: AccountID, to subscription: Subscription) throws {
    if try session.subscriptions.exists(subscription.source) { return }
    try session.subscriptions.insert(subscription, of: account, created: now)
  }

  /// The subscriptions that are active now; each grants its credits. While the clock is in doubt, a subscription is
  /// active if it is active at any possible time: none ends because of the clock, and one bought meanwhile has started.
  /// A refunded subscription is never active again, even if a corrected clock shows a time before the refund.
  func activeSubscriptions(of account: AccountID) throws -> [Subscription] {
    let latest = max(now, system)
    return try session.subscriptions.unrefunded(of: account).filter { subscription in
      subscription.months.starts <= latest && subscription.months.ends.map { $0 > now } ?? true
    }
  }

  /// The subscriptions that an operator gave the account at any time.
  func givenSubscriptions(of account: AccountID) throws -> [Subscription] {
    try session.subscriptions.all(of: account).filter(\.isGiven)
  }

  /// The start of the given subscription of which a month was granted that contains `time`, also to an account of this name
  /// or person that was deleted since. The month is taken as it was granted: the last one of a subscription that had an end
  /// may be longer than a month.
  func anchor(ofGivenMonthAt time: Timestamp, of account: AccountID) throws -> Timestamp? {
    try session.subscriptions.everGiven(to: account).first { subscription in
      try session.creditGrants.months(of: subscription.source).contains { month in
        month.begin.map { $0 <= time } ?? false && month.end.map { time < $0 } ?? false
      }
    }?.months.starts
  }
}

// MARK: Months

/// What the current month of a subscription brings now.
struct DueMonth {
  /// What its grant is for.
  var source: String
  var period: MonthlyPeriods.Period
  /// Credits to be granted; 0 if they were granted, for this subscription or for another.
  var credits: Int
  /// Why these are fewer than the subscription gives; nil if they are not.
  var reason: ReducedGrant?
}

extension Ledger {
  /// Two months of one account that overlap by more than this are one month that was reported twice, for example by two
  /// purchase tokens. By as much a store may renew before the month ends.
  private static let renewalMargin: Int64 = 2 * 86_400_000

  /// What the current months of the account's subscriptions bring, each as if it alone were granted now.
  func dueMonths(of account: AccountID) throws -> [(subscription: Subscription, month: DueMonth?)] {
    let active = try activeSubscriptions(of: account)
    try session.prefetch(
      active.compactMap { subscription in
        presentMonth(of: subscription).map { month in
          CreditGrantTable.sum(ofMonth: CreditGrantTable.monthSource(month.number, of: subscription.source))
        }
      })
    return try active.map { ($0, try dueMonth(of: $0, for: account)) }
  }

  /// Grants what the current months of the account's subscriptions bring.
  /// - Returns: the credits granted, by the source of the subscription.
  @discardableResult
  func grant(_ months: [(subscription: Subscription, month: DueMonth?)], to account: AccountID) throws -> [String: Int] {
    var granted: [String: Int] = [:]
    // One after the other: a month that is granted counts for the next.
    for (subscription, found) in months {
      guard let month = try granted.isEmpty ? found : dueMonth(of: subscription, for: account) else { continue }
      granted[subscription.source] = try grant(
        .period, month.credits, to: account, for: month.source, from: month.period.starts, until: month.period.ends)?.amount
    }
    return granted
  }

  /// Grants what a new subscription brings now, whatever the clock says: it is paid for.
  /// - Returns: the credits granted, and why they are fewer than it gives; nil if they are not.
  func grantFirstMonth(of source: String, to account: AccountID) throws -> (granted: Int, reason: ReducedGrant?) {
    let subscription = try activeSubscriptions(of: account).first { $0.source == source }
    let granted = try grant(dueMonths(of: account), to: account)[source] ?? 0
    guard let subscription, let month = try dueMonth(of: subscription, for: account) else {
      return (granted, .notStarted)
    }
    if granted == subscription.credits { return (granted, nil) }
    return (granted, granted == 0 ? month.reason : .planChanged)
  }

  /// Grants the months, also past ones, for which nothing was granted because those of a purchase that is refunded now
  /// ran at the same time. They were paid for, and pay first what the refund leaves owed.
  func grantMonths(withheldFor refunded: String, of account: AccountID) throws {
    let months = try session.creditGrants.months(of: refunded)
    for subscription in try session.subscriptions.unrefunded(of: account) where !subscription.isGiven {
      for month in months {
        guard let begin = month.begin, let end = month.end else { continue }
        for period in subscription.months.periods(from: begin, until: end) where period.starts <= now {
          // Whether a month runs, only a trusted clock knows; one that is over pays at most.
          let isOver = period.ends <= now
          guard isOver || mayExpireCredits else { continue }
          let due = try dueMonth(period, of: subscription, for: account)
          let granted = try grant(
            .period, due.credits, to: account, for: due.source, from: period.starts, until: period.ends)
          if isOver, let granted { try expire(granted.id, of: account) }
        }
      }
    }
  }

  private func expire(_ grant: String, of account: AccountID) throws {
    let left = try session.creditGrants.available(of: grant)
    if let left, left > 0 { _ = try move(.expire, left, of: grant, account: account) }
  }

  /// Whether a month has begun whose credits are still to be granted.
  func hasDueMonth(_ account: AccountID) throws -> Bool {
    try activeSubscriptions(of: account).contains { try dueMonth(of: $0, for: account)?.credits ?? 0 > 0 }
  }

  /// The current month of an active subscription.
  func presentMonth(of subscription: Subscription) -> MonthlyPeriods.Period? {
    subscription.months.period(at: max(now, subscription.months.starts))
  }

  /// What the current month of an active subscription still brings.
  private func dueMonth(of subscription: Subscription, for account: AccountID) throws -> DueMonth? {
    try presentMonth(of: subscription).map { try dueMonth($0, of: subscription, for: account) }
  }

  /// What a month of a subscription still brings: nothing if the same month was granted for another purchase of the
  /// product, the difference if it was granted for another plan.
  private func dueMonth(
    _ period: MonthlyPeriods.Period, of subscription: Subscription, for account: AccountID
  ) throws -> DueMonth {
    let source = CreditGrantTable.monthSource(period.number, of: subscription.source)
    let own = try session.creditGrants.sum(ofMonth: source)
    var month = DueMonth(
      source: own.count == 0 ? source : "\(source)+\(own.count)", period: period,
      credits: max(0, subscription.credits - own.credits), reason: own.count == 0 ? nil : .alreadyGranted)
    if month.credits == 0 { return month }
    let others = try months(besides: subscription, in: period, of: account)
    let same = others.filter { $0.overlap(with: period) > Self.renewalMargin }
    if same.contains(where: { $0.product == subscription.product }) {
      (month.credits, month.reason) = (0, .monthRunning)
    } else if !same.isEmpty {
      month.credits = max(0, month.credits - same.reduce(0) { $0 + $1.credits })
      month.reason = .planChanged
    } else if others.contains(where: { $0.starts <= period.starts && $0.ends > now }) {
      (month.credits, month.reason) = (0, .notStarted)
    }
    return month
  }

  /// The granted months of other subscriptions that overlap with a month, without those of refunded purchases. Only
  /// bought ones count for a bought one, and only given ones for a given one.
  private func months(
    besides subscription: Subscription, in period: MonthlyPeriods.Period, of account: AccountID
  ) throws -> [GrantedMonth] {
    try session.creditGrants.months(
      besides: subscription.source, of: account, from: period.starts, until: period.ends
    ).filter { $0.source.hasPrefix(Subscription.givenPrefix) == subscription.isGiven }
  }
}

extension GrantedMonth {
  /// In milliseconds; negative without an overlap.
  fileprivate func overlap(with period: MonthlyPeriods.Period) -> Int64 {
    min(ends, period.ends).milliseconds - max(starts, period.starts).milliseconds
  }
}
