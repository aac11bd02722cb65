import AtelierProtocol

/// What a revocation did.
public struct RevocationOutcome: Sendable, Equatable {
  /// Credits taken back.
  public var taken: Int
  /// Credits recorded as owed, because they were spent.
  public var owed: Int
  /// False when it had been made before, and nothing happened now.
  public var isNew: Bool
}

extension Ledger {
  /// Takes back credits for an operator: those of the grant with the same source first, then what the operator gave,
  /// then others.
  ///
  /// What is not there is owed. It is granted and taken back with the rest, so that the revocation is whole; the source
  /// of this grant says that it is owed. The same is done for what the operator gave and was spent, and other available
  /// credits pay it at once: if one of those is refunded later, it is owed again.
  /// - Parameter owes: whether what is not there is owed; nil for the default, see ``isRefund(_:by:of:)``.
  /// - Throws: ``LedgerRefusal/keyReused(_:)`` when the source was used for another amount, account or reason;
  ///   ``LedgerRefusal/revocationExceedsBalance(required:available:)`` when fewer are available and the rest shall not be
  ///   owed.
  func revoke(
    _ amount: Int, from account: AccountID, for source: String, because reason: String, owes: Bool? = nil
  ) throws -> RevocationOutcome {
    if let earlier = try session.revocations.keyed(by: source) {
      try earlier.check(amount, account, reason, as: .revocation)
      return RevocationOutcome(taken: 0, owed: 0, isNew: false)
    }
    let available = try sums(of: account).available
    let rest = max(0, amount - available)
    guard try rest == 0 || owes ?? isRefund(amount, by: source, of: account) else {
      throw LedgerRefusal.revocationExceedsBalance(required: amount, available: available)
    }
    // A refund that arrives before its payment is a debt that the payment pays; whatever is taken until then pays it.
    let isAhead = try owes == true && !session.creditGrants.exists(for: source)
    // What the operator gave and was spent, and no revocation has asked back.
    let spentGifts = try max(0, session.creditGrants.spentGifts(of: account))
    var unpaid = spentGifts + (isAhead ? amount : 0)
    var toTake = amount - rest
    var transfers: [Int64] = []
    var payments: [AvailableCredits] = []
    for bucket in try session.creditGrants.revocable(from: account, for: source) where toTake > 0 {
      let part = min(toTake, bucket.available)
      let payment = bucket.isGift ? 0 : min(part, unpaid)
      if payment > 0 { payments.append(AvailableCredits(grant: bucket.grant, amount: payment)) }
      if part > payment {
        transfers.append(try move(.revoke, part - payment, of: bucket.grant, account: account, reason: reason).seq)
      }
      (toTake, unpaid) = (toTake - part, unpaid - payment)
    }
    guard toTake == 0 else { throw UnreadableColumn(name: "available") }
    let owed = payments.reduce(rest) { $0 + $1.amount }
    if let debt = try grant(
      .operator, owed, to: account, for: "\(CreditGrantTable.debtPrefix)\(source)", reason: reason, pays: false)
    {
      transfers.append(try move(.revoke, owed, of: debt.id, account: account, reason: reason).seq)
      forgetShortfall(of: account)
    }
    for payment in payments {
      try pay(session.creditGrants.shortfall(of: account), of: account, with: payment.amount, of: payment.grant)
    }
    try session.revocations.insert(source, of: amount, from: account, transfers: transfers, created: now)
    return RevocationOutcome(taken: amount - rest, owed: rest, isNew: true)
  }

  /// Whether a revocation is the refund of a payment: it has the key of a grant to the account, and no larger amount.
  /// What is spent of a refund is owed unless the operator says otherwise.
  private func isRefund(_ amount: Int, by source: String, of account: AccountID) throws -> Bool {
    try session.creditGrants.exists(for: source, of: account, atLeast: amount)
  }
}
