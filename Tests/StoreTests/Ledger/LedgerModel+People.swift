import AtelierProtocol

@testable import Store

/// Who signs in, whose accounts are merged, and who leaves.
extension LedgerModel {
  /// The account that has what an account had.
  func present(_ account: AccountID) -> AccountID { accounts[account]?.successor ?? account }

  func hasOpenHolds(_ account: AccountID) -> Bool { holds.values.contains { $0.account == account } }

  /// - Returns: the account to go on with, what was granted, and whether the other one was merged into it; nil when that
  ///   is refused, because it has something held.
  mutating func signIn(
    _ subject: String, as account: AccountID, isLinking: Bool
  ) -> (account: AccountID, granted: Int, hasMerged: Bool)? {
    if let holder = identities[subject] {
      let isGuest = accounts[account]?.tier == .guest && !identities.values.contains(account)
      guard holder != account, isLinking || isGuest else { return (holder, 0, false) }
      if hasOpenHolds(account) { return nil }
      merge(account, into: holder)
      return (holder, 0, true)
    }
    know(account)
    identities[subject] = account
    accounts[account]?.tier = .free
    if accounts[account]?.buckets.contains(where: { $0.kind == .free }) == true || deletedSubjects.contains(subject) {
      return (account, 0, false)
    }
    return (account, give(.free, rules.freeCredits, to: account, source: "free \(subject)"), false)
  }

  /// Whatever the one had, the other has; what can still be spent of a bucket becomes one of its own.
  private mutating func merge(_ account: AccountID, into successor: AccountID) {
    bringUpToDate(account)
    bringUpToDate(successor)
    guard let old = accounts[account], var new = accounts[successor] else { return }
    let ranked = order(of: account)
    new.buckets += old.buckets.map { bucket in
      var bucket = bucket
      bucket.available = 0
      return bucket
    }
    for bucket in ranked.map({ old.buckets[$0] }) where bucket.available > 0 {
      moved()
      bucketCount += 1
      new.buckets.append(
        Bucket(
          source: "merged \(bucket.number)", kind: bucket.kind, amount: bucket.available, available: bucket.available,
          expires: bucket.expires, created: now, replaces: bucket.number, number: bucketCount, isGiven: bucket.isGiven))
    }
    new.subscriptions += old.subscriptions
    new.debts += old.debts
    accounts[successor] = new
    for index in order(of: successor) {
      let owed = accounts[successor]?.shortfall ?? 0
      guard owed > 0, var bucket = accounts[successor]?.buckets[index], bucket.available > 0 else { continue }
      moved()
      pay(with: &bucket, upTo: bucket.available, owed)
      accounts[successor]?.buckets[index] = bucket
    }
    rename(account, successor)
    for other in accounts.keys where accounts[other]?.successor == account { accounts[other]?.successor = successor }
    accounts[account] = Account(tier: old.tier, successor: successor)
  }

  private mutating func rename(_ account: AccountID, _ name: AccountID) {
    for (subject, holder) in identities where holder == account { identities[subject] = name }
    for (source, receipt) in receipts where receipt.account == account { receipts[source]?.account = name }
    for (source, gift) in gifts where gift.account == account { gifts[source]?.account = name }
  }

  /// The numbers stay, under another name.
  mutating func delete(_ account: AccountID) {
    deletedSubjects.formUnion(identities.filter { $0.value == account }.keys)
    identities = identities.filter { $0.value != account }
    let merged = accounts.filter { $0.value.successor == account }.keys
    let name = nameless(account)
    for account in merged {
      accounts[nameless(account)] = Account(successor: name)
      accounts[account] = nil
    }
    accounts[name] = accounts[account]
    accounts[account] = nil
    rename(account, name)
  }

  private func nameless(_ account: AccountID) -> AccountID {
    var number = 0
    while accounts[DeletedAccount.name(of: account, number: number)] != nil { number += 1 }
    return DeletedAccount.name(of: account, number: number)
  }
}
