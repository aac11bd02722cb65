import AtelierProtocol

extension Ledger {
  /// Takes back the credits of a refunded purchase: available credits now, held credits when they are released; what was
  /// spent, or paid an older debt, is owed. What replaced its credits after they had expired is taken back as well.
  /// - Parameter prefix: the prefix of the sources of its grants.
  func refund(grantsOf prefix: String) throws {
    for grant in try session.creditGrants.refundable(ofSource: prefix) {
      try session.creditGrants.insertRefund(of: grant.id, created: now)
      forgetShortfall(of: grant.account)
      if grant.available > 0 { _ = try move(.revoke, grant.available, of: grant.id, account: grant.account) }
    }
  }

  /// Pays what an account owes with credits of a grant.
  /// - Parameters:
  ///   - shortfall: how many credits it owes.
  ///   - amount: how many credits of the grant are available for that.
  ///   - hold: the hold that has just released them.
  func pay(
    _ shortfall: Int, of account: AccountID, with amount: Int, of grant: String, hold: String? = nil
  ) throws {
    let payment = min(shortfall, amount)
    guard payment > 0 else { return }
    let transfer = try move(.revoke, payment, of: grant, account: account, hold: hold)
    try session.revocations.insertPayment(payment, by: transfer.seq, of: account)
    owe(-payment, of: account)
  }
}
