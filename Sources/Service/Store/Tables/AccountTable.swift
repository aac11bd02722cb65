import AtelierProtocol

/// The SQL of the table `account`, with the changes by an operator, and the balance of each account.
/// `AccountTable+People.swift` has identities and consent, `AccountTable+Merging.swift` what becomes of merged and deleted
/// accounts.
struct AccountTable {
  let session: any SQLSession

  /// What ``isKnown(_:)``, ``tier(of:)``, ``isUnlimited(_:)``, ``created(_:)`` and ``successor(of:)`` look up.
  static func entry(of account: AccountID) -> SQLQuery {
    SQLQuery("SELECT tier, is_unlimited, created, merged_into FROM account WHERE id = ?", [account.rawValue])
  }

  func isKnown(_ account: AccountID) throws -> Bool { try session.finds(Self.entry(of: account)) }

  /// The tier without a subscription; nil for an account that was never used.
  func tier(of account: AccountID) throws -> Tier? {
    try session.row(Self.entry(of: account))?.coded("tier")
  }

  func isUnlimited(_ account: AccountID) throws -> Bool {
    try session.row(Self.entry(of: account))?.value("is_unlimited") ?? false
  }

  /// When the account was first used; nil if it never was.
  func created(_ account: AccountID) throws -> Timestamp? {
    try session.row(Self.entry(of: account))?.time("created")
  }

  static func balance(of account: AccountID) -> SQLQuery {
    SQLQuery("SELECT available, held FROM account_balance WHERE account = ?", [account.rawValue])
  }

  /// The available and the held credits of an account; nil for one that was never used.
  func balance(of account: AccountID) throws -> (available: Int, held: Int)? {
    try session.row(Self.balance(of: account)).map { (available: try $0.value("available"), held: try $0.value("held")) }
  }

  /// Inserts an account, which has no credits yet.
  func insert(_ account: AccountID, tier: Tier, created: Timestamp) throws {
    try LedgerTable.accounts.insert(
      [account.rawValue, tier.rawValue, false, created.milliseconds, String?.none, Int64?.none], into: session)
  }

  func setTier(_ tier: Tier, of account: AccountID) throws {
    try session.run("UPDATE account SET tier = ? WHERE id = ?", [tier.rawValue, account.rawValue])
    try LedgerTable.accounts.rehash(account.rawValue, in: session)
  }

  func setUnlimited(_ isUnlimited: Bool, of account: AccountID) throws {
    try session.run("UPDATE account SET is_unlimited = ? WHERE id = ?", [isUnlimited, account.rawValue])
    try LedgerTable.accounts.rehash(account.rawValue, in: session)
  }
}

extension AccountTable {
  /// The digest of the change that was made for a source; nil when none was.
  func change(for source: String) throws -> String? {
    try session.value("SELECT digest FROM account_change WHERE source = ?", [source])
  }

  func insertChange(_ digest: String, for source: String, created: Timestamp) throws {
    try session.run(
      "INSERT INTO account_change (source, digest, created) VALUES (?, ?, ?)", [source, digest, created.milliseconds])
  }
}

extension SQLSession {
  var accounts: AccountTable { AccountTable(session: self) }
}
