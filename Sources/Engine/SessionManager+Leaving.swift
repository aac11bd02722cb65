import AtelierProtocol
import Store

extension SessionManager {
  /// Waits for everything to end, then for no longer than `milliseconds`; what still runs then is cancelled and
  /// settled, what is queued and detached stays in the database for the next process (PROTOCOL 1, end of input).
  public func drain(milliseconds: Int) async {
    isDraining = true
    housekeeping?.cancel()
    // What it opens and starts is to be there when it is closed and ended.
    warming?.cancel()
    await warming?.value
    leavesWaiting = true
    await leaveRoom()
    let limit = Task { [surroundings] in
      try? await surroundings.sleep(.milliseconds(milliseconds))
      if !Task.isCancelled { await self.abandon() }
    }
    while let id = sessions.keys.first { _ = await end(of: id) }
    await finishThumbnails()
    limit.cancel()
    heartbeat?.cancel()
  }

  /// Lets go of one that has not begun, for the next process.
  func leaveQueued(_ id: GenerationID) {
    // What has begun meanwhile comes to its end.
    guard let session = sessions[id], session.task == nil, !session.isSettling else { return }
    queue.removeAll { $0 == id }
    room.leave(id)
    sessions[id] = nil
    for waiter in session.waiters.values { waiter.resume(returning: .leftQueued(id)) }
  }

  /// Cancels what runs; leaves what is queued for another process where it can be.
  public func abandon() async {
    dropThumbnails()
    for (id, session) in sessions {
      // Who waits for an answer is told that it is cancelled.
      let stays = session.work.isDetached || room.contains(id) && session.waiters.isEmpty
      if session.task == nil, !session.isSettling, stays, session.isAccepted {
        leaveQueued(id)
      } else {
        Task { await cancelLocally(id) }
      }
    }
  }
}
