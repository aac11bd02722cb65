import AtelierProtocol

extension Ledger {
  /// The reason for releasing a hold although its generation delivered.
  static let noCost = "no cost"

  /// Holds credits for a generation.
  /// - Throws: ``LedgerRefusal/insufficientCredits(required:available:shortfall:)``; nothing is held then.
  func hold(_ amount: Int, for generation: GenerationID, of account: AccountID) throws {
    try checkFunds(amount, of: account)
    var rest = amount
    var parts: [AvailableCredits] = []
    for bucket in try session.creditGrants.spendable(by: account) where rest > 0 {
      let part = min(rest, bucket.amount)
      parts.append(AvailableCredits(grant: bucket.grant, amount: part))
      rest -= part
    }
    guard rest == 0 else { throw UnreadableColumn(name: "available") }
    let hold = makeIdentifier("hold_")
    try session.holds.insert(hold, of: amount, for: generation, of: account, created: now)
    for part in parts { _ = try move(.hold, part.amount, of: part.grant, account: account, hold: hold) }
  }

  /// - Throws: ``LedgerRefusal/insufficientCredits(required:available:shortfall:)`` when this amount cannot be held.
  func checkFunds(_ amount: Int, of account: AccountID) throws {
    let available = try sums(of: account).available
    let shortfall = try session.creditGrants.shortfall(of: account)
    if available >= amount, shortfall == 0 { return }
    throw LedgerRefusal.insufficientCredits(required: amount, available: available, shortfall: shortfall)
  }

  /// Ends the hold of a generation: captures `captured` credits and releases the rest.
  /// - Parameter captured: capped at the held amount.
  /// - Returns: the credits captured; nil when nothing is held.
  @discardableResult
  func endHold(for generation: GenerationID, capturing captured: Int, because reason: String) throws -> Int? {
    guard let hold = try session.holds.open(for: generation) else { return nil }
    let taken = min(max(captured, 0), hold.amount)
    for part in try parts(of: hold, capturing: taken) {
      if part.captured > 0 {
        _ = try move(.capture, part.captured, of: part.grant, account: hold.account, hold: hold.id)
      }
      if let way = part.way { try release(part.released, of: part.grant, from: hold, way) }
    }
    try session.holds.insertEnd(of: hold, captured: taken, because: reason, created: now)
    return taken
  }

  /// What becomes of the credits that a hold took from one grant.
  private struct HeldPart {
    var grant: String
    var captured: Int
    var released: Int
    /// Nil when nothing is released.
    var way: WayBack?
  }

  /// What becomes of credits that are released.
  private enum WayBack {
    /// They can be spent again.
    case available
    /// Their purchase was refunded.
    case refunded
    /// Their grant has expired.
    case expired
    /// An operator gave them, and may have taken back meanwhile what was not there.
    case gift
  }

  /// Looks up all that decides about the parts of a hold, before any of them is moved.
  private func parts(of hold: HoldTable.OpenHold, capturing taken: Int) throws -> [HeldPart] {
    var rest = taken
    return try session.transfers.parts(ofHold: hold.id).map { part in
      let captured = min(rest, part.amount)
      rest -= captured
      let released = part.amount - captured
      return HeldPart(
        grant: part.grant, captured: captured, released: released, way: try released > 0 ? wayBack(to: part.grant) : nil)
    }
  }

  private func wayBack(to grant: String) throws -> WayBack {
    if try session.creditGrants.isRefunded(grant) { return .refunded }
    if mayExpireCredits, try session.creditGrants.hasExpired(grant, at: now) { return .expired }
    return try session.creditGrants.isGift(grant) ? .gift : .available
  }

  /// Releases held credits. Credits of an expired grant come back as a grant of their own; credits of a refunded
  /// purchase are revoked; what an operator gave pays what is owed.
  private func release(_ amount: Int, of grant: String, from hold: HoldTable.OpenHold, _ way: WayBack) throws {
    let account = hold.account
    _ = try move(.release, amount, of: grant, account: account, hold: hold.id)
    switch way {
    case .available: break
    case .refunded: _ = try move(.revoke, amount, of: grant, account: account, hold: hold.id)
    case .expired:
      _ = try move(.expire, amount, of: grant, account: account, hold: hold.id)
      try self.grant(
        .makegood, amount, to: account, for: CreditGrantTable.makegoodSource(ofHold: hold.id, of: grant),
        until: now.later(by: rules.makegoodLifetimeMs), hold: hold.id)
    case .gift:
      // What other parts of the hold spent of a refunded grant is owed as well.
      try pay(session.creditGrants.shortfall(of: account), of: account, with: amount, of: grant, hold: hold.id)
    }
  }

  /// The effect of a generation on its account's credits; nil when nothing was held for it.
  static func credits(of generation: GenerationID, in session: any SQLSession) throws -> Credits? {
    try session.holds.credits(of: generation)
  }
}
