import AtelierProtocol
import Store

extension Engine {
  /// What waits for a provider that cannot be reached.
  /// - Parameter account: whose; nil for everybody's.
  /// - Throws: what the store throws.
  public func queueStatus(of account: AccountID?) async throws -> QueueStatus.Result {
    try await generations.settle()
    let store = try await generations.openStore()
    let lines = try await store.waitingLines(of: account)
    let standing = try await store.queueStanding()
    let providers = lines.map { line in
      let outage = standing.outages[line.provider]
      return QueueStatus.Line(
        id: line.provider, waiting: line.count, oldestAt: line.oldest, unreachableSince: outage?.since,
        nextProbeAt: outage?.nextProbe, cooldownUntil: standing.cooldowns[line.provider])
    }
    return QueueStatus.Result(
      waiting: lines.reduce(0) { $0 + $1.count }, paused: try await store.isPaused(account: account),
      nextProbeAt: providers.compactMap(\.nextProbeAt).min(), providers: providers)
  }

  /// Holds back what waits, in every process and until it is resumed.
  /// - Throws: `permission_denied`, or what the store throws.
  public func pauseQueue(_ request: QueuePause, for caller: Caller) async throws -> QueueStatus.Result {
    try await setPaused(true, account: try caller.visibleAccount(naming: request.account))
  }

  /// Lets what waits begin again.
  /// - Throws: `permission_denied`, or what the store throws.
  public func resumeQueue(_ request: QueueResume, for caller: Caller) async throws -> QueueStatus.Result {
    try await setPaused(false, account: try caller.visibleAccount(naming: request.account))
  }

  private func setPaused(_ isPaused: Bool, account: AccountID?) async throws -> QueueStatus.Result {
    try await generations.openStore().setPaused(isPaused, account: account)
    await generations.queue.lookSoon(for: generations)
    return try await queueStatus(of: account)
  }
}
