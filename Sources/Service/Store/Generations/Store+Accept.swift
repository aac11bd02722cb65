import AtelierProtocol

extension Store {
  /// Records a request before any work is done for it.
  ///
  /// Runs in one transaction: looks up the idempotency key and, when it is new, takes the key, inserts the row and
  /// holds the credits of a metered account.
  /// - Throws: `insufficient_credits`, `rate_limited`, `daily_limit`, `concurrent_limit`; `idempotency_mismatch` when
  ///   the account used the key for other params; `not_found` when the generation of the key has been deleted from
  ///   history, because it must not run twice. A key whose generation may be tried again refers to the new generation
  ///   from here on.
  public func accept(_ acceptance: Acceptance) async throws(AtelierError) -> AcceptOutcome {
    try await checkReady()
    try await put(acceptance.stagedArtifacts)
    let outcome = try await write(foreseeing: { [self] in
      let now = surroundings.now()
      return ForeseenChange(
        foresight: Foresight(subjects: acceptance.subjects) { try Self.queries(for: acceptance, at: now) }
      ) { [self] session in
        try accept(acceptance, at: now, in: session)
      }
    }).get()
    await discard(acceptance.stagedArtifacts)
    return outcome
  }

  /// Reads all that decides, then writes.
  /// - Returns: the refusal as a value where nothing was written: throwing it would undo the transaction that other
  ///   changes share, and run all of them again.
  private func accept(
    _ acceptance: Acceptance, at now: Timestamp, in session: any SQLSession
  ) throws -> Result<AcceptOutcome, AtelierError> {
    try session.prefetch(Self.queries(for: acceptance, at: now))
    let ledger = try acceptance.metering.map { _ in try self.ledger(in: session, at: now) }
    var decision: Decision
    do {
      switch try decide(acceptance, at: now, by: ledger, in: session) {
      case .existing(let row): return .success(.existing(row))
      case .new(let new): decision = new
      }
    } catch let refusal as AtelierError where ledger?.hasMoved != true {
      return .failure(refusal)
    } catch let refusal as LedgerRefusal where ledger?.hasMoved != true {
      return .failure(refusal.atelierError)
    }
    if let ledger, let metering = acceptance.metering {
      decision.row.credits = try hold(metering.credits, in: decision.parts, for: decision.row, by: ledger)
    }
    let row = decision.row
    try session.generations.insert(row)
    if let key = row.idempotencyKey { try session.idempotency.take(key, for: row) }
    for input in acceptance.inputs {
      _ = try insert(input, neededBy: row.id, known: &decision.known, into: session)
    }
    if let entry = acceptance.waiting { try insert(entry, for: row, known: &decision.known, into: session) }
    return .success(.accepted(row))
  }

  /// What the decision is read from, as far as this is known before anything is read.
  private static func queries(for acceptance: Acceptance, at now: Timestamp) throws -> [SQLQuery] {
    var queries: [SQLQuery] = []
    if let key = acceptance.idempotencyKey {
      queries.append(try IdempotencyTable.entry(of: key, account: acceptance.account))
    }
    let account = acceptance.account
    if account != .owner { queries.append(AccountTable.entry(of: account)) }
    if let metering = acceptance.metering {
      queries += Ledger.beginning + Ledger.entry(of: account)
      queries += Ledger.standings(of: account, against: metering.limits, recipe: acceptance.recipe, at: now)
    }
    let needed = acceptance.neededSources.map(\.artifact.name)
    return try needed.isEmpty ? queries : queries + [ArtifactTable.known(among: needed)]
  }

  // MARK: Deciding

  /// A request that is accepted, with what its rows are made from.
  private struct Decision {
    var row: GenerationRow
    /// The credits to hold; nil for an account that is registered with this request.
    var parts: [AvailableCredits]?
    /// The names of the artifacts that are there already.
    var known: Set<String>
  }

  private enum Decided {
    case existing(GenerationRow)
    case new(Decision)
  }

  /// Writes nothing, unless something of the account has come due.
  /// - Parameter ledger: nil for an account that is not metered.
  /// - Throws: why the request is refused.
  private func decide(
    _ acceptance: Acceptance, at now: Timestamp, by ledger: Ledger?, in session: any SQLSession
  ) throws -> Decided {
    if let key = acceptance.idempotencyKey,
      let earlier = try generation(
        ofKey: key, of: acceptance.account, paramsHash: acceptance.paramsHash, in: session)
    {
      return .existing(earlier)
    }
    let row = try acceptance.row(process: process, now: now)
    try Self.checkIsPresent(row.account, in: session)
    var parts: [AvailableCredits]? = []
    if let ledger, let metering = acceptance.metering {
      let isKnown = try session.accounts.isKnown(row.account)
      if isKnown { try ledger.bringUpToDate(row.account) }
      try session.prefetch(Self.queries(for: acceptance, at: now))
      try ledger.checkLimits(of: row.account, against: metering.limits, recipe: row.recipe)
      if metering.credits > 0 { try ledger.checkFunds(metering.credits, of: row.account) }
      parts = try isKnown ? ledger.parts(of: metering.credits, heldFrom: row.account) : nil
    }
    let known = try session.artifacts.known(among: acceptance.neededSources.map(\.artifact.name))
    try Self.check(acceptance.neededSources, known)
    return .new(Decision(row: row, parts: parts, known: known))
  }

  /// The generation that answers every request with this key; nil when there is none, or when it may be tried again.
  /// - Throws: `idempotency_mismatch`, `not_found`, as ``accept(_:)``.
  public func generation(
    ofKey key: String, of account: AccountID, paramsHash: [UInt8]
  ) async throws(AtelierError) -> GenerationRow? {
    try await read { [self] in try generation(ofKey: key, of: account, paramsHash: paramsHash, in: $0) }
  }

  private func generation(
    ofKey key: String, of account: AccountID, paramsHash: [UInt8], in session: any SQLSession
  ) throws -> GenerationRow? {
    guard let known = try session.idempotency.entry(of: key, account: account) else { return nil }
    guard known.paramsHash == paramsHash else { throw AtelierError(.idempotencyMismatch) }
    guard let row = try generation(known.generation, in: session) else {
      throw AtelierError(
        .notFound, "This has been deleted from history.",
        hint: "The generation of this idempotency key has been deleted: use a new key to make it again.")
    }
    return row.mayBeTriedAgain ? nil : row
  }

  /// - Throws: ``LedgerRefusal/merged`` for an account that has just become part of another: nothing is kept under its name.
  static func checkIsPresent(_ account: AccountID, in session: any SQLSession) throws {
    guard try account == .owner || session.accounts.successor(of: account) == nil else { throw LedgerRefusal.merged }
  }

  // MARK: Writing

  /// Registers the account of a request if it is new, holds the credits, and counts the request.
  /// - Parameter parts: as in ``Decision``.
  private func hold(
    _ credits: Int, in parts: [AvailableCredits]?, for row: GenerationRow, by ledger: Ledger
  ) throws -> Credits? {
    var parts = parts
    if parts == nil, let granted = try ledger.know(row.account) {
      parts = [AvailableCredits(grant: granted.id, amount: credits)]
    }
    let held = try credits > 0 ? ledger.hold(parts ?? [], for: row.id, of: row.account) : nil
    try ledger.count(row.id, of: row.account, recipe: row.recipe)
    return held
  }
}

extension Acceptance {
  /// What decides about it, and what it changes. The owner, who is not metered, has nothing that is counted; of two that
  /// bring the same file, each inserts it unless it is there.
  fileprivate var subjects: Set<String> {
    var subjects: Set = [id.rawValue]
    if metering != nil || account != .owner { subjects.insert(account.rawValue) }
    if let idempotencyKey { subjects.insert("\(account.rawValue) \(idempotencyKey)") }
    return subjects
  }

  /// The files that must be there for it.
  fileprivate var neededSources: [ArtifactSource] { keptInputs.filter { $0.lifetimeMs > 0 }.map(\.source) }
}
