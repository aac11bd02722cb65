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
    return try await write(putting: acceptance.stagedArtifacts) { [self] session -> AcceptOutcome in
      if let key = acceptance.idempotencyKey,
        let earlier = try generation(of: key, for: acceptance, in: session), !earlier.mayBeTriedAgain
      {
        return .existing(earlier)
      }
      var row = try acceptance.row(process: process, now: surroundings.now())
      if let metering = acceptance.metering { try allow(row, metering, in: session) }
      try session.generations.insert(row)
      if let key = row.idempotencyKey { try session.idempotency.take(key, for: row) }
      for input in acceptance.inputs { _ = try insert(input, neededBy: row.id, into: session) }
      if let entry = acceptance.waiting { try insert(entry, for: row, into: session) }
      if acceptance.metering != nil { row.credits = try Ledger.credits(of: row.id, in: session) }
      return .accepted(row)
    }
  }

  /// Holds the credits of a metered account's request, and counts the request.
  private func allow(_ row: GenerationRow, _ metering: Metering, in session: any SQLSession) throws {
    let ledger = try ledger(in: session)
    try ledger.know(row.account)
    try ledger.bringUpToDate(row.account)
    try ledger.checkLimits(of: row.account, against: metering.limits, recipe: row.recipe)
    if metering.credits > 0 { try ledger.hold(metering.credits, for: row.id, of: row.account) }
    try ledger.count(row.id, of: row.account, recipe: row.recipe)
  }

  private func generation(
    of key: String, for acceptance: Acceptance, in session: any SQLSession
  ) throws -> GenerationRow? {
    guard let known = try session.idempotency.entry(of: key, account: acceptance.account) else { return nil }
    guard known.paramsHash == acceptance.paramsHash else { throw AtelierError(.idempotencyMismatch) }
    guard let row = try generation(known.generation, in: session) else {
      throw AtelierError(
        .notFound,
        "The generation of this idempotency key has been deleted from history: use a new key to make it again.")
    }
    return row
  }
}
