import AtelierProtocol
import GRDB

extension Ledger {
  /// What an account that is known and up to date has to spend, and from where.
  func balance(of account: AccountID) throws -> CreditBalance {
    let (available, held) = try sums(of: account)
    let tier = try tier(of: account)
    let period = try presentPeriod(of: account)
    let allocation =
      switch tier {
      case .guest: rules.guestCredits
      case .free: rules.freeCredits
      case .premium, .owner: period?.credits ?? 0
      }
    return CreditBalance(
      account: account, tier: tier, unlimited: try isUnlimited(account), available: available, held: held,
      allocation: allocation, buckets: try buckets(of: account), resetAt: period?.next,
      shortfall: try shortfall(of: account))
  }

  /// The months that run now, taken together.
  /// - Returns: when they began, when the next begins, and what they brought; nil without a subscription.
  func presentPeriod(
    of account: AccountID
  ) throws -> (starts: Timestamp, ends: Timestamp, next: Timestamp?, credits: Int)? {
    let present = try activeSubscriptions(of: account).compactMap { subscription in
      presentMonth(of: subscription).map { (subscription, $0) }
    }
    guard let starts = present.map(\.1.starts).min(), let ends = present.map(\.1.ends).min() else { return nil }
    let next = present.filter { subscription, period in
      subscription.months.ends.map { $0 > period.ends } ?? true
    }.map(\.1.ends).min()
    return (starts, ends, next, present.reduce(0) { $0 + $1.0.credits })
  }

  private func buckets(of account: AccountID) throws -> [CreditBalance.Bucket] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, kind, amount, available, held, created, expires
          FROM credit_grant JOIN grant_balance ON grant_id = id
          WHERE account = ? AND available + held > 0 ORDER BY priority, expires IS NULL, expires, created, id
          """),
      arguments: [account.rawValue])
    return try rows.map { row in
      CreditBalance.Bucket(
        id: try row.value("id"), kind: try row.coded("kind"), amount: try row.value("amount"),
        available: try row.value("available"), held: try row.value("held"),
        createdAt: Timestamp(milliseconds: try row.value("created")), expiresAt: try row.time("expires"))
    }
  }
}
