import AtelierProtocol
import Store

/// How the process leaves: which generations it waits for, gives back or cancels.
extension GenerationManager {
  /// Call this when no more requests arrive, while earlier ones are still answered. Generations that wait for their
  /// provider, and claimed ones that are not sent yet, are left to the next process.
  public func inputEnded() async {
    parts.leaving.reach(.inputEnded)
    await queue.stopAfterLastLook(for: self)
    await leaveAll(.inputEnded)
  }

  /// Waits at most `milliseconds` for all generations to end; then gives back those that another process can do and
  /// cancels the rest.
  public func leave(milliseconds: Int) async {
    parts.leaving.reach(.draining)
    let limit = Task { [surroundings = parts.surroundings] in
      try? await surroundings.sleep(.milliseconds(milliseconds))
      if !Task.isCancelled { await self.abandon() }
    }
    await maintenance.stop()
    await inputEnded()
    while let id = table.generations.keys.first { _ = await wait(for: id, as: .process) }
    let rest = Task { await maintenance.finish() }
    let limitOfMaintenance = Task { [surroundings = parts.surroundings] in
      try? await surroundings.sleep(.milliseconds(min(milliseconds, Self.longestMaintenanceMs)))
      rest.cancel()
    }
    await rest.value
    limitOfMaintenance.cancel()
    await ends.leave()
    limit.cancel()
    heartbeat?.cancel()
  }

  /// How long a leaving process waits for thumbnails and the sweep, in milliseconds.
  private static let longestMaintenanceMs = 2_000

  /// Announces that requests are no longer waited for: what cancels them from now on is the end of their connection.
  public nonisolated func requestsEnd() { parts.leaving.reach(.draining) }

  /// Announces ``abandon()``. A detached request whose task is cancelled from now on is given back, not cancelled.
  public nonisolated func willAbandon() { parts.leaving.reach(.abandoning) }

  /// Stops everything now: gives back unsent generations that another process can do, and cancels the rest.
  public func abandon() async {
    willAbandon()
    await queue.stop()
    await leaveAll(.abandoning)
    await parts.storeRetries.leave()
    await ends.leave()
  }

  /// Gives back or ends what does not go on at this stage of leaving.
  private func leaveAll(_ leaving: Leaving) async {
    // Nothing is given back to a store that was never open.
    let canGiveBack = await parts.lazyStore.storeIfOpen != nil
    var actions: [LiveTable.Action] = []
    for id in table.generations.keys {
      let isUnsent = canGiveBack && works[id]?.sending.isUnsent ?? true
      actions += table.apply(.leaving(leaving, isUnsent: isUnsent), to: id, at: parts.surroundings.moment)
    }
    await carryOut(actions)?.value
  }
}
