import AtelierProtocol

/// The SQL of the table `revocation`, what an operator took back, and of `shortfall_payment`.
struct RevocationTable {
  let session: any SQLSession

  /// The revocation for a key of an operator; nil when the key was not used for one.
  func keyed(by source: String) throws -> KeyedCredits? {
    try session.row(
      """
      SELECT \(AccountTable.present("revocation.account")) AS account, revocation.amount AS amount, transfer.reason AS reason
      FROM revocation LEFT JOIN transfer ON seq = first_transfer WHERE revocation.source = ?
      """,
      [source]
    ).map(KeyedCredits.init)
  }

  /// - Parameter transfers: those that the revocation consists of, in their order.
  func insert(
    _ source: String, of amount: Int, from account: AccountID, transfers: [Int64], created: Timestamp
  ) throws {
    try LedgerTable.revocations.insert(
      [source, account.rawValue, amount, transfers.first, transfers.last, created.milliseconds], into: session)
  }

  /// Records that a transfer pays what an account owes.
  func insertPayment(_ amount: Int, by transfer: Int64, of account: AccountID) throws {
    try LedgerTable.shortfallPayments.insert([transfer, account.rawValue, amount], into: session)
  }
}

extension SQLSession {
  var revocations: RevocationTable { RevocationTable(session: self) }
}
