import AtelierProtocol
import Store

extension SessionManager {
  /// How many generations this process works on, and how many of them wait for a place.
  func load() -> (running: Int, queued: Int) {
    let queued = sessions.values.count { $0.generation.state == .queued }
    return (sessions.count - queued, queued)
  }

  /// The generations of an account that have not ended, in any process, oldest first.
  func running(for account: AccountID) async throws -> [GenerationID] {
    let rows = try await openStore().running(account: account)
    // What another process has may be what a dead one left.
    if rows.allSatisfy({ sessions[$0.id] != nil }) { return rows.map(\.id) }
    try await recover()
    return try await openStore().running(account: account).map(\.id)
  }

  /// Where a generation stands: from memory when it is this process's, else from the store, after whatever dead
  /// processes left has been settled.
  /// - Throws: `not_found`, `permission_denied`.
  func status(
    of target: GenerationTarget, account: AccountID?, for caller: Caller
  ) async throws -> GenerationStatus {
    let id = try await generation(named: target, account: account, for: caller)
    if let session = sessions[id] { return status(of: session) }
    var row = try await openStore().generation(id, account: nil)
    if let known = row, !known.state.isFinal {
      try await recover()
      row = try await openStore().generation(id, account: nil)
    }
    guard let row else { throw Self.notFound(id.rawValue) }
    var status = row.status(at: surroundings.now())
    if row.state == .queued, let position = try await openStore().queuePosition(of: id) {
      status.queuePosition = position
      status.etaMs = await estimate(for: row, at: position)
    }
    return status
  }

  private func status(of session: Session) -> GenerationStatus {
    let progress = session.progress
    let now = surroundings.uptimeMs()
    return GenerationStatus(
      generationId: session.work.id, state: session.generation.state, phase: progress.phase,
      message: progress.message, fraction: progress.fraction, sequence: progress.sequence,
      createdAt: session.work.createdAt, startedAt: session.startedAt, finishedAt: nil,
      queuePosition: queuePosition(of: session.work.id), etaMs: estimate(for: session, atMs: now),
      account: session.work.account, recipe: session.work.request.recipe, provider: session.work.provider.id)
  }
}
