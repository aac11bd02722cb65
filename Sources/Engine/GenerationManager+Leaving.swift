import AtelierProtocol
import Store

/// How the process leaves: which generations it waits for, gives back or cancels.
extension GenerationManager {
  /// Call this when no more requests arrive, while earlier ones are still answered. Generations that wait for their
  /// provider, and claimed ones that are not sent yet, are left to the next process.
  public func inputEnded() async {
    isLeaving = true
    await queue.stopAfterLastLook(for: self)
    await giveBack(generations.filter { $0.value.isInQueue || $0.value.origin == .queue }.map(\.key))
  }

  /// Waits at most `milliseconds` for all generations to end; then gives back those that another process can do and
  /// cancels the rest.
  public func leave(milliseconds: Int) async {
    isLeaving = true
    let limit = Task { [surroundings = parts.surroundings] in
      try? await surroundings.sleep(.milliseconds(milliseconds))
      if !Task.isCancelled { await self.abandon() }
    }
    await maintenance.stop()
    await inputEnded()
    while let live = generations.values.first { _ = await wait(for: live, as: .process) }
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

  /// Announces ``abandon()``. A detached request whose task is cancelled from now on is given back, not cancelled.
  public nonisolated func willAbandon() { isAbandoning.store(true, ordering: .relaxed) }

  /// Stops everything now: gives back unsent generations that another process can do, and cancels the rest.
  public func abandon() async {
    isLeaving = true
    willAbandon()
    await queue.stop()
    // A generation whose request waits for it is not given back: it ends as `cancelled`.
    await giveBack(generations.filter { !$0.value.isAwaited }.map(\.key))
    // A detached request that is still being accepted is given back once it is on record.
    for (id, live) in generations where live.isAccepted || !live.work.isDetached { wishCancelled(id) }
    await ends.leave()
  }

  /// Gives unsent generations that another process can do back to the queue. The others go on.
  func giveBack(_ ids: [GenerationID]) async {
    guard let store = await parts.lazyStore.storeIfOpen else { return }
    var unsent: Set<GenerationID> = []
    for id in ids {
      guard let live = generations[id], live.isAccepted, live.isDurable, !live.isEnding, live.sending.isUnsent
      else { continue }
      // From here on its own work cannot end it, and nothing more is sent.
      live.isEnding = true
      live.task?.cancel()
      unsent.insert(id)
    }
    if unsent.isEmpty { return }
    for id in unsent {
      guard let live = generations[id], live.work.lineup.asked.contains(where: { !$0.profile.isLocal }) else { continue }
      // A request may have been sent just as the task was stopped.
      await live.task?.value
      if live.sending.isUnsent { continue }
      unsent.remove(id)
      live.isEnding = false
      end(id, by: .cancelRequested)
    }
    let released = (try? await store.release(unsent)) ?? []
    for id in unsent {
      guard let live = generations.removeValue(forKey: id) else { continue }
      _ = slots.leave(id)
      let answer: FinishedGeneration
      if released.contains(id) {
        answer = .leftQueued(id)
      } else {
        answer = FinishedGeneration(generationId: id, state: .interrupted, error: AtelierError(.interrupted, generationId: id))
      }
      live.answerWaiters(answer)
    }
  }
}
