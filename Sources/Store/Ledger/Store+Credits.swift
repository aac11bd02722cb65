import AtelierProtocol
import GRDB

extension Store {
  /// The ledger within a transaction.
  func ledger(in database: Database) throws -> Ledger {
    try Ledger(in: database, rules: creditRules, surroundings: surroundings)
  }

  /// Reads one account's credits. Waits for no writer, unless something has come due or the account is new.
  private func lookAtLedger<Value: Sendable>(
    of account: AccountID, _ work: @escaping @Sendable (Ledger) throws -> Value
  ) async throws(AtelierError) -> Value {
    let found: Value? = try await read { [self] database in
      _ = try StoredText.identifier(account.rawValue)
      let ledger = try ledger(in: database)
      return try ledger.isUpToDate(account) ? work(ledger) : nil
    }
    if let found { return found }
    return try await withLedger(of: account, work)
  }

  /// Changes one account's credits after registering the account, if it is new, and bringing it up to date.
  func withLedger<Value: Sendable>(
    of account: AccountID, _ work: @escaping @Sendable (Ledger) throws -> Value
  ) async throws(AtelierError) -> Value {
    try await write { [self] database in
      let ledger = try ledger(in: database)
      _ = try StoredText.identifier(account.rawValue)
      try ledger.know(account)
      try ledger.bringUpToDate(account)
      return try work(ledger)
    }
  }

  /// Whether the account has ever been used; looking does not count as a use.
  public func isKnown(_ account: AccountID) async throws(AtelierError) -> Bool {
    try await read { [self] in try ledger(in: $0).isKnown(account) }
  }

  /// The balance of a metered account. An account never seen before is a guest from here on.
  public func creditBalance(of account: AccountID) async throws(AtelierError) -> CreditBalance {
    try await lookAtLedger(of: account) { try $0.balance(of: account) }
  }

  /// The record of a metered account. An account never seen before is a guest from here on.
  public func account(_ account: AccountID) async throws(AtelierError) -> AccountRecord {
    try await lookAtLedger(of: account) { try $0.record(of: account) }
  }

  /// Binds an identity to an account, unless it is already bound; the first time, grants the credits of `free`.
  /// - Returns: the account that has the identity, whether the identity was new, and the credits granted now.
  public func signIn(
    _ identity: Identity, as account: AccountID
  ) async throws(AtelierError) -> (record: AccountRecord, isNew: Bool, granted: Int) {
    try await withLedger(of: account) { ledger in
      let (holder, isNew, granted) = try ledger.signIn(identity, as: account)
      try ledger.bringUpToDate(holder)
      return (try ledger.record(of: holder), isNew, granted)
    }
  }

  /// Records a verified purchase once, for the first account that submits it; durable when it returns.
  public func record(_ purchase: Purchase) async throws(AtelierError) -> PurchaseOutcome {
    try await write { [self] database in
      _ = try StoredText.identifier(purchase.account.rawValue)
      return try ledger(in: database).record(purchase)
    }
  }

  /// Records that a store refunded a purchase: the rest of its credits is revoked, spent credits are owed, and no
  /// credits can be held until later credits have paid the debt. A purchase that was never recorded is recorded as
  /// refunded, and grants nothing from here on.
  /// - Returns: false when the refund was known, or nothing had been granted.
  public func refund(_ purchase: Purchase, at refunded: Timestamp) async throws(AtelierError) -> Bool {
    try await write { [self] database in
      _ = try StoredText.identifier(purchase.account.rawValue)
      return try ledger(in: database).refund(purchase, at: refunded)
    }
  }

  /// Grants an account credits that never expire.
  /// - Parameter source: identifies this gift, which is granted only once. Each call without a source is a new gift.
  /// - Returns: the balance, whether the credits were granted now, and whether the account was first used by this.
  /// - Throws: `idempotency_mismatch` when the source was used for another amount, account or reason.
  public func grantCredits(
    _ amount: Int, to account: AccountID, because reason: String, source: String? = nil
  ) async throws(AtelierError) -> (balance: CreditBalance, isNew: Bool, isNewAccount: Bool) {
    let source = "operator:\(source ?? surroundings.makeIdentifier("gift_"))"
    return try await write { [self] database in
      let ledger = try ledger(in: database)
      _ = try StoredText.identifier(account.rawValue)
      let isNewAccount = try !ledger.isKnown(account)
      try ledger.know(account)
      try ledger.bringUpToDate(account)
      let isNew = try ledger.gift(amount, to: account, for: try StoredText.identifier(source), because: reason)
      return (try ledger.balance(of: account), isNew, isNewAccount)
    }
  }

  /// Takes back available credits.
  /// - Parameter source: identifies this revocation, which happens only once. Each call without a source is a new one.
  /// - Returns: the balance, and whether the credits were taken back now.
  /// - Throws: `not_found` for an account that was never used; `insufficient_credits` when fewer are available;
  ///   `idempotency_mismatch` when the source was used for another amount, account or reason. Nothing is taken then.
  public func revokeCredits(
    _ amount: Int, from account: AccountID, because reason: String, source: String? = nil
  ) async throws(AtelierError) -> (balance: CreditBalance, isNew: Bool) {
    let source = "operator:\(source ?? surroundings.makeIdentifier("revocation_"))"
    return try await write { [self] database in
      let ledger = try ledger(in: database)
      guard try ledger.isKnown(account) else { throw AtelierError(unknownAccount: account) }
      try ledger.bringUpToDate(account)
      let isNew = try ledger.revoke(amount, from: account, for: try StoredText.identifier(source), because: reason)
      return (try ledger.balance(of: account), isNew)
    }
  }

  /// Sets what an operator decides about an account; a bought subscription continues.
  /// - Parameters:
  ///   - tier: nil leaves it unchanged; `premium` is a subscription without an end.
  ///   - isUnlimited: whether the limits of the account are lifted; nil leaves this unchanged.
  public func set(
    _ account: AccountID, tier: Tier?, isUnlimited: Bool?
  ) async throws(AtelierError) -> AccountRecord {
    try await withLedger(of: account) { ledger in
      if let tier { try ledger.set(tier, of: account) }
      if let isUnlimited { try ledger.change("is_unlimited", to: isUnlimited, of: account) }
      try ledger.bringUpToDate(account)
      return try ledger.record(of: account)
    }
  }

  /// One page of the credit history of an account.
  /// - Parameters:
  ///   - limit: the number of entries, 1…100; other values are clamped to this range.
  ///   - cursor: where to continue, as returned with the previous page.
  public func creditHistory(
    of account: AccountID, limit: Int, cursor: String?
  ) async throws(AtelierError) -> CreditsHistory.Result {
    let limit = min(max(limit, 1), Self.maximumPage)
    let before = cursor.flatMap { Int64($0) }
    guard cursor == nil || before != nil else {
      throw AtelierError(.notFound, "This method did not return that cursor. Start again without a cursor.")
    }
    return try await lookAtLedger(of: account) { ledger in
      let found = try ledger.entries(of: account, before: before, limit: limit + 1)
      let page = found.prefix(limit)
      let period = try ledger.presentPeriod(of: account)
      return CreditsHistory.Result(
        entries: page.map(\.entry), nextCursor: found.count > limit ? page.last.map { String($0.seq) } : nil,
        totalUsed: try ledger.used(by: account),
        currentPeriod: CreditsHistory.Period(
          starts: period?.starts, ends: period?.ends, used: try ledger.used(by: account, since: period?.starts)))
    }
  }

  /// Whether a request would be accepted now, and the account's balance.
  /// - Returns: the balance, and the refusal the request would get; nil when it would be accepted.
  public func allowance(
    of account: AccountID, for recipe: Recipe, metering: Metering
  ) async throws(AtelierError) -> (balance: CreditBalance, refusal: AtelierError?) {
    try await lookAtLedger(of: account) { ledger in
      let balance = try ledger.balance(of: account)
      do {
        try ledger.checkLimits(of: account, against: metering.limits, recipe: recipe)
        if metering.credits > 0 { try ledger.checkFunds(metering.credits, of: account) }
        return (balance, nil)
      } catch let refusal as AtelierError {
        return (balance, refusal)
      }
    }
  }

  /// The available and the held credits of an account, as last written.
  public func creditSums(of account: AccountID) async throws(AtelierError) -> (available: Int, held: Int) {
    try await read { [self] in try ledger(in: $0).sums(of: account) }
  }

  /// How far an account has used up its limits.
  public func usage(
    of account: AccountID, against limits: [UsageLimit]
  ) async throws(AtelierError) -> [UsageState] {
    try await lookAtLedger(of: account) { try $0.standings(of: account, against: limits) }
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

extension AtelierError {
  /// The error for an account that was never used.
  public init(unknownAccount account: AccountID) {
    self.init(.notFound, "There is no account “\(account.rawValue)”. Check its name; an account exists from its first use.")
  }
}
