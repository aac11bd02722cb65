import AtelierProtocol
import Providers
import Store

/// What hosts and other processes are told while a generation is worked on.
extension GenerationManager {
  func move(_ id: GenerationID, by report: WorkReport) {
    guard let live = generations[id], !live.isEnding, let (progress, step) = live.joint.take(report) else { return }
    if live.progress.move(to: progress, step: step, atMs: parts.surroundings.uptimeMs()) { tell(id) }
  }

  /// Notifies the host of a generation's progress: for the request that began it, and for those that watch it.
  func tell(_ id: GenerationID) {
    guard let live = generations[id], live.isAccepted, !live.isEnding else { return }
    live.progress.tell(atMs: parts.surroundings.uptimeMs())
    var progress = notification(of: live)
    for watcher in live.watchers { announce(progress, of: live.work.account, to: watcher) }
    guard live.work.wantsProgress else { return }
    progress.requestId = live.work.requestID
    parts.announce(.progress(progress, of: live.work.account))
  }

  /// The progress of a generation of this process, for no request in particular.
  func notification(of live: LiveGeneration) -> GenerationProgress {
    let (id, progress, now) = (live.work.id, live.progress, parts.surroundings.uptimeMs())
    return GenerationProgress(
      generationId: id, sequence: progress.sequence, state: live.toldState, phase: progress.phase,
      message: progress.message, fraction: progress.fraction, overall: progress.overall, step: progress.step,
      elapsedMs: progress.elapsedMs(atMs: now), queuePosition: queuePosition(of: id),
      etaMs: estimate(for: live, atMs: now))
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
    let queueState = (try? await parts.lazyStore.storeIfOpen?.queueState()) ?? queueState
    let kind = DurationEstimator.Kind(provider: id, recipe: row.recipe)
    return durations.waitMs(for: kind, position: position, places: provider.maximumConcurrentImages)
      .map { $0 + queueState.pauseMs(for: id, from: parts.surroundings.now()) }
  }

  /// Learns the usual durations from history, once.
  private func learnDurations() async {
    guard !durations.isSeeded, let store = await parts.lazyStore.storeIfOpen else { return }
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

  /// Ends the generations that other processes have ended, and writes the progress of the others: each new phase, and
  /// everything that has changed while another process watches.
  private func shareProgress() async {
    guard let store = await parts.lazyStore.storeIfOpen else { return }
    let live = generations.filter { $0.value.isAccepted && !$0.value.isEnding }
    if live.isEmpty { return }
    guard let open = try? await store.openGenerations() else { return }
    var changed: [GenerationID: ProgressNote] = [:]
    var watched: [GenerationProgress] = []
    for (id, live) in live {
      guard open.all.contains(id) else {
        end(id, by: .cancelRequested)
        continue
      }
      let note = live.progress.note
      let isWatched = open.watched.contains(id)
      if isWatched { watched.append(notification(of: live)) }
      if isWatched ? !note.saysTheSame(as: live.sharedNote) : note.phase != live.sharedNote?.phase { changed[id] = note }
    }
    guard sharing.isDue(atMs: parts.surroundings.uptimeMs()) else { return }
    do {
      try await store.note(changed, sharing: watched)
      sharing.succeeded()
    } catch {
      return sharing.failed(atMs: parts.surroundings.uptimeMs())
    }
    for (id, note) in changed { generations[id]?.sharedNote = note }
  }
}

extension GenerationProgress {
  /// The progress of a generation as a notification for no request in particular.
  init(_ progress: Generation.Progress, of id: GenerationID, state: GenerationState) {
    self.init(
      generationId: id, sequence: progress.sequence, state: state, phase: progress.phase, message: progress.message,
      fraction: progress.fraction, overall: progress.overall, elapsedMs: 0, queuePosition: progress.queuePosition,
      etaMs: progress.etaMs)
  }
}

extension ProgressNote {
  /// Whether only time has passed since `earlier`.
  fileprivate func saysTheSame(as earlier: ProgressNote?) -> Bool {
    earlier?.phase == phase && earlier?.message == message && earlier?.fraction == fraction
  }
}
