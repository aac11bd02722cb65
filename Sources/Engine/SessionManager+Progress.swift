import AtelierProtocol
import Providers
import Store

extension SessionManager {
  func move(_ id: GenerationID, by report: WorkReport) {
    guard sessions[id] != nil, sessions[id]?.isSettling != true else { return }
    guard let (progress, step) = sessions[id]?.joint.take(report) else { return }
    if sessions[id]?.progress.move(to: progress, step: step, atMs: surroundings.uptimeMs()) == true { tell(id) }
  }

  /// Notifies the host of where a generation is.
  func tell(_ id: GenerationID) {
    guard let session = sessions[id], !session.isSettling else { return }
    let now = surroundings.uptimeMs()
    guard let sequence = sessions[id]?.progress.tell(atMs: now), session.work.wantsProgress else { return }
    let progress = session.progress
    announce(
      .progress(
        GenerationProgress(
          generationId: id, requestId: session.work.requestID, sequence: sequence, state: session.generation.state,
          phase: progress.phase, message: progress.message, fraction: progress.fraction, step: progress.step,
          elapsedMs: progress.elapsedMs(atMs: now), queuePosition: queuePosition(of: id),
          etaMs: estimate(for: session, atMs: now)),
        of: session.work.account))
  }

  func estimate(for session: Session, atMs now: Int64) -> Int64? {
    let id = session.work.id
    let kind = Pace.Kind(session.work)
    guard let position = queuePosition(of: id) else {
      return pace.remainingMs(for: kind, elapsedMs: session.startedAtMs.map { now - $0 } ?? 0)
    }
    let pause = room.contains(id) ? room.pauseMs(for: kind.provider, from: surroundings.now()) : 0
    return pace.waitMs(for: kind, position: position, places: session.work.provider.maximumConcurrentImages)
      .map { $0 + pause }
  }

  /// 1 for the next to start; nil when it does not wait.
  func queuePosition(of id: GenerationID) -> Int? {
    queue.firstIndex(of: id).map { $0 + 1 } ?? room.position(of: id)
  }

  /// While there is work: tells hosts that it goes on, lets other processes know, learns of their cancels.
  func beat() async {
    // Looking twice in that time, no silence gets longer than it.
    let step = configuration.heartbeatMs / 2
    while !sessions.isEmpty || !room.isQuiet {
      do { try await surroundings.sleep(.milliseconds(step)) } catch { break }
      await learnPace()
      let now = surroundings.uptimeMs()
      for (id, session) in sessions where session.isAccepted && !session.isSettling {
        if now - session.progress.lastToldMs >= step { tell(id) }
      }
      await shareProgress()
      await lookAtQueue()
    }
    heartbeat = nil
    if !sessions.isEmpty { startWaiting() }
  }

  /// Has the heart beat while there is work here, or something waits anywhere.
  func keepBeating() {
    guard heartbeat == nil, !sessions.isEmpty || !room.isQuiet && !isDraining else { return }
    heartbeat = Task { await self.beat() }
  }

  /// Writes what has changed, and looks at what others have ended.
  private func shareProgress() async {
    guard let store = await door.openedStore() else { return }
    var live: [GenerationID] = []
    var changed: [GenerationID: ProgressNote] = [:]
    for (id, session) in sessions where session.isAccepted && !session.isSettling {
      live.append(id)
      let note = session.progress.note
      if !note.saysTheSame(as: session.sharedNote) { changed[id] = note }
    }
    if !changed.isEmpty, (try? await store.note(changed)) != nil {
      for (id, note) in changed { sessions[id]?.sharedNote = note }
    }
    if live.isEmpty { return }
    guard let open = try? await store.openGenerations() else { return }
    for id in live where !open.contains(id) { settle(id, by: .cancelRequested) }
  }
}

extension ProgressNote {
  /// Whether only time has passed since `earlier`.
  fileprivate func saysTheSame(as earlier: ProgressNote?) -> Bool {
    earlier?.phase == phase && earlier?.message == message && earlier?.fraction == fraction
  }
}
