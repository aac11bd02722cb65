import AtelierProtocol

extension Store {
  /// Cancels a generation of any process, unless it has ended.
  /// - Parameter account: the account it must belong to; nil for any account.
  public func cancel(_ id: GenerationID, account: AccountID?) async throws(AtelierError) -> CancelOutcome {
    try await write { [self] in try cancel(id, account: account, in: $0) }
  }

  func cancel(_ id: GenerationID, account: AccountID?, in session: any SQLSession) throws -> CancelOutcome {
    guard let row = try generation(id, in: session), account == nil || row.account == account else { return .notFound }
    if row.state == .cancelled { return .alreadyCancelled(row) }
    guard let state = GenerationLifecycle(state: row.state).state(after: .cancelRequested) else {
      return .alreadyFinished(row)
    }
    try session.prefetch(row.credits == nil ? [] : Ledger.ending(ofHoldFor: id, of: row.account))
    if row.credits != nil { try ledger(in: session).endHold(for: id, capturing: 0, because: state.rawValue) }
    try session.generations.finish(id, as: state, at: surroundings.now(), because: nil)
    if row.process != process { try noteLoss(of: [id], by: row.process, in: session) }
    guard let cancelled = try generation(id, in: session) else { throw AtelierError.storeUnusable() }
    return .cancelled(cancelled)
  }
}

/// The result of ``Store/cancel(_:account:)``.
public enum CancelOutcome: Sendable, Equatable {
  /// It was queued or running and is now `cancelled`. Its process hears of it with its next heartbeat.
  case cancelled(GenerationRow)
  /// It was already cancelled: the answer is the same as before.
  case alreadyCancelled(GenerationRow)
  /// It ended in another state: `already_finished`.
  case alreadyFinished(GenerationRow)
  /// No such generation for this account.
  case notFound
}
