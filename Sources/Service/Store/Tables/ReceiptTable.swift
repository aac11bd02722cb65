import AtelierProtocol

/// The SQL of the table `receipt`: purchases that a store has signed, with their refunds.
struct ReceiptTable {
  let session: any SQLSession

  /// What is on record of a purchase.
  struct Entry {
    /// The account that submitted it first, or the one that this was merged into; nil for a purchase that was first heard
    /// of by its refund.
    var account: AccountID?
    var isRefunded: Bool
  }

  /// - Returns: nil when nothing is.
  func entry(of source: String) throws -> Entry? {
    let row = try session.row(
      """
      SELECT \(AccountTable.present("receipt.account")) AS account, CASE WHEN EXISTS (
        SELECT 1 FROM receipt_refund WHERE receipt_refund.source = receipt.source) THEN 1 ELSE 0 END AS is_refunded
      FROM receipt WHERE source = ?
      """,
      [source])
    return try row.map { row in
      Entry(account: try row.optional("account").map { AccountID(rawValue: $0) }, isRefunded: try row.value("is_refunded"))
    }
  }

  /// - Parameter account: the one that has it; nil for nobody.
  func insert(_ purchase: Purchase, of account: AccountID?, created: Timestamp) throws {
    try LedgerTable.receipts.insert(
      [
        purchase.source, account?.rawValue, purchase.product.rawValue, purchase.kind.rawValue,
        purchase.quantity, purchase.purchasedAt.milliseconds, created.milliseconds,
      ], into: session)
  }

  func insertRefund(of source: String, refunded: Timestamp, created: Timestamp) throws {
    try LedgerTable.receiptRefunds.insert([source, refunded.milliseconds, created.milliseconds], into: session)
  }
}

extension SQLSession {
  var receipts: ReceiptTable { ReceiptTable(session: self) }
}
