import AtelierProtocol

extension Store {
  /// Deletes ended generations from history, and their files unless something else refers to them. Deleting all
  /// generations of an account also deletes its prepared inputs. Idempotency keys stay taken.
  ///
  /// Deleting all generations of an account takes many short transactions, so that other writers do not wait long. If
  /// it is interrupted, the remaining data is consistent, and the next call continues.
  ///
  /// Generations that have not ended are kept and listed in the summary: cancel them first. Generations accepted after
  /// the call are kept too.
  /// - Throws: `not_found` for a single generation that does not exist or does not belong to the account.
  public func delete(_ deletion: Deletion) async throws(AtelierError) -> DeletionSummary {
    let summary: DeletionSummary
    switch deletion {
    case .one(let id, let account): summary = try await delete(id, account: account)
    case .all(let account): summary = try await deleteAll(of: account)
    }
    await forgetLog()
    return summary
  }

  /// Erases deleted data from the log. If a reader in another process prevents this, ``tidy()`` tries again later.
  func forgetLog() async { owesLog.store(await !engine.forgetDeleted(), ordering: .relaxed) }

  private func delete(_ id: GenerationID, account: AccountID?) async throws(AtelierError) -> DeletionSummary {
    let (summary, files) = try await write { [self] session in
      guard let row = try generation(id, in: session), account == nil || row.account == account else {
        throw AtelierError(.notFound)
      }
      guard row.state.isFinal else { return (DeletionSummary(stillRunning: [id]), [] as [String]) }
      let (bytes, files) = try forget(id, in: session)
      return (DeletionSummary(deleted: 1, bytesFreed: bytes), files)
    }
    try await removeUnreferenced(files)
    return summary
  }

  private func deleteAll(of account: AccountID) async throws(AtelierError) -> DeletionSummary {
    let latest = try await read { session in try session.generations.latestAcceptance(of: account) }
    var summary = DeletionSummary()
    if let latest {
      summary = try await deleteInBatches { session, _ in
        try session.generations.newestEnded(of: account, until: latest)
      }
    }
    summary.bytesFreed += try await erasePrepared(of: account)
    summary.stillRunning = try await read { [self] session in
      try openGenerations(of: account, in: session).map(\.id)
    }
    return summary
  }

  /// Deletes the ended generations that `next` returns, one at a time, until it returns nil, in short transactions.
  func deleteInBatches(
    _ next: @escaping @Sendable (any SQLSession, DeletionSummary) throws -> GenerationID?
  ) async throws(AtelierError) -> DeletionSummary {
    try await inBatches { [self] session, batch in
      guard let id = try next(session, batch.summary) else { return false }
      let (bytes, files) = try forget(id, in: session)
      batch.summary.deleted += 1
      batch.summary.bytesFreed += bytes
      batch.files += files
      return true
    }
  }

  /// The result of one transaction in a series.
  struct DeletionBatch: Sendable {
    var summary = DeletionSummary()
    /// Files to remove after the transaction.
    var files: [String] = []
  }

  /// How long a transaction in a series starts new steps; other writers wait for it.
  private static let longestBatch = Duration.milliseconds(10)

  /// Repeats `step` until it returns false, with as many steps per transaction as fit in a short time.
  func inBatches(
    _ step: @escaping @Sendable (any SQLSession, inout DeletionBatch) throws -> Bool
  ) async throws(AtelierError) -> DeletionSummary {
    var summary = DeletionSummary()
    var goesOn = true
    while goesOn {
      let before = summary
      let (batch, isNotOver) = try await write(givesWay: true) { session in
        var batch = DeletionBatch(summary: before)
        let end = ContinuousClock.now + Self.longestBatch
        while try step(session, &batch) {
          if .now >= end { return (batch, true) }
        }
        return (batch, false)
      }
      summary = batch.summary
      goesOn = isNotOver
      try await removeUnreferenced(batch.files)
    }
    return summary
  }

  /// Deletes an ended generation and everything that only it refers to. Files are removed after the transaction.
  private func forget(_ id: GenerationID, in session: any SQLSession) throws -> (bytes: Int, names: [String]) {
    let names = try session.artifacts.names(ofGeneration: id.rawValue)
    try session.prepared.forgetFiles(ofGeneration: id.rawValue)
    try session.generations.delete(id)
    return try forgetUnreferenced(names, in: session)
  }

  /// Deletes the rows of the named artifacts that no row refers to. Their files are removed after the transaction, so
  /// that a row never names a missing file.
  func forgetUnreferenced(_ names: [String], in session: any SQLSession) throws -> (bytes: Int, names: [String]) {
    let deleted = try session.artifacts.deleteUnreferenced(names)
    return (deleted.reduce(0) { $0 + $1.bytes }, deleted.map(\.name))
  }
}

/// Which generations to delete from history.
public enum Deletion: Sendable, Equatable {
  /// One generation, which must belong to the account unless `account` is nil.
  case one(GenerationID, account: AccountID?)
  /// All ended generations of this account.
  case all(account: AccountID)
}
