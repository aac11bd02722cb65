import AtelierProtocol

/// What a revocation did.
public struct RevocationOutcome: Sendable, Equatable {
  /// Credits taken back.
  public var taken: Int
  /// Credits recorded as owed, because they were spent.
  public var owed: Int
  /// False when it had been made before, and nothing happened now.
  public var isNew: Bool
  /// Whether it waits for its payment, and takes nothing until that comes.
  public var isWaiting = false
  /// Credits that were taken back or recorded as owed when it was made before.
  public var earlier = 0
}

/// What an operator asks to be taken back.
struct AskedRevocation {
  var amount: Int
  var account: AccountID
  /// What it is recorded under.
  var source: String
  var reason: String
  /// The source of the grant that it is a refund of, as the operator says; nil where the operator names none.
  var payment: String?
  /// Whether what is not there is owed; nil for the default: only of a refund.
  var owes: Bool?

  var keyed: KeyedCredits { KeyedCredits(of: account, amount: amount, reason: reason) }
}

extension Ledger {
  /// Takes back credits for an operator.
  ///
  /// It is the refund of a payment if the operator names the payment, or if its key is that of a grant to the account of at
  /// least as many credits. All refunds of a payment together take no more than it brought:
  /// - A payment that has not come is waited for. Nothing is taken until then, and no account is registered.
  /// - Of a payment whose account was deleted, what is left there is taken. Nobody owes the rest, whoever has the name now.
  /// - Otherwise the credits of the payment are taken first, and what is not there is owed.
  /// - Throws: ``LedgerRefusal/keyReused(_:)`` when the source was used for another revocation;
  ///   ``LedgerRefusal/paymentOfAnother`` for the payment of another account; ``LedgerRefusal/unknownAccount(_:)``;
  ///   ``LedgerRefusal/revocationExceedsBalance(required:available:)`` when fewer are available and the rest shall not be
  ///   owed.
  func revoke(_ asked: AskedRevocation) throws -> RevocationOutcome {
    let account = asked.account
    if let earlier = try session.revocations.keyed(by: asked.source) {
      try earlier.credits.check(asked.keyed, session.accounts.digests(ofNames: account), as: .revocation)
      guard earlier.payment ?? asked.source == asked.payment ?? asked.source else {
        throw LedgerRefusal.keyReused(.revocation)
      }
      if try session.accounts.isKnown(account) { try bringUpToDate(account) }
      return RevocationOutcome(
        taken: 0, owed: 0, isNew: false, isWaiting: earlier.isWaiting, earlier: earlier.revoked)
    }
    let isKnown = try session.accounts.isKnown(account)
    let payment = asked.payment ?? asked.source
    guard let paid = try session.creditGrants.payment(of: payment) else {
      // Of an account that was never used there is nothing to take: only a payment that is still to come can bring it.
      if asked.payment != nil || !isKnown && asked.owes == true { return try wait(asked, for: payment) }
      return try revoke(asked, of: nil, ahead: asked.owes == true)
    }
    if DeletedAccount.isDeleted(paid.account) { return try takeBack(asked, ofDeleted: payment, paid.amount) }
    let isOwn = try isKnown && paid.account == session.accounts.present(account)
    guard isOwn || asked.payment == nil else { throw LedgerRefusal.paymentOfAnother }
    let isRefund = isOwn && (asked.payment != nil || asked.amount <= paid.amount)
    return try revoke(asked, of: isRefund ? (payment, paid.amount) : nil)
  }

  /// Takes back available credits of an account that is not deleted: those of the payment first, then what the operator
  /// gave, then others.
  ///
  /// What is not there is owed. It is granted and taken back with the rest, so that the revocation is whole; the source
  /// of this grant says that it is owed. The same is done for what the operator gave and was spent, and other available
  /// credits pay it at once: if one of those is refunded later, it is owed again.
  /// - Parameter isAhead: whether it may be the refund of a payment that is still to come. It is a debt that the payment
  ///   pays; whatever is taken until then pays it.
  private func revoke(
    _ asked: AskedRevocation, of payment: (source: String, amount: Int)?, ahead isAhead: Bool = false
  ) throws -> RevocationOutcome {
    let account = asked.account
    guard try session.accounts.isKnown(account) else { throw LedgerRefusal.unknownAccount(account) }
    try know(account)
    try bringUpToDate(account)
    let amount = try payment.map { min(asked.amount, max(0, $0.amount - (try session.revocations.refunded(of: $0.source)))) }
      ?? asked.amount
    let available = try sums(of: account).available
    let rest = max(0, amount - available)
    guard rest == 0 || asked.owes ?? (payment != nil) else {
      throw LedgerRefusal.revocationExceedsBalance(required: amount, available: available)
    }
    try session.revocations.insert(
      asked.keyed, for: asked.source, of: payment?.source ?? (isAhead ? asked.source : nil), created: now)
    // What the operator gave and was spent, and no revocation has asked back.
    let spentGifts = try max(0, session.creditGrants.spentGifts(of: account))
    var unpaid = spentGifts + (isAhead ? amount : 0)
    var toTake = amount - rest
    var transfers: [Int64] = []
    var payments: [AvailableCredits] = []
    for bucket in try session.creditGrants.revocable(from: account, for: payment?.source ?? asked.source) where toTake > 0 {
      let part = min(toTake, bucket.available)
      let payment = bucket.isGift ? 0 : min(part, unpaid)
      if payment > 0 { payments.append(AvailableCredits(grant: bucket.grant, amount: payment)) }
      if part > payment {
        transfers.append(try move(.revoke, part - payment, of: bucket.grant, account: account, reason: asked.reason).seq)
      }
      (toTake, unpaid) = (toTake - part, unpaid - payment)
    }
    guard toTake == 0 else { throw UnreadableColumn(name: "available") }
    let owed = payments.reduce(rest) { $0 + $1.amount }
    if let debt = try grant(
      .operator, owed, to: account, for: "\(CreditGrantTable.debtPrefix)\(asked.source)", reason: asked.reason, pays: false)
    {
      transfers.append(try move(.revoke, owed, of: debt.id, account: account, reason: asked.reason).seq)
      forgetShortfall(of: account)
    }
    for payment in payments {
      try pay(session.creditGrants.shortfall(of: account), of: account, with: payment.amount, of: payment.grant)
    }
    try session.revocations.insertEffect(of: asked.source, revoking: amount, by: transfers, created: now)
    return RevocationOutcome(taken: amount - rest, owed: rest, isNew: true)
  }
}

// MARK: Refunds whose account is not there

extension Ledger {
  /// Remembers the refund of a payment that has not come.
  private func wait(_ asked: AskedRevocation, for payment: String) throws -> RevocationOutcome {
    try session.revocations.insert(asked.keyed, for: asked.source, of: payment, created: now)
    return RevocationOutcome(taken: 0, owed: 0, isNew: true, isWaiting: true)
  }

  /// Takes back what is left of a payment in the account that was deleted with it, or in the one that that was merged into.
  private func takeBack(
    _ asked: AskedRevocation, ofDeleted payment: String, _ paid: Int
  ) throws -> RevocationOutcome {
    try session.revocations.insert(asked.keyed, for: asked.source, of: payment, created: now)
    let due = try min(asked.amount, max(0, paid - session.revocations.refunded(of: payment)))
    var rest = due
    var transfers: [Int64] = []
    for grant in try session.creditGrants.continuing(payment) where rest > 0 && grant.available > 0 {
      let part = min(rest, grant.available)
      transfers.append(try move(.revoke, part, of: grant.id, account: grant.account, reason: asked.reason).seq)
      rest -= part
    }
    try session.revocations.insertEffect(of: asked.source, revoking: due - rest, by: transfers, created: now)
    return RevocationOutcome(taken: due - rest, owed: 0, isNew: true)
  }

  /// Takes the refunds that waited for a payment from what it brings.
  /// - Parameters:
  ///   - amount: what it brings.
  ///   - grant: what it brings it in.
  /// - Returns: what is left of it.
  func settle(_ refunds: [WaitingRefund], with amount: Int, of grant: String, account: AccountID) throws -> Int {
    var left = amount
    for refund in refunds {
      let part = min(left, refund.amount)
      let transfers = part > 0 ? [try move(.revoke, part, of: grant, account: account, reason: refund.reason).seq] : []
      try session.revocations.insertEffect(of: refund.source, revoking: part, by: transfers, created: now)
      left -= part
    }
    return left
  }

  /// Lets a refund wait for its payment that an account owed before the payment came, if that account was deleted since: its
  /// debts ended with it, and the payment of a refund comes to whoever has its name now.
  func remindOfLapsedRefund(of payment: String, by account: AccountID) throws {
    guard let lapsed = try session.revocations.lapsed(for: payment) else { return }
    try session.revocations.insert(
      KeyedCredits(of: account, amount: lapsed.amount, reason: lapsed.reason), for: "lapsed:\(payment)", of: payment,
      created: now)
  }
}
