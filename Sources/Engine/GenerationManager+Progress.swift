import AtelierProtocol
import Providers
import Store

/// What hosts and other processes are told while a generation is worked on.
extension GenerationManager {
  func move(_ id: GenerationID, by report: WorkReport) {
    guard let live = generations[id], !live.isEnding, let (progress, step) = live.joint.take(report) else { return }
    if live.progress.move(to: progress, step: step, atMs: parts.surroundings.uptimeMs()) { tell(id) }
  }

  /// Notifies the host of a generation's progress.
  func tell(_ id: GenerationID) {
    guard let live = generations[id], live.isAccepted, !live.isEnding else { return }
    let now = parts.surroundings.uptimeMs()
    let sequence = live.progress.tell(atMs: now)
    guard live.work.wantsProgress else { return }
    let progress = live.progress
    parts.announce(
      .progress(
        GenerationProgress(
          generationId: id, requestId: live.work.requestID, sequence: sequence, state: live.toldState,
          phase: progress.phase, message: progress.message, fraction: progress.fraction, overall: progress.overall,
          step: progress.step, elapsedMs: progress.elapsedMs(atMs: now), queuePosition: queuePosition(of: id),
          etaMs: estimate(for: live, atMs: now)),
        of: live.work.account))
  }

  /// 1 for the next to start; nil when the generation does not wait.
  func queuePosition(of id: GenerationID) -> Int? {
    slots.position(of: id) ?? (generations[id]?.isInQueue == true ? queueState.positions[id] : nil)
  }

  private func estimate(for live: LiveGeneration, atMs now: Int64) -> Int64? {
    let kind = DurationEstimator.Kind(live.work)
    guard let position = queuePosition(of: live.work.id) else {
      return durations.remainingMs(for: kind, elapsedMs: live.started.map { now - $0.uptimeMs } ?? 0)
    }
    let pause = live.isInQueue ? queueState.pauseMs(for: kind.provider, from: parts.surroundings.now()) : 0
    return durations.waitMs(for: kind, position: position, places: live.work.provider.maximumConcurrentImages)
      .map { $0 + pause }
  }

  /// Milliseconds until the end of a waiting generation of any process.
  func estimate(for row: GenerationRow, at position: Int) async -> Int64? {
    await learnDurations()
    guard let id = row.provider, let provider = try? parts.providers.provider(id) else { return nil }
    let queueState = (try? await parts.lazyStore.openedStore()?.queueState()) ?? queueState
    let kind = DurationEstimator.Kind(provider: id, recipe: row.recipe)
    return durations.waitMs(for: kind, position: position, places: provider.maximumConcurrentImages)
      .map { $0 + queueState.pauseMs(for: id, from: parts.surroundings.now()) }
  }

  /// Learns the usual durations from history, once.
  private func learnDurations() async {
    guard !durations.isSeeded, let store = await parts.lazyStore.openedStore() else { return }
    guard let samples = try? await store.durationSamples(ofLatest: 500), !durations.isSeeded else { return }
    durations.seed(samples)
  }

  /// A generation of this process as it is now; nil when it belongs to another process.
  func liveGeneration(_ id: GenerationID) -> Generation? {
    guard let live = generations[id] else { return nil }
    var generation = live.accepted
    generation.state = live.toldState
    generation.startedAt = generation.state == .queued ? nil : live.started?.at
    generation.progress = live.progress.shown(
      queuePosition: queuePosition(of: id), etaMs: estimate(for: live, atMs: parts.surroundings.uptimeMs()))
    return generation
  }

  /// How many generations this process runs, and how many wait for a slot or a provider.
  func load() -> (running: Int, queued: Int) {
    let queued = generations.values.count { $0.lifecycle.state == .queued }
    return (generations.count - queued, queued)
  }

  /// Whether all of these belong to this process.
  func works(onAll ids: [GenerationID]) -> Bool { ids.allSatisfy { generations[$0] != nil } }

  // MARK: Beating

  /// Keeps the heartbeat going while this process has work, or while the queue holds generations it may claim.
  func keepBeating() {
    guard heartbeat == nil, !isLeaving || !generations.isEmpty else { return }
    heartbeat = Task { await self.beat() }
  }

  /// Notifies hosts that work goes on, shares progress with other processes, learns of their cancels, and looks at the
  /// queue.
  private func beat() async {
    repeat {
      do { try await parts.surroundings.sleep(parts.beat) } catch { break }
      await learnDurations()
      let now = parts.surroundings.uptimeMs()
      for (id, live) in generations where live.isAccepted && !live.isEnding {
        if now - live.progress.lastToldMs >= parts.configuration.heartbeatMs / 2 { tell(id) }
      }
      await shareProgress()
      await queue.look(for: self)
    } while !generations.isEmpty || !queueState.isEmpty && !isLeaving
    heartbeat = nil
    // Work may have arrived during the last look.
    if !generations.isEmpty { keepBeating() }
  }

  /// Writes the progress that has changed, and ends the generations that other processes have ended.
  private func shareProgress() async {
    guard let store = await parts.lazyStore.openedStore() else { return }
    var changed: [GenerationID: ProgressNote] = [:]
    let live = generations.filter { $0.value.isAccepted && !$0.value.isEnding }
    for (id, live) in live {
      let note = live.progress.note
      if !note.saysTheSame(as: live.sharedNote) { changed[id] = note }
    }
    if !changed.isEmpty, (try? await store.note(changed)) != nil {
      for (id, note) in changed { generations[id]?.sharedNote = note }
    }
    if live.isEmpty { return }
    guard let open = try? await store.openGenerations() else { return }
    for id in live.keys where !open.contains(id) { end(id, by: .cancelRequested) }
  }
}

extension ProgressNote {
  /// Whether only time has passed since `earlier`.
  fileprivate func saysTheSame(as earlier: ProgressNote?) -> Bool {
    earlier?.phase == phase && earlier?.message == message && earlier?.fraction == fraction
  }
}
