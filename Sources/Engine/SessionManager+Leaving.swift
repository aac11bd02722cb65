import AtelierProtocol
import Store

extension SessionManager {
  /// Waits for everything to end, then for no longer than `milliseconds`; what still runs then is cancelled and
  /// settled, what is queued and detached stays in the database for the next process (PROTOCOL 1, end of input).
  public func drain(milliseconds: Int) async {
    isDraining = true
    let limit = Task { [surroundings] in
      try? await surroundings.sleep(.milliseconds(milliseconds))
      if !Task.isCancelled { await self.abandon() }
    }
    while let id = sessions.keys.first { _ = await end(of: id) }
    await finishThumbnails()
    limit.cancel()
    heartbeat?.cancel()
  }

  /// Cancels what runs; leaves what is queued for another process where it can be.
  public func abandon() async {
    dropThumbnails()
    for (id, session) in sessions {
      if session.task == nil, session.settlement == nil, session.work.isDetached, session.isAccepted {
        queue.removeAll { $0 == id }
        sessions[id] = nil
        for waiter in session.waiters.values { waiter.resume(returning: .leftQueued(id)) }
      } else {
        Task { await cancelLocally(id) }
      }
    }
  }
}
