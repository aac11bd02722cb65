import AtelierProtocol

/// Who the person behind an account is: identities, of which only digests are stored.
extension AccountTable {
  /// The account that has an identity; nil for a new identity.
  /// - Parameter identity: its digest.
  func holder(ofIdentity identity: String) throws -> AccountID? {
    try session.value("SELECT account FROM account_identity WHERE identity = ?", [identity], as: String.self)
      .map { AccountID(rawValue: $0) }
  }

  /// The providers of the identities of an account and of those merged into it, in the order of signing in.
  func providers(of account: AccountID) throws -> [String] {
    try session.values(
      """
      SELECT provider FROM account_identity WHERE account IN \(Self.family(of: "?1")) ORDER BY created, identity
      """,
      [account.rawValue])
  }

  /// - Parameter identity: its digest.
  func insertIdentity(_ identity: String, of provider: String, for account: AccountID, created: Timestamp) throws {
    try LedgerTable.identities.insert([identity, provider, account.rawValue, created.milliseconds], into: session)
  }
}

/// What the person has agreed to.
extension AccountTable {
  /// The version of the terms that the person has accepted last; nil for none.
  func consent(of account: AccountID) throws -> Consent? {
    try consents(of: account).last
  }

  /// All versions that the person has accepted, in that order.
  func consents(of account: AccountID) throws -> [Consent] {
    try session.rows(
      "SELECT version, accepted FROM account_consent WHERE account = ? ORDER BY accepted, version", [account.rawValue]
    ).map { row in
      Consent(
        version: try row.value("version"), acceptedAt: Timestamp(milliseconds: try row.value("accepted")))
    }
  }

  /// Whether the person has accepted a version of the terms; for nil, any version.
  func accepts(_ version: String?, _ account: AccountID) throws -> Bool {
    guard let version else {
      return try session.finds("SELECT 1 FROM account_consent WHERE account = ? LIMIT 1", [account.rawValue])
    }
    return try session.finds(
      "SELECT 1 FROM account_consent WHERE account = ? AND version = ?", [account.rawValue, version])
  }

  /// Records that the person has accepted a version, unless it is known.
  /// - Returns: false when it was.
  func insert(_ consent: Consent, of account: AccountID, created: Timestamp) throws -> Bool {
    try session.change(
      """
      INSERT INTO account_consent (account, version, accepted, created) VALUES (?, ?, ?, ?)
      ON CONFLICT (account, version) DO NOTHING
      """,
      [account.rawValue, consent.version, consent.acceptedAt.milliseconds, created.milliseconds]) == 1
  }
}
