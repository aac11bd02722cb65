import AtelierProtocol
import GRDB

extension Ledger {
  /// The reason for releasing a hold although its generation delivered.
  static let noCost = "no cost"

  /// Holds credits for a generation.
  /// - Throws: `insufficient_credits`; nothing is held then.
  func hold(_ amount: Int, for generation: GenerationID, of account: AccountID) throws {
    try checkFunds(amount, of: account)
    let hold = makeIdentifier("hold_")
    try LedgerTable.holds.insert(
      [hold, account.rawValue, generation.rawValue, amount, now.milliseconds], into: database)
    var rest = amount
    for bucket in try spendable(by: account) where rest > 0 {
      let part = min(rest, bucket.available)
      _ = try move(.hold, part, of: bucket.grant, account: account, hold: hold)
      rest -= part
    }
    guard rest == 0 else { throw UnreadableColumn(name: "available") }
  }

  /// - Throws: `insufficient_credits` when this amount cannot be held.
  func checkFunds(_ amount: Int, of account: AccountID) throws {
    let available = try sums(of: account).available
    let shortfall = try shortfall(of: account)
    if available >= amount, shortfall == 0 { return }
    let details = InsufficientCreditsDetails(
      required: amount, available: available, shortfall: shortfall > 0 ? shortfall : nil, upgradeOptions: [])
    throw AtelierError(.insufficientCredits, details: details.json)
  }

  /// Ends the hold of a generation: captures `captured` credits and releases the rest.
  /// - Parameter captured: capped at the held amount.
  /// - Returns: the credits captured; nil when nothing is held.
  @discardableResult
  func endHold(for generation: GenerationID, capturing captured: Int, because reason: String) throws -> Int? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id, account, amount FROM hold WHERE generation_id = ?
            AND NOT EXISTS (SELECT 1 FROM hold_end WHERE hold_id = id)
          """),
      arguments: [generation.rawValue])
    guard let row else { return nil }
    let (hold, amount): (String, Int) = (try row.value("id"), try row.value("amount"))
    let account = AccountID(rawValue: try row.value("account"))
    let taken = min(max(captured, 0), amount)
    var rest = taken
    for part in try parts(of: hold) {
      let spent = min(rest, part.amount)
      if spent > 0 { _ = try move(.capture, spent, of: part.grant, account: account, hold: hold) }
      rest -= spent
      if spent < part.amount { try release(part.amount - spent, of: part.grant, hold: hold, account: account) }
    }
    let outcome = taken == 0 ? "released" : taken == amount ? "captured" : "partial"
    try LedgerTable.holdEnds.insert([hold, outcome, taken, reason, now.milliseconds], into: database)
    return taken
  }

  private func parts(of hold: String) throws -> [(grant: String, amount: Int)] {
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT grant_id, amount FROM transfer WHERE hold_id = ? AND kind = 'hold' ORDER BY seq"),
      arguments: [hold])
    return try rows.map { (try $0.value("grant_id"), try $0.value("amount")) }
  }

  /// Releases held credits. Credits of an expired grant come back as a grant of their own; credits of a refunded
  /// purchase are revoked; what an operator gave pays what is owed, for it may have been revoked meanwhile.
  private func release(_ amount: Int, of grant: String, hold: String, account: AccountID) throws {
    _ = try move(.release, amount, of: grant, account: account, hold: hold)
    if try isRefunded(grant) {
      _ = try move(.revoke, amount, of: grant, account: account, hold: hold)
    } else if mayTurn, try hasExpired(grant) {
      _ = try move(.expire, amount, of: grant, account: account, hold: hold)
      try self.grant(
        .makegood, amount, to: account, for: Self.makegoodSource(ofHold: hold, of: grant),
        until: now.later(by: rules.makegoodLifetimeMs), hold: hold)
    } else if try isGift(grant) {
      try payShortfall(of: account, with: amount, of: grant, hold: hold)
    }
  }

  private func isGift(_ grant: String) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT \(Self.isGift) FROM credit_grant WHERE id = ?"), arguments: [grant])
      ?? false
  }

  private func hasExpired(_ grant: String) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT expires <= ? FROM credit_grant WHERE id = ?"),
      arguments: [now.milliseconds, grant]) ?? false
  }

  /// The effect of a generation on its account's credits; nil when nothing was held for it.
  static func credits(of generation: GenerationID, in database: Database) throws -> Credits? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT amount, captured, (
            SELECT available_after FROM transfer WHERE hold_id = id ORDER BY seq DESC LIMIT 1) AS available_after
          FROM hold LEFT JOIN hold_end ON hold_id = id WHERE generation_id = ?
          """),
      arguments: [generation.rawValue])
    guard let row else { return nil }
    let held: Int = try row.value("amount")
    let captured = try row.optional("captured", as: Int.self)
    return Credits(
      held: held, charged: captured ?? 0, released: captured.map { held - $0 } ?? 0,
      balanceAfter: try row.optional("available_after"))
  }
}
