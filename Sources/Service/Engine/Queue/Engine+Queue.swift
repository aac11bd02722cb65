import AtelierProtocol
import Store

extension Engine {
  /// The requests that wait for an unreachable provider.
  /// - Parameter account: the account; nil for all accounts.
  /// - Throws: what the store throws.
  public func queueStatus(of account: AccountID?) async throws -> QueueStatus.Result {
    await lazyStore.recoverIfPossible()
    let store = try await lazyStore.store()
    let lines = try await store.waitingLines(of: account)
    let queueState = try await store.queueState()
    let providers = lines.map { line in
      let outage = queueState.outages[line.provider]
      return QueueStatus.Line(
        id: line.provider, waiting: line.count, oldestAt: line.oldest, unreachableSince: outage?.since,
        nextProbeAt: outage?.nextProbe, cooldownUntil: queueState.cooldowns[line.provider])
    }
    return QueueStatus.Result(
      waiting: lines.reduce(0) { $0 + $1.count }, paused: try await store.isPaused(account: account),
      nextProbeAt: providers.compactMap(\.nextProbeAt).min(), providers: providers)
  }

  /// Pauses the offline queue in every process until it is resumed.
  /// - Throws: `permission_denied`, or what the store throws.
  public func pauseQueue(_ request: QueuePause, for caller: Caller) async throws -> QueueStatus.Result {
    try await setPaused(true, account: try caller.accountOrEverybody(naming: request.account))
  }

  /// Resumes the offline queue.
  /// - Throws: `permission_denied`, or what the store throws.
  public func resumeQueue(_ request: QueueResume, for caller: Caller) async throws -> QueueStatus.Result {
    try await setPaused(false, account: try caller.accountOrEverybody(naming: request.account))
  }

  private func setPaused(_ isPaused: Bool, account: AccountID?) async throws -> QueueStatus.Result {
    try await lazyStore.store().setPaused(isPaused, account: account)
    await generations.queue.lookSoon(for: generations)
    return try await queueStatus(of: account)
  }
}
