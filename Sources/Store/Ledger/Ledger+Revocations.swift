import AtelierProtocol
import Encodings
import GRDB

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
  /// - Throws: `idempotency_mismatch` when the source was used for another amount, account or reason;
  ///   `insufficient_credits` when fewer are available and the rest shall not be owed.
  func revoke(
    _ amount: Int, from account: AccountID, for source: String, because reason: String, owes: Bool? = nil
  ) throws -> RevocationOutcome {
    if try hasRevoked(amount, from: account, for: source, because: reason) {
      return RevocationOutcome(taken: 0, owed: 0, isNew: false)
    }
    let available = try sums(of: account).available
    let rest = max(0, amount - available)
    guard try rest == 0 || owes ?? isRefund(amount, by: source, of: account) else {
      throw AtelierError(
        .insufficientCredits,
        "Only \(available) of these \(amount) credits can be revoked. Revoke at most \(available).",
        details: InsufficientCreditsDetails(required: amount, available: available, upgradeOptions: []).json)
    }
    var transfers: [Int64] = []
    var toTake = amount - rest
    // A refund that arrives before its payment is a debt that the payment pays; whatever is taken until then pays it.
    let isAhead = try owes == true && !hasGranted(for: source)
    var unpaid = try spentGifts(of: account) + (isAhead ? amount : 0)
    var payments: [(grant: String, amount: Int)] = []
    for bucket in try revocable(from: account, for: source) where toTake > 0 {
      let part = min(toTake, bucket.available)
      let payment = bucket.isGift ? 0 : min(part, unpaid)
      if payment > 0 { payments.append((bucket.grant, payment)) }
      if part > payment {
        transfers.append(try move(.revoke, part - payment, of: bucket.grant, account: account, reason: reason).seq)
      }
      (toTake, unpaid) = (toTake - part, unpaid - payment)
    }
    guard toTake == 0 else { throw UnreadableColumn(name: "available") }
    let owed = payments.reduce(rest) { $0 + $1.amount }
    if let debt = try grant(
      .operator, owed, to: account, for: "\(Self.debtPrefix)\(source)", reason: reason, pays: false)
    {
      transfers.append(try move(.revoke, owed, of: debt.id, account: account, reason: reason).seq)
    }
    for payment in payments { try payShortfall(of: account, with: payment.amount, of: payment.grant) }
    try LedgerTable.revocations.insert(
      [source, account.rawValue, amount, transfers.first, transfers.last, now.milliseconds], into: database)
    return RevocationOutcome(taken: amount - rest, owed: rest, isNew: true)
  }

  /// Whether a revocation is the refund of a payment: it has the key of a grant to the account, and no larger amount.
  /// What is spent of a refund is owed unless the operator says otherwise.
  private func isRefund(_ amount: Int, by source: String, of account: AccountID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM credit_grant WHERE source_key = ?1 AND account = ?2 AND amount >= ?3)"),
      arguments: [source, account.rawValue, amount]) ?? false
  }

  /// Whether the same revocation was made before.
  private func hasRevoked(
    _ amount: Int, from account: AccountID, for source: String, because reason: String
  ) throws -> Bool {
    let earlier = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT revocation.account AS account, revocation.amount AS amount, transfer.reason AS reason
          FROM revocation LEFT JOIN transfer ON seq = first_transfer WHERE revocation.source = ?
          """),
      arguments: [source])
    guard let earlier else { return false }
    guard try Self.isSame(earlier, amount, account, reason) else {
      throw AtelierError(
        .idempotencyMismatch,
        "This key was used to revoke another amount, from another account or for another reason. "
          + "Repeat that one exactly, or choose a new key.")
    }
    return true
  }

  /// The available credits, in the order in which an operator takes them back.
  private func revocable(
    from account: AccountID, for source: String
  ) throws -> [(grant: String, available: Int, isGift: Bool)] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, available, \(Self.isGift) AS is_gift FROM credit_grant JOIN grant_balance ON grant_id = id
          WHERE account = ?1 AND available > 0
          ORDER BY source_key = ?2 DESC, is_gift DESC, priority, expires IS NULL, expires, created, id
          """),
      arguments: [account.rawValue, source])
    return try rows.map { (try $0.value("id"), try $0.value("available"), try $0.value("is_gift")) }
  }

  /// Credits that the operator gave, that were spent, and that no revocation has asked back.
  private func spentGifts(of account: AccountID) throws -> Int {
    let gifts = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT coalesce((
              SELECT sum(transfer.amount) FROM credit_grant
              CROSS JOIN transfer ON transfer.grant_id = credit_grant.id
              WHERE credit_grant.account = ?1 AND \(Self.isGift)
                AND (transfer.kind = 'capture' OR \(Self.isPayment))
            ), 0) - \(Self.debts(of: "?1"))
          """),
      arguments: [account.rawValue])
    return max(0, gifts ?? 0)
  }
}
