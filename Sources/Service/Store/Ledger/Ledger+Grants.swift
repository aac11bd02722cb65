import AtelierProtocol

extension CreditKind {
  /// Credits with the lowest priority are spent first: those that would be lost soonest, then given ones, then bought
  /// ones.
  fileprivate var priority: Int {
    switch self {
    case .period, .makegood: 0
    case .guest, .free: 1
    case .bundle, .operator: 2
    }
  }
}

extension Ledger {
  /// Grants credits, unless they were already granted for the same source.
  /// - Parameters:
  ///   - source: what the credits are granted for.
  ///   - from: when the grant starts, in the ledger's time; its credits can be spent at once in any case.
  ///   - pays: whether they pay what the account owes.
  /// - Returns: nil when there is nothing to grant.
  @discardableResult
  func grant(
    _ kind: CreditKind, _ amount: Int, to account: AccountID, for source: String, from effective: Timestamp? = nil,
    until expires: Timestamp? = nil, reason: String? = nil, pays: Bool = true
  ) throws -> CreditGrant? {
    guard amount > 0 else { return nil }
    try session.prefetch([CreditGrantTable.exists(for: source), CreditGrantTable.shortfall(of: account)])
    if try session.creditGrants.exists(for: source) { return nil }
    let shortfall = try pays ? session.creditGrants.shortfall(of: account) : 0
    // All is read before anything is written.
    _ = try available(of: account)
    let grant = try issue(kind, amount, to: account, for: source, from: effective, until: expires, reason: reason)
    try pay(shortfall, of: account, with: amount, of: grant.id)
    return grant
  }

  /// Grants credits for a source for which none were granted. Reads nothing, if the credits of the account are known.
  /// - Parameter hold: the hold whose credits these replace; they are not new, and pay no shortfall.
  func issue(
    _ kind: CreditKind, _ amount: Int, to account: AccountID, for source: String, from effective: Timestamp? = nil,
    until expires: Timestamp? = nil, reason: String? = nil, hold: String? = nil
  ) throws -> CreditGrant {
    let grant = CreditGrant(
      id: makeIdentifier("grant_"), account: account, kind: kind, source: source, amount: amount,
      priority: kind.priority, effective: effective ?? now, expires: expires,
      reason: reason.map(StoredText.readable), created: now)
    try session.creditGrants.insert(grant)
    _ = try move(.grant, amount, of: grant.id, account: account, hold: hold)
    return grant
  }

  /// Grants an operator's gift, or what a payment brings. Registers the account and brings it up to date, unless the gift
  /// was granted before: an event that is repeated late makes no account exist that was deleted since.
  ///
  /// What was refunded of a payment before it came is taken back at once, and pays nothing that the account owes.
  /// - Returns: false when it was already granted.
  /// - Throws: ``LedgerRefusal/keyReused(_:)`` when the source was used for another amount, account or reason.
  func gift(_ amount: Int, to account: AccountID, for source: String, because reason: String) throws -> Bool {
    if let earlier = try session.creditGrants.keyed(by: source) {
      try earlier.check(
        KeyedCredits(of: account, amount: amount, reason: reason), session.accounts.digests(ofNames: account), as: .grant)
      if try session.accounts.isKnown(account) { try bringUpToDate(account) }
      return false
    }
    try know(account)
    try bringUpToDate(account)
    try remindOfLapsedRefund(of: source, by: account)
    let refunds = try session.revocations.waiting(for: source)
    guard !refunds.isEmpty else { return try grant(.operator, amount, to: account, for: source, reason: reason) != nil }
    let shortfall = try shortfall(of: account)
    _ = try available(of: account)
    let grant = try issue(.operator, amount, to: account, for: source, reason: reason)
    let left = try settle(refunds, with: amount, of: grant.id, account: account)
    try pay(shortfall, of: account, with: left, of: grant.id)
    return true
  }

  /// Whether ``know(_:)`` and ``bringUpToDate(_:)`` have nothing to do.
  func isUpToDate(_ account: AccountID) throws -> Bool {
    guard try session.accounts.isKnown(account) else { return false }
    if !mayExpireCredits { return true }
    return try overdue(of: account).isEmpty && !hasDueMonth(account)
  }

  /// Expires overdue credits and grants due ones. Must be called before credits are held or reported.
  func bringUpToDate(_ account: AccountID) throws {
    guard mayExpireCredits else { return }
    let overdue = try overdue(of: account)
    // Which credits expire decides nothing about a month, so that all can be read first.
    let months = try dueMonths(of: account)
    if !overdue.isEmpty { _ = try available(of: account) }
    for bucket in overdue { _ = try move(.expire, bucket.amount, of: bucket.grant, account: account) }
    try grant(months, to: account)
  }

  /// The available credits of an account whose expiry time has passed, in the order in which it passed.
  private func overdue(of account: AccountID) throws -> [AvailableCredits] {
    try session.creditGrants.spendable(by: account).compactMap { bucket in
      bucket.expires.flatMap { $0 <= now ? (bucket, $0) : nil }
    }.sorted { ($0.1, $0.0.grant) < ($1.1, $1.0.grant) }.map(\.0)
  }
}
