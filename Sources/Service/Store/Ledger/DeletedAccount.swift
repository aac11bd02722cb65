import AtelierProtocol

/// What stands in the ledger for an account that was deleted: the digest of its name instead of the name.
///
/// The ledger keeps the numbers of a deleted account. Its rows are hashed with this digest from the start, so that the
/// name can go without a change of any hash.
enum DeletedAccount {
  private static let prefix = AccountID.deletedPrefix

  private static let digestLength = 64

  /// What identifies an account in hashes and in the sources of its grants, also after its deletion.
  static func digest(of name: String) -> String {
    guard name.hasPrefix(prefix) else { return LedgerTable.hash([name.sqlValue]) }
    return String(name.dropFirst(prefix.count).prefix(digestLength))
  }

  static func digest(of account: AccountID) -> String { digest(of: account.rawValue) }

  static func isDeleted(_ account: AccountID) -> Bool { account.rawValue.hasPrefix(prefix) }

  /// The SQL function that returns this digest of its argument; null for null.
  static let function = "atelier_account_digest"

  static func digest(ofColumn column: String) -> String { "\(function)(\(column))" }

  /// The digest that the name of a deleted account holds, as an SQL expression.
  static func digest(ofDeletedName column: String) -> String {
    "substr(\(column), \(prefix.count + 1), \(digestLength))"
  }

  /// Whether a column names a deleted account, as an SQL expression.
  static func isDeleted(_ column: String) -> String { "substr(\(column), 1, \(prefix.count)) = '\(prefix)'" }

  /// The names of all deleted accounts that had a name: from the first of these texts to before the second.
  static func names(of account: AccountID) -> (from: String, to: String) {
    let digest = digest(of: account)
    // A colon precedes the number; a semicolon comes after it.
    return ("\(prefix)\(digest)", "\(prefix)\(digest);")
  }

  /// The name that an account has after its deletion.
  /// - Parameter number: tells apart deleted accounts that had the same name, one after the other.
  static func name(of account: AccountID, number: Int) -> AccountID {
    let digest = digest(of: account)
    return AccountID(rawValue: "\(prefix)\(digest)" + (number == 0 ? "" : ":\(number)"))
  }
}
