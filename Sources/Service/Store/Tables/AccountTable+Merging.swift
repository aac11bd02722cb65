import AtelierProtocol

/// Accounts that were merged into others.
extension AccountTable {
  /// The account and those that were merged into it, as an SQL expression: a list to look in.
  /// - Parameter account: an SQL expression.
  static func family(of account: String) -> String {
    "(SELECT member.id FROM account AS member WHERE member.id = \(account) OR member.merged_into = \(account))"
  }

  /// The account that acts for an account today, as an SQL expression: itself, unless it was merged into another.
  static func present(_ account: String) -> String {
    "COALESCE((SELECT named.merged_into FROM account AS named WHERE named.id = \(account)), \(account))"
  }

  /// The account that an account was merged into; nil for none.
  func successor(of account: AccountID) throws -> AccountID? {
    let name: String? = try session.row(Self.entry(of: account))?.optional("merged_into")
    return name.map { AccountID(rawValue: $0) }
  }

  /// The account that acts for an account today: itself, unless it was merged into another.
  func present(_ account: AccountID) throws -> AccountID { try successor(of: account) ?? account }

  /// The accounts that were merged into an account.
  func merged(into account: AccountID) throws -> [AccountID] {
    try session.values("SELECT id FROM account WHERE merged_into = ? ORDER BY id", [account.rawValue], as: String.self)
      .map { AccountID(rawValue: $0) }
  }

  /// The digests of the names under which an account may have been addressed: its own, those of the accounts that were
  /// merged into it, and of those that were merged into deleted accounts of its name.
  func digests(ofNames account: AccountID) throws -> Set<String> {
    let deleted = DeletedAccount.names(of: account)
    let merged: [String] = try session.values(
      "SELECT id FROM account WHERE merged_into = ?1 OR merged_into >= ?2 AND merged_into < ?3",
      [account.rawValue, deleted.from, deleted.to])
    return Set((merged + [account.rawValue]).map { DeletedAccount.digest(of: $0) })
  }

  /// Whether the account was ever used: where nothing is counted, by its generations and its prepared photos alone.
  func hasAnything(_ account: AccountID) throws -> Bool {
    if try isKnown(account) { return true }
    return try session.finds(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM generation WHERE account = ?1)
        OR EXISTS (SELECT 1 FROM prepared WHERE account = ?1 AND artifact IS NOT NULL)
        OR EXISTS (SELECT 1 FROM idempotency WHERE account = ?1)
        OR EXISTS (SELECT 1 FROM queue_pause WHERE account = ?1)
      """,
      [account.rawValue])
  }

  /// Puts an account on record that may have been used without, and gets no credits for it.
  func register(_ account: AccountID, created: Timestamp) throws {
    if try !isKnown(account) { try insert(account, tier: .guest, created: created) }
  }

  /// Records that another account acts for an account from here on. What was merged into it before follows, so that a
  /// successor never has a successor.
  func setSuccessor(_ successor: AccountID, of account: AccountID) throws {
    for merged in try merged(into: account) + [account] {
      try session.run("UPDATE account SET merged_into = ? WHERE id = ?", [successor.rawValue, merged.rawValue])
      try LedgerTable.accounts.rehash(merged.rawValue, in: session)
    }
  }

  /// Gives what an account has, except for credits, to another one: history, prepared photos, what counts for limits,
  /// idempotency keys that the other has not used, and consent.
  func giveAway(everythingOf account: AccountID, to successor: AccountID) throws {
    let values: SQLValues = [account.rawValue, successor.rawValue]
    try session.run(
      "UPDATE session_step SET account = ?2 WHERE session IN (SELECT id FROM session WHERE account = ?1)", values)
    for table in ["generation", "session", "limit_event"] {
      try session.run("UPDATE \(table) SET account = ?2 WHERE account = ?1", values)
    }
    try session.run("UPDATE prepared SET account = ?2 WHERE account = ?1 AND artifact IS NOT NULL", values)
    try session.run(
      """
      INSERT INTO generation_sum (account, day, recipe, state, provider, failure, generations, credits, cost)
      SELECT ?2, day, recipe, state, provider, failure, generations, credits, cost FROM generation_sum WHERE account = ?1
      ON CONFLICT (account, day, recipe, state, provider, failure) DO UPDATE SET
        generations = generation_sum.generations + excluded.generations,
        credits = generation_sum.credits + excluded.credits, cost = generation_sum.cost + excluded.cost
      """,
      values)
    try session.run("DELETE FROM generation_sum WHERE account = ?", [account.rawValue])
    try session.run(
      """
      UPDATE idempotency SET account = ?2 WHERE account = ?1 AND NOT EXISTS (
        SELECT 1 FROM idempotency AS taken WHERE taken.account = ?2 AND taken.key = idempotency.key)
      """,
      values)
    try session.run(
      """
      INSERT INTO account_consent (account, version, accepted, created)
      SELECT ?2, version, accepted, created FROM account_consent WHERE account = ?1
      ON CONFLICT (account, version) DO NOTHING
      """,
      values)
    try forgetSettings(of: account)
  }

  /// Deletes what is kept for an account besides its history and the ledger.
  private func forgetSettings(of account: AccountID) throws {
    try session.run("DELETE FROM account_consent WHERE account = ?", [account.rawValue])
    try session.run("DELETE FROM queue_pause WHERE account = ?", [account.rawValue])
  }
}

/// Accounts that were deleted.
extension AccountTable {
  /// Takes the names of an account and of those merged into it from all rows that stay, and deletes the others: see
  /// ``DeletedAccount``. Their history must be deleted before.
  /// - Parameter time: of the deletion.
  func deleteNames(of account: AccountID, at time: Timestamp) throws {
    try noteDeletion(of: account)
    for name in try merged(into: account) + [account] { try deleteName(of: name, at: time) }
  }

  /// Notes for each identity of an account and of those merged into it that it is deleted: what is granted once is not
  /// granted to it again, nor is a month that an operator gave.
  private func noteDeletion(of account: AccountID) throws {
    let given = try session.subscriptions.everGiven(to: account).map(\.source)
    let identities: [String] = try session.values(
      "SELECT identity FROM account_identity WHERE account IN \(Self.family(of: "?1"))", [account.rawValue])
    for identity in identities {
      for source in [Self.deletion(of: identity)] + given.map({ "\(Self.deletion(of: identity)):\($0)" }) {
        try session.run(
          """
          INSERT INTO account_change (source, digest, created) SELECT ?1, ?2, created FROM account_identity
          WHERE identity = ?2 ON CONFLICT DO NOTHING
          """,
          [source, identity])
      }
    }
  }

  /// The sources of the subscriptions that an operator gave accounts that were deleted, and that had an identity of an
  /// account or of those merged into it, as an SQL expression.
  /// - Parameter account: an SQL expression.
  static func givenBeforeDeletion(ofIdentitiesOf account: String) -> String {
    """
    SELECT substr(account_change.source, length('\(deletionPrefix)' || identity) + 2)
    FROM account_identity CROSS JOIN account_change
      ON account_change.source > '\(deletionPrefix)' || identity || ':'
      AND account_change.source < '\(deletionPrefix)' || identity || ';'
    WHERE account_identity.account IN \(family(of: account))
    """
  }

  private func deleteName(of account: AccountID, at time: Timestamp) throws {
    try forgetSettings(of: account)
    for table in ["limit_event", "prepared"] {
      try session.run("DELETE FROM \(table) WHERE account = ?", [account.rawValue])
    }
    let nameless = try name(afterDeletionOf: account)
    try session.run("UPDATE idempotency SET account = ? WHERE account = ?", [nameless.rawValue, account.rawValue])
    try session.run("DELETE FROM idempotency WHERE account = ?", [nameless.rawValue])
    // Whatever refers to the account follows.
    try session.run(
      "UPDATE account SET id = ?, ended = ? WHERE id = ?", [nameless.rawValue, time.milliseconds, account.rawValue])
    try LedgerTable.accounts.rehash(nameless.rawValue, in: session)
    try session.run("DELETE FROM account_identity WHERE account = ?", [nameless.rawValue])
  }

  /// Whether an account that had an identity was deleted: what is granted once is not granted to it again.
  /// - Parameter identity: its digest.
  func wasDeleted(withIdentity identity: String) throws -> Bool {
    try change(for: Self.deletion(of: identity)) != nil
  }

  /// Whether this is so of any identity of an account and of those merged into it.
  func wasDeleted(withIdentityOf account: AccountID) throws -> Bool {
    try session.finds(
      """
      SELECT 1 FROM account_identity CROSS JOIN account_change ON source = '\(Self.deletionPrefix)' || identity
      WHERE account_identity.account IN \(Self.family(of: "?1")) LIMIT 1
      """,
      [account.rawValue])
  }

  /// When the last account that had a name was deleted; nil if none was. What happened before concerns no account that has
  /// the name now.
  func lastEnd(ofName account: AccountID) throws -> Timestamp? {
    let names = DeletedAccount.names(of: account)
    return try session.row("SELECT max(ended) AS ended FROM account WHERE id >= ? AND id < ?", [names.from, names.to])?
      .time("ended")
  }

  /// What notes in `account_change` that an account with an identity was deleted.
  private static func deletion(of identity: String) -> String { "\(deletionPrefix)\(identity)" }

  private static let deletionPrefix = "deleted:"

  private func name(afterDeletionOf account: AccountID) throws -> AccountID {
    var number = 0
    while try isKnown(DeletedAccount.name(of: account, number: number)) { number += 1 }
    return DeletedAccount.name(of: account, number: number)
  }
}
