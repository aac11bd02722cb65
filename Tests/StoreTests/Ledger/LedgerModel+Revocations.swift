import AtelierProtocol

@testable import Store

/// What an operator takes back.
extension LedgerModel {
  enum Revoked: Equatable {
    case taken(Int, owed: Int), waits, refused
  }

  /// - Parameters:
  ///   - source: perhaps that of a gift.
  ///   - payment: a gift that it is a refund of.
  ///   - owes: whether what is not there is owed; nil for the default.
  mutating func revoke(
    _ amount: Int, from account: AccountID, source: String, payment: String?, owes: Bool?
  ) -> Revoked {
    let paid = payment ?? source
    guard let gift = gifts[paid] else {
      if payment != nil || accounts[account] == nil && owes == true {
        refundsAhead[paid, default: []].append(amount)
        return .waits
      }
      return takeBack(amount, from: account, source: source, of: nil, owes: owes, isAhead: owes == true)
    }
    let left = max(0, gift.amount - (refunded[paid] ?? 0))
    if accounts[gift.account]?.name != nil {
      var rest = min(amount, left)
      // The gift and what continues it, wherever that is.
      for index in (accounts[gift.account]?.buckets ?? []).indices where rest > 0 {
        guard let known = accounts[gift.account], isOf(paid, known.buckets[index], of: known) else { continue }
        let part = min(rest, known.buckets[index].available)
        if part > 0 { moved() }
        accounts[gift.account]?.buckets[index].available -= part
        rest -= part
      }
      let taken = min(amount, left) - rest
      refunded[paid, default: 0] += taken
      return .taken(taken, owed: 0)
    }
    let isOwn = gift.account == account
    if !isOwn, payment != nil { return .refused }
    guard isOwn, payment != nil || amount <= gift.amount else {
      return takeBack(amount, from: account, source: source, of: nil, owes: owes, isAhead: false)
    }
    return takeBack(min(amount, left), from: account, source: source, of: paid, owes: owes, isAhead: false)
  }

  /// Whether a bucket has the credits of a gift.
  private func isOf(_ source: String, _ bucket: Bucket, of account: Account) -> Bool {
    if bucket.source == "gift \(source)" { return true }
    guard bucket.source.hasPrefix("merged "), let original = account.buckets.first(where: { $0.number == bucket.replaces })
    else { return false }
    return isOf(source, original, of: account)
  }

  private mutating func takeBack(
    _ amount: Int, from account: AccountID, source: String, of payment: String?, owes: Bool?, isAhead: Bool
  ) -> Revoked {
    guard accounts[account] != nil else { return .refused }
    bringUpToDate(account)
    guard var known = accounts[account] else { return .refused }
    let available = known.available
    guard amount <= available || owes ?? (payment != nil) else { return .refused }
    if amount > 0 { moved() }
    // The gift itself, other gifts, the rest.
    func rank(_ bucket: Bucket) -> Int { isOf(payment ?? source, bucket, of: known) ? 0 : bucket.isGiven ? 1 : 2 }
    let ranked = order(of: account).enumerated().sorted {
      (rank(known.buckets[$0.element]), $0.offset) < (rank(known.buckets[$1.element]), $1.offset)
    }.map(\.element)
    var rest = amount
    // What was given, spent and not asked back yet: others pay it.
    var spentGifts = max(
      0, known.buckets.reduce(0) { $0 + ($1.isGiven ? $1.spent + $1.paid : 0) } - known.debts)
    // What is taken before the gift has come, is paid by the gift.
    if isAhead { spentGifts += amount }
    for index in ranked where rest > 0 {
      let part = min(rest, known.buckets[index].available)
      known.buckets[index].available -= part
      rest -= part
      if known.buckets[index].isGiven { continue }
      let payment = min(part, spentGifts)
      known.buckets[index].paid += payment
      known.debts += payment
      spentGifts -= payment
    }
    known.debts += rest
    accounts[account] = known
    if let refund = payment ?? (isAhead ? source : nil) { refunded[refund, default: 0] += amount }
    if isAhead { owedAhead[source] = (account, amount) }
    return .taken(amount - rest, owed: rest)
  }
}
