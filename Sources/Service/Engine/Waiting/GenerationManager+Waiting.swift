import AtelierProtocol

/// How callers wait for the end of a generation of this process.
extension GenerationManager {
  /// Waits for the end, even in a cancelled task.
  func wait(for id: GenerationID, as waiter: LiveGeneration.Waiter) async -> Answer {
    let number = waits.expect()
    guard table.add(waiter, numbered: number, to: id) else {
      waits.forget(number)
      return .vanished(id)
    }
    return await answer(to: number) ?? .vanished(id)
  }

  /// Waits for the end of a generation that another request began, and tells its progress meanwhile, beginning with the
  /// present state.
  /// - Throws: `CancellationError` when the task is cancelled; the generation goes on.
  func endHere(of live: LiveGeneration, for watcher: Watcher) async throws -> Answer {
    var watcher = watcher
    let (id, number, now) = (live.work.id, waits.expect(), parts.surroundings.moment)
    if live.isAccepted, !live.isEnding, watcher.wantsProgress {
      announce(watcher.notification(of: progress(of: live, now), atMs: now.uptimeMs), of: live.work.account)
    }
    guard table.add(.watcher(watcher), numbered: number, to: id) else {
      waits.forget(number)
      return .vanished(id)
    }
    let found = await withTaskCancellationHandler {
      await answer(to: number)
    } onCancel: {
      Task { await self.stopWaiting(number, for: id) }
    }
    guard let found else { throw CancellationError() }
    return found
  }

  /// - Returns: nil when the wait is given up.
  func answer(to number: Int) async -> Answer? {
    await withCheckedContinuation { waits.wait(number, $0) }
  }

  private func stopWaiting(_ number: Int, for id: GenerationID) {
    if table.removeWaiter(number, of: id) { waits.answer(number, with: nil) }
  }
}
