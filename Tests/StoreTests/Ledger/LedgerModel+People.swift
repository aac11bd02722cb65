import AtelierProtocol

@testable import Store

/// Who signs in, whose accounts are merged, and who leaves.
extension LedgerModel {
  /// The account that has what an account had.
  func present(_ account: AccountID) -> AccountID { accounts[account]?.successor ?? account }

  func hasOpenHolds(_ account: AccountID) -> Bool { holds.values.contains { $0.account == account } }

  /// - Returns: the account to go on with, what was granted, and whether another one that was known was merged into it; nil
  ///   when that is refused, because it has something held.
  mutating func signIn(
    _ subject: String, as account: AccountID, isLinking: Bool
  ) -> (account: AccountID, granted: Int, hasMerged: Bool)? {
    if let holder = identities[subject] {
      let (isKnown, tier) = (accounts[account] != nil, accounts[account]?.tier ?? .guest)
      let isGuest = tier == .guest && !identities.values.contains(account)
      guard holder != account, isLinking || isGuest else { return (holder, 0, false) }
      if hasOpenHolds(account) { return nil }
      if !isKnown { accounts[account] = Account() }
      merge(account, into: holder)
      return (holder, 0, isKnown)
    }
    know(account)
    identities[subject] = account
    accounts[account]?.tier = .free
    if hasLeft(account) {
      forfeitWelcome(of: account)
      return (account, 0, false)
    }
    if accounts[account]?.buckets.contains(where: { $0.kind == .free }) == true { return (account, 0, false) }
    return (account, give(.free, rules.freeCredits, to: account, source: "free \(subject)"), false)
  }

  /// Whether the person behind an account had another one, which was deleted.
  private func hasLeft(_ account: AccountID) -> Bool {
    identities.contains { $0.value == account && deletedSubjects.contains($0.key) }
  }

  private mutating func forfeitWelcome(of account: AccountID) {
    for index in accounts[account]?.buckets.indices ?? 0..<0 {
      guard let bucket = accounts[account]?.buckets[index], [.guest, .free].contains(bucket.kind) else { continue }
      if bucket.available > 0 { moved() }
      accounts[account]?.buckets[index].available = 0
    }
  }

  /// Whatever the one had, the other has; what can still be spent of a bucket becomes one of its own.
  private mutating func merge(_ account: AccountID, into successor: AccountID) {
    bringUpToDate(account)
    bringUpToDate(successor)
    if hasLeft(account) || hasLeft(successor) {
      forfeitWelcome(of: account)
      forfeitWelcome(of: successor)
    }
    guard let old = accounts[account], var new = accounts[successor] else { return }
    let hasHad = Set(new.buckets.map(\.kind)).intersection([.guest, .free])
    let ranked = order(of: account)
    new.buckets += old.buckets.map { bucket in
      var bucket = bucket
      bucket.available = 0
      return bucket
    }
    for bucket in ranked.map({ old.buckets[$0] }) where bucket.available > 0 {
      moved()
      if hasHad.contains(bucket.kind) { continue }
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
    for (source, gift) in gifts where gift.account == account {
      gifts[source]?.account = name
      if !DeletedAccount.isDeleted(name) { gifts[source]?.name = name }
    }
    for (source, owed) in owedAhead where owed.account == account { owedAhead[source]?.account = name }
  }

  /// The numbers stay, under another name.
  mutating func delete(_ account: AccountID, at time: Int64) {
    let given = everGiven(to: account)
    for subject in identities.filter({ $0.value == account }).keys {
      deletedSubjects.insert(subject)
      givenBefore[subject, default: []].formUnion(given)
    }
    identities = identities.filter { $0.value != account }
    let merged = accounts.filter { $0.value.successor == account }.keys
    let name = nameless(account)
    for account in merged {
      accounts[nameless(account)] = Account(successor: name, name: account)
      accounts[account] = nil
      ends[account] = max(ends[account] ?? time, time)
    }
    accounts[name] = accounts[account]
    accounts[name]?.name = account
    accounts[account] = nil
    ends[account] = max(ends[account] ?? time, time)
    rename(account, name)
  }

  private func nameless(_ account: AccountID) -> AccountID {
    var number = 0
    while accounts[DeletedAccount.name(of: account, number: number)] != nil { number += 1 }
    return DeletedAccount.name(of: account, number: number)
  }
}
