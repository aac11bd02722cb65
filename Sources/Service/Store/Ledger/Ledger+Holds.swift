import AtelierProtocol

extension Ledger {
  /// The reason for releasing a hold although its generation delivered.
  static let noCost = "no cost"

  /// Holds credits for a generation.
  /// - Throws: ``LedgerRefusal/insufficientCredits(required:available:shortfall:)``; nothing is held then.
  func hold(_ amount: Int, for generation: GenerationID, of account: AccountID) throws {
    try checkFunds(amount, of: account)
    _ = try hold(parts(of: amount, heldFrom: account), for: generation, of: account)
  }

  /// The credits of each grant that make up an amount to hold, which is available.
  func parts(of amount: Int, heldFrom account: AccountID) throws -> [AvailableCredits] {
    if amount == 0 { return [] }
    var rest = amount
    var parts: [AvailableCredits] = []
    for bucket in try session.creditGrants.spendable(by: account) where rest > 0 {
      let part = min(rest, bucket.amount)
      parts.append(AvailableCredits(grant: bucket.grant, amount: part))
      rest -= part
    }
    guard rest == 0 else { throw UnreadableColumn(name: "available") }
    return parts
  }

  /// Holds these credits for a generation.
  /// - Returns: the effect on the credits of the account.
  func hold(
    _ parts: [AvailableCredits], for generation: GenerationID, of account: AccountID
  ) throws -> Credits {
    let amount = parts.reduce(0) { $0 + $1.amount }
    let hold = makeIdentifier("hold_")
    try session.holds.insert(hold, of: amount, for: generation, of: account, created: now)
    for part in parts { _ = try move(.hold, part.amount, of: part.grant, account: account, hold: hold) }
    return Credits(held: amount, charged: 0, released: 0, balanceAfter: try available(of: account))
  }

  /// - Throws: ``LedgerRefusal/insufficientCredits(required:available:shortfall:)`` when this amount cannot be held. An
  ///   account that is not known has what ``know(_:)`` gives it.
  func checkFunds(_ amount: Int, of account: AccountID) throws {
    let isKnown = try session.accounts.isKnown(account)
    let available = try isKnown ? sums(of: account).available : welcomeCredits(of: account)
    let shortfall = try isKnown ? session.creditGrants.shortfall(of: account) : 0
    if available >= amount, shortfall == 0 { return }
    throw LedgerRefusal.insufficientCredits(required: amount, available: available, shortfall: shortfall)
  }
}

// MARK: The end of a hold

/// How a hold ends, with all that decides about it.
struct HoldEnding {
  fileprivate var hold: HoldTable.OpenHold
  /// Credits that are captured; the rest is released.
  var captured: Int
  fileprivate var reason: String
  fileprivate var parts: [HeldPart]
}

/// What becomes of the credits that a hold took from one grant.
private struct HeldPart {
  var grant: String
  var captured: Int
  var released: Int
  /// Whether what is captured is owed at once: its purchase was refunded.
  var isRefunded: Bool
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

extension Ledger {
  /// What ``ending(ofHoldFor:capturing:because:)`` reads.
  /// - Parameter account: nil when it is not known yet.
  static func ending(ofHoldFor generation: GenerationID, of account: AccountID?) -> [SQLQuery] {
    let sums = account.map { [AccountTable.balance(of: $0), CreditGrantTable.shortfall(of: $0)] } ?? []
    return beginning + [HoldTable.open(for: generation), CreditGrantTable.held(for: generation)] + sums
  }

  /// Ends the hold of a generation: captures `captured` credits and releases the rest.
  /// - Parameter captured: capped at the held amount.
  /// - Returns: the credits captured; nil when nothing is held.
  @discardableResult
  func endHold(for generation: GenerationID, capturing captured: Int, because reason: String) throws -> Int? {
    guard let ending = try ending(ofHoldFor: generation, capturing: captured, because: reason) else { return nil }
    _ = try end(ending)
    return ending.captured
  }

  /// Decides how the hold of a generation ends. Writes nothing.
  /// - Parameter captured: capped at the held amount.
  /// - Returns: nil when nothing is held.
  func ending(
    ofHoldFor generation: GenerationID, capturing captured: Int, because reason: String
  ) throws -> HoldEnding? {
    guard let hold = try session.holds.open(for: generation) else { return nil }
    let taken = min(max(captured, 0), hold.amount)
    var rest = taken
    let parts = try session.creditGrants.held(for: generation).map { part in
      let captured = min(rest, part.amount)
      rest -= captured
      let released = part.amount - captured
      return HeldPart(
        grant: part.grant, captured: captured, released: released, isRefunded: part.isRefunded,
        way: released > 0 ? wayBack(of: part) : nil)
    }
    _ = try available(of: hold.account)
    if parts.contains(where: { $0.way == .gift }) { _ = try shortfall(of: hold.account) }
    return HoldEnding(hold: hold, captured: taken, reason: reason, parts: parts)
  }

  private func wayBack(of part: HeldCredits) -> WayBack {
    if part.isRefunded { return .refunded }
    if mayExpireCredits, let expires = part.expires, expires <= now { return .expired }
    return part.isGift ? .gift : .available
  }

  /// Ends a hold as decided. Reads nothing.
  /// - Returns: the effect of its generation on the credits of the account.
  func end(_ ending: HoldEnding) throws -> Credits {
    let hold = ending.hold
    for part in ending.parts {
      if part.captured > 0 {
        _ = try move(.capture, part.captured, of: part.grant, account: hold.account, hold: hold.id)
        if part.isRefunded { owe(part.captured, of: hold.account) }
      }
      if let way = part.way { try release(part.released, of: part.grant, from: hold, way) }
    }
    try session.holds.insertEnd(of: hold, captured: ending.captured, because: ending.reason, created: now)
    return Credits(
      held: hold.amount, charged: ending.captured, released: hold.amount - ending.captured,
      balanceAfter: try available(of: hold.account))
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
      // A hold ends once, so that nothing was granted for this source. It pays no shortfall: it is not new.
      _ = try issue(
        .makegood, amount, to: account, for: CreditGrantTable.makegoodSource(ofHold: hold.id, of: grant),
        until: now.later(by: rules.makegoodLifetimeMs), hold: hold.id)
    case .gift:
      // What other parts of the hold spent of a refunded grant is owed as well.
      try pay(shortfall(of: account), of: account, with: amount, of: grant, hold: hold.id)
    }
  }

  /// The effect of a generation on its account's credits; nil when nothing was held for it.
  static func credits(of generation: GenerationID, in session: any SQLSession) throws -> Credits? {
    try session.holds.credits(of: generation)
  }
}
