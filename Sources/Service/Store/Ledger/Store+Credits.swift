import AtelierProtocol
import Synchronization

extension Store {
  /// The ledger within a transaction.
  /// - Parameter system: the time of the system clock; nil for now.
  func ledger(in session: any SQLSession, at system: Timestamp? = nil) throws -> Ledger {
    try Ledger(in: session, rules: creditRules, surroundings: surroundings, at: system)
  }

  /// Reads one account's credits. Waits for no writer, unless something has come due or the account is new.
  /// - Parameter registers: whether an account never seen before is a guest from here on; if not, the answer is that for
  ///   a new guest, and nothing is recorded.
  private func lookAtLedger<Value: Sendable>(
    of account: AccountID, registers: Bool = true, _ work: @escaping @Sendable (Ledger) throws -> Value
  ) async throws(AtelierError) -> Value {
    let found: Value? = try await read { [self] session in
      _ = try StoredText.identifier(account.rawValue)
      let ledger = try ledger(in: session)
      return try ledger.isUpToDate(account) ? work(ledger) : nil
    }
    if let found { return found }
    if !registers, try await !isKnown(account) { return try await lookAsGuest(account, work) }
    return try await withLedger(of: account, work)
  }

  /// Reads the credits that an account never seen before would have, in a transaction of its own that is undone.
  private func lookAsGuest<Value: Sendable>(
    _ account: AccountID, _ work: @escaping @Sendable (Ledger) throws -> Value
  ) async throws(AtelierError) -> Value {
    let found = Mutex<Value?>(nil)
    do {
      return try await write(isAlone: true) { [self] session -> Value in
        found.withLock { $0 = nil }
        let ledger = try ledger(in: session)
        try ledger.know(account)
        try ledger.bringUpToDate(account)
        let value = try work(ledger)
        found.withLock { $0 = value }
        throw OnlyLooked()
      }
    } catch {
      if let value = found.withLock({ $0 }) { return value }
      throw error
    }
  }

  /// Undoes the transaction of somebody who has only looked.
  private struct OnlyLooked: Error {}

  /// Changes one account's credits after registering the account, if it is new, and bringing it up to date.
  /// - Parameter welcomes: whether a new account gets the credits of a guest.
  func withLedger<Value: Sendable>(
    of account: AccountID, welcomes: Bool = true, _ work: @escaping @Sendable (Ledger) throws -> Value
  ) async throws(AtelierError) -> Value {
    try await write { [self] session in
      let ledger = try ledger(in: session)
      _ = try StoredText.identifier(account.rawValue)
      try ledger.know(account, welcomes: welcomes)
      try ledger.bringUpToDate(account)
      return try work(ledger)
    }
  }

  /// Whether the account has ever been used; looking does not count as a use.
  public func isKnown(_ account: AccountID) async throws(AtelierError) -> Bool {
    try await read { try $0.accounts.isKnown(account) }
  }

  /// The balance of a metered account.
  /// - Parameter registers: whether an account never seen before is a guest from here on.
  public func creditBalance(
    of account: AccountID, registers: Bool = true
  ) async throws(AtelierError) -> CreditBalance {
    try await lookAtLedger(of: account, registers: registers) { try $0.balance(of: account) }
  }

  /// The record of a metered account.
  /// - Parameter registers: whether an account never seen before is a guest from here on.
  public func account(_ account: AccountID, registers: Bool = true) async throws(AtelierError) -> AccountRecord {
    try await lookAtLedger(of: account, registers: registers) { try $0.record(of: account) }
  }

  /// Records a verified purchase once, for the first account that submits it; durable when it returns.
  public func record(_ purchase: Purchase) async throws(AtelierError) -> PurchaseOutcome {
    try await write { [self] session in
      _ = try StoredText.identifier(purchase.account.rawValue)
      return try ledger(in: session).record(purchase)
    }
  }

  /// Records that a store refunded a purchase: the rest of its credits is revoked, spent credits are owed, and no
  /// credits can be held until later credits have paid the debt. A purchase that was never recorded is recorded as
  /// refunded, and grants nothing from here on.
  /// - Returns: false when the refund was known, or nothing had been granted.
  public func refund(_ purchase: Purchase, at refunded: Timestamp) async throws(AtelierError) -> Bool {
    try await write { [self] session in
      _ = try StoredText.identifier(purchase.account.rawValue)
      return try ledger(in: session).refund(purchase, at: refunded)
    }
  }

  /// Grants an account credits that never expire.
  /// - Parameter source: identifies this gift, which is granted only once. Each call without a source is a new gift.
  /// - Returns: the balance, whether the credits were granted now, and whether the account was first used by this.
  /// - Throws: `idempotency_mismatch` when the source was used for another amount, account or reason.
  public func grantCredits(
    _ amount: Int, to account: AccountID, because reason: String, source: String? = nil
  ) async throws(AtelierError) -> (balance: CreditBalance, isNew: Bool, isNewAccount: Bool) {
    try await decide(on: account, source ?? surroundings.makeIdentifier("gift_")) { ledger, source in
      let isNewAccount = try !ledger.session.accounts.isKnown(account)
      let isNew = try ledger.gift(amount, to: account, for: source, because: reason)
      return (try ledger.balance(of: account), isNew, isNewAccount && isNew)
    }
  }

  /// Takes back available credits, or refunds a payment: see ``Ledger/revoke(_:)``.
  /// - Parameter source: identifies this revocation, which happens only once. Each call without a source is a new one.
  /// - Parameter payment: the source of the grant that is refunded, whole or in part; nil for none, or for one of the same
  ///   source.
  /// - Parameter owes: whether what is not available is recorded as owed. By default it is if a payment is refunded.
  /// - Returns: the balance, and what was done.
  /// - Throws: `not_found` for an account that was never used, unless it waits for its payment; `insufficient_credits` when
  ///   fewer are available, unless the rest is owed; `idempotency_mismatch` when the source was used for another
  ///   revocation, or for the payment of another account. Nothing is taken then.
  public func revokeCredits(
    _ amount: Int, from account: AccountID, because reason: String, source: String? = nil, payment: String? = nil,
    owes: Bool? = nil
  ) async throws(AtelierError) -> (balance: CreditBalance, outcome: RevocationOutcome) {
    try await decide(on: account, source ?? surroundings.makeIdentifier("revocation_")) { ledger, source in
      let outcome = try ledger.revoke(
        AskedRevocation(
          amount: amount, account: account, source: source, reason: reason,
          payment: try payment.map(Self.decisionSource), owes: owes))
      return (try ledger.balance(of: account), outcome)
    }
  }

  /// Carries out what an operator decides about the credits of an account, under a key.
  /// - Parameter work: is given the source that the decision is recorded with.
  private func decide<Value: Sendable>(
    on account: AccountID, _ key: String, _ work: @escaping @Sendable (Ledger, _ source: String) throws -> Value
  ) async throws(AtelierError) -> Value {
    try await write { [self] session in
      let ledger = try ledger(in: session)
      _ = try StoredText.identifier(account.rawValue)
      return try work(ledger, try Self.decisionSource(key))
    }
  }

  /// What an operator's decision is recorded under.
  private static func decisionSource(_ key: String) throws -> String { try StoredText.identifier("operator:\(key)") }

  /// Changes what an operator decides about an account; a bought subscription continues.
  /// - Parameters:
  ///   - welcomes: whether an account never seen before gets the credits of a guest.
  ///   - source: identifies this change, which is made only once. Each call without a source is a new one.
  /// - Returns: the account, the credits granted, why they are fewer than the tier gives, and whether the change was made
  ///   now.
  /// - Throws: `idempotency_mismatch` when the source was used for another change.
  public func change(
    _ account: AccountID, _ change: AccountChange, welcomes: Bool = true, source: String? = nil
  ) async throws(AtelierError) -> (record: AccountRecord, granted: Int, reason: ReducedGrant?, isNew: Bool) {
    try await write { [self] session in
      let ledger = try ledger(in: session)
      _ = try StoredText.identifier(account.rawValue)
      let (granted, reason, isNew) = try ledger.apply(
        change, to: account, welcomes: welcomes, for: source.map(Self.decisionSource))
      return (try ledger.record(of: account), granted, reason, isNew)
    }
  }

  /// Changes an account without a key.
  @discardableResult
  public func set(
    _ account: AccountID, tier: Tier?, isUnlimited: Bool?
  ) async throws(AtelierError) -> AccountRecord {
    try await change(account, AccountChange(tier: tier, isUnlimited: isUnlimited)).record
  }

  /// One page of the credit history of an account.
  /// - Parameters:
  ///   - limit: the number of entries, 1…100; other values are clamped to this range.
  ///   - cursor: where to continue, as returned with the previous page.
  ///   - registers: whether an account never seen before is a guest from here on.
  public func creditHistory(
    of account: AccountID, limit: Int, cursor: String?, registers: Bool = true
  ) async throws(AtelierError) -> CreditsHistory.Result {
    let limit = min(max(limit, 1), Self.maximumPage)
    let before = cursor.flatMap { Int64($0) }
    guard cursor == nil || before != nil else {
      throw AtelierError(.notFound, hint: "This method did not return that cursor. Start again without a cursor.")
    }
    return try await lookAtLedger(of: account, registers: registers) { ledger in
      let found = try ledger.entries(of: account, before: before, limit: limit + 1)
      let page = found.prefix(limit)
      let period = try ledger.presentPeriod(of: account)
      return CreditsHistory.Result(
        // An entry's id is its cursor.
        entries: Array(page), nextCursor: found.count > limit ? page.last?.id : nil,
        totalUsed: try ledger.used(by: account),
        currentPeriod: CreditsHistory.Period(
          starts: period?.starts, ends: period?.ends, used: try ledger.used(by: account, since: period?.starts)))
    }
  }

  /// Whether a request would be accepted now, and the account's balance.
  /// - Parameter registers: whether an account never seen before is a guest from here on.
  /// - Returns: the balance, and the refusal the request would get; nil when it would be accepted.
  public func allowance(
    of account: AccountID, for recipe: Recipe, metering: Metering, registers: Bool = true
  ) async throws(AtelierError) -> (balance: CreditBalance, refusal: AtelierError?) {
    try await lookAtLedger(of: account, registers: registers) { ledger in
      let balance = try ledger.balance(of: account)
      do {
        try ledger.checkLimits(of: account, against: metering.limits, recipe: recipe)
        if metering.credits > 0 { try ledger.checkFunds(metering.credits, of: account) }
        return (balance, nil)
      } catch let refusal as LedgerRefusal {
        return (balance, refusal.atelierError)
      }
    }
  }

  /// The available and the held credits of an account, as last written.
  public func creditSums(of account: AccountID) async throws(AtelierError) -> (available: Int, held: Int) {
    try await read { [self] in try ledger(in: $0).sums(of: account) }
  }

  /// How far an account has used up its limits.
  public func usage(
    of account: AccountID, against limits: [UsageLimit], registers: Bool = true
  ) async throws(AtelierError) -> [UsageState] {
    try await lookAtLedger(of: account, registers: registers) { try $0.standings(of: account, against: limits) }
  }

  /// Audits the whole ledger, in parallel with all other reads and writes.
  /// - Returns: one sentence per problem; none when all is well.
  public func auditLedger() async throws(AtelierError) -> [String] {
    do {
      return try await ledgerMonitor.audit()
    } catch {
      throw atelierError(error)
    }
  }
}
