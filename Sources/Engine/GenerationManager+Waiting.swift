import AtelierProtocol

/// How callers wait for the end of a generation of this process.
extension GenerationManager {
  /// Waits for the end, even in a cancelled task.
  func end(of live: LiveGeneration) async -> FinishedGeneration {
    await wait(for: live, as: .request) ?? .vanished(live.work.id)
  }

  /// Waits for the end of a generation that another request began, and tells its progress meanwhile, beginning with the
  /// present state.
  /// - Throws: `CancellationError` when the task is cancelled; the generation goes on.
  func endHere(of live: LiveGeneration, for watcher: Watcher) async throws -> FinishedGeneration {
    if live.isAccepted, !live.isEnding { announce(notification(of: live), of: live.work.account, to: watcher) }
    lastWaiter += 1
    let (number, id) = (lastWaiter, live.work.id)
    let finished = await withTaskCancellationHandler {
      await wait(for: live, as: .watcher(watcher), numbered: number)
    } onCancel: {
      Task { await self.stopWaiting(number, for: id) }
    }
    guard let finished else { throw CancellationError() }
    return finished
  }

  /// - Returns: nil when the wait is given up.
  func wait(
    for live: LiveGeneration, as kind: LiveGeneration.Waiter.Kind, numbered number: Int? = nil
  ) async -> FinishedGeneration? {
    if let finished = live.finished { return finished }
    if number == nil { lastWaiter += 1 }
    let number = number ?? lastWaiter
    return await withCheckedContinuation { continuation in
      live.waiters[number] = LiveGeneration.Waiter(kind: kind, continuation: continuation)
    }
  }

  private func stopWaiting(_ number: Int, for id: GenerationID) {
    generations[id]?.waiters.removeValue(forKey: number)?.continuation.resume(returning: nil)
  }
}
