import AtelierProtocol
import GRDB

extension Store {
  /// The ledger within a transaction.
  func ledger(in database: Database) throws -> Ledger {
    try Ledger(in: database, rules: creditRules, surroundings: surroundings)
  }

  /// Looks at one account's credits. That waits for nobody's writing, unless something has come due or the account is
  /// new.
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

  /// Changes one account's credits, which are brought up to date first; the account is made known.
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

  /// What a metered account has to spend. One that was never seen is a guest from here on.
  public func creditBalance(of account: AccountID) async throws(AtelierError) -> CreditBalance {
    try await lookAtLedger(of: account) { try $0.balance(of: account) }
  }

  /// Who a metered account is. One that was never seen is a guest from here on.
  public func account(_ account: AccountID) async throws(AtelierError) -> AccountRecord {
    try await lookAtLedger(of: account) { try $0.record(of: account) }
  }

  /// Binds an identity to an account, unless it is bound already; the first time, it is given the credits of `free`.
  /// - Returns: the account whose the identity is, whether it was new, and the credits given now.
  public func signIn(
    _ identity: Identity, as account: AccountID
  ) async throws(AtelierError) -> (record: AccountRecord, isNew: Bool, granted: Int) {
    try await withLedger(of: account) { ledger in
      let (holder, isNew, granted) = try ledger.signIn(identity, as: account)
      try ledger.bringUpToDate(holder)
      return (try ledger.record(of: holder), isNew, granted)
    }
  }

  /// Counts a verified purchase, once for whoever comes first; durable when it returns.
  public func record(_ purchase: Purchase) async throws(AtelierError) -> PurchaseOutcome {
    try await write { [self] database in
      _ = try StoredText.identifier(purchase.account.rawValue)
      return try ledger(in: database).record(purchase)
    }
  }

  /// Notes that a store took a purchase back: what is left of its credits goes, what was spent is owed, and nothing is
  /// held until it is paid with later credits.
  /// - Returns: false when it was known, or the purchase never counted.
  public func refund(purchase source: String, at refunded: Timestamp) async throws(AtelierError) -> Bool {
    try await write { [self] database in try ledger(in: database).refund(source, at: refunded) }
  }

  /// Gives an account credits that never expire.
  /// - Parameter source: names this gift; the same one is not given twice. Each call without one is a new gift.
  /// - Returns: what the account has, and whether the credits were given now.
  /// - Throws: `idempotency_mismatch` for the source of a gift of other credits or to another account.
  public func grantCredits(
    _ amount: Int, to account: AccountID, because reason: String, source: String? = nil
  ) async throws(AtelierError) -> (balance: CreditBalance, isNew: Bool) {
    let source = "operator:\(source ?? surroundings.makeIdentifier("gift_"))"
    return try await withLedger(of: account) { ledger in
      let isNew = try ledger.gift(amount, to: account, for: try StoredText.identifier(source), because: reason)
      return (try ledger.balance(of: account), isNew)
    }
  }

  /// Takes back credits that can be spent.
  /// - Throws: `insufficient_credits` when there are fewer; nothing is taken then.
  public func revokeCredits(
    _ amount: Int, from account: AccountID, because reason: String
  ) async throws(AtelierError) -> CreditBalance {
    try await withLedger(of: account) { ledger in
      try ledger.revoke(amount, from: account, because: reason)
      return try ledger.balance(of: account)
    }
  }

  /// Makes an account what an operator says it is; a subscription that was bought goes on.
  /// - Parameters:
  ///   - tier: nil leaves it as it is; `premium` is a subscription without an end.
  ///   - isUnlimited: whether its limits are lifted; nil leaves that as it is.
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

  /// One page of what became of an account's credits.
  /// - Parameters:
  ///   - limit: entries wanted, 1…100; other values are taken as the nearest of these.
  ///   - cursor: where to go on, as the page before told it.
  public func creditHistory(
    of account: AccountID, limit: Int, cursor: String?
  ) async throws(AtelierError) -> CreditsHistory.Result {
    let limit = min(max(limit, 1), Self.maximumPage)
    let before = cursor.flatMap { Int64($0) }
    guard cursor == nil || before != nil else {
      throw AtelierError(.notFound, "This cursor is not one of this history. Begin again without a cursor.")
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

  /// Whether a request would be accepted at this moment, and what the account has.
  /// - Returns: the refusal it would meet; nil when it would be accepted.
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

  /// What an account can spend and what is set aside, as last written.
  public func creditSums(of account: AccountID) async throws(AtelierError) -> (available: Int, held: Int) {
    try await read { [self] in try ledger(in: $0).sums(of: account) }
  }

  /// How far an account has used up its limits.
  public func usage(
    of account: AccountID, against limits: [UsageLimit]
  ) async throws(AtelierError) -> [UsageState] {
    try await lookAtLedger(of: account) { try $0.standings(of: account, against: limits) }
  }

  /// Looks through the whole ledger, beside whatever else is read and written.
  /// - Returns: a sentence for each thing that is wrong; none when all is well.
  public func auditLedger() async throws(AtelierError) -> [String] {
    do {
      return try await ledgerWatch.audit()
    } catch {
      throw atelierError(error)
    }
  }
}
