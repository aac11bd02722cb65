import AtelierProtocol
import Store

/// What hosts and other processes are told while a generation is worked on.
extension GenerationManager {
  /// Notifies the host of a generation's progress: for the request that began it, and for those that watch it.
  func tell(_ id: GenerationID) {
    let now = parts.surroundings.moment
    guard let live = table.willTell(id, at: now) else { return }
    for notification in table.notifications(of: id, from: progress(of: live, now), at: now) {
      announce(notification, of: live.work.account)
    }
  }

  func announce(_ progress: GenerationProgress, of account: AccountID) {
    parts.announce(.progress(progress, of: account))
  }

  /// The progress of a generation of this process, for no request in particular.
  func progress(of live: LiveGeneration, _ now: Moment) -> GenerationProgress {
    let (progress, position) = (live.progress, queuePosition(of: live))
    return GenerationProgress(
      generationId: live.work.id, sequence: progress.sequence, state: live.toldState, phase: progress.phase,
      message: progress.message, fraction: progress.fraction, overall: progress.overall, step: progress.step,
      places: progress.places, elapsedMs: progress.elapsedMs(atMs: now.uptimeMs), queuePosition: position,
      etaMs: forecast.remainingMs(of: live, at: position, now))
  }

  /// 1 for the next to start; nil when the generation does not wait.
  private func queuePosition(of live: LiveGeneration) -> Int? {
    table.position(of: live.work.id) ?? (live.isInQueue ? forecast.positions[live.work.id] : nil)
  }

  /// How old the positions may be that are told again and again, in milliseconds: all that wait are read for them.
  private static let positionsMs: Int64 = 3_000

  /// Learns the positions of generations that are about to be told, if any of them waits for its provider.
  func learnPositions(for ids: [GenerationID]) async {
    let waiting = ids.filter { table[$0]?.isInQueue == true }
    let now = parts.surroundings.uptimeMs()
    let isRecent = forecast.positionsAtMs.map { now - $0 < Self.positionsMs } == true
    if waiting.isEmpty || isRecent && waiting.allSatisfy({ forecast.positions[$0] != nil }) { return }
    guard let positions = try? await parts.lazyStore.storeIfOpen?.queuePositions() else { return }
    (forecast.positions, forecast.positionsAtMs) = (positions, now)
  }

  /// Milliseconds until the end of a waiting generation of any process.
  func estimate(for row: GenerationRow, at position: Int) async -> Int64? {
    await learnDurations()
    guard let id = row.provider, let provider = try? parts.providers.provider(id) else { return nil }
    let queue = (try? await parts.lazyStore.storeIfOpen?.queueState()) ?? forecast.queue
    let kind = DurationEstimator.Kind(provider: id, recipe: row.recipe)
    return forecast.durations.waitMs(for: kind, position: position, slots: provider.maximumConcurrentImages)
      .map { $0 + queue.pauseMs(for: id, from: parts.surroundings.now()) }
  }

  /// Learns the usual durations from history, once.
  private func learnDurations() async {
    guard !forecast.durations.isSeeded, let store = await parts.lazyStore.storeIfOpen else { return }
    guard let samples = try? await store.durationSamples(ofLatest: 500), !forecast.durations.isSeeded else { return }
    forecast.durations.seed(samples)
  }

  /// A generation of this process as it is now; nil when it belongs to another process.
  func liveGeneration(_ id: GenerationID) async -> Generation? {
    let isInQueue = table[id]?.isInQueue == true
    let known = isInQueue ? try? await parts.lazyStore.storeIfOpen?.queuePosition(of: id) : nil
    guard let live = table[id] else { return nil }
    var generation = live.accepted
    generation.state = live.toldState
    generation.startedAt = generation.state == .queued ? nil : live.started?.wall
    let position = known.map { live.isInQueue ? $0 : nil } ?? queuePosition(of: live)
    generation.progress = live.progress.shown(
      queuePosition: position, etaMs: forecast.remainingMs(of: live, at: position, parts.surroundings.moment))
    return generation
  }

  /// How many generations this process runs, and how many wait for a slot or a provider.
  func load() -> (running: Int, queued: Int) {
    let queued = table.generations.values.count { $0.state == .queued }
    return (table.generations.count - queued, queued)
  }

  /// Whether all of these belong to this process.
  func works(onAll ids: [GenerationID]) -> Bool { ids.allSatisfy { table[$0] != nil } }

  // MARK: Heartbeat

  /// Keeps the heartbeat going while this process has work, or while the queue holds generations it may claim.
  func keepHeartbeat() {
    guard heartbeat == nil, parts.leaving.stage == .notYet || !table.generations.isEmpty else { return }
    heartbeat = Task { await self.runHeartbeat() }
  }

  /// Notifies hosts that work goes on, shares progress with other processes, learns of their cancels, and looks at the
  /// queue.
  private func runHeartbeat() async {
    repeat {
      do { try await parts.surroundings.sleep(parts.heartbeatInterval) } catch { break }
      await learnDurations()
      let silent = table.silent(for: parts.configuration.heartbeatMs / 2, at: parts.surroundings.moment)
      await learnPositions(for: silent)
      for id in silent { tell(id) }
      await shareProgress()
      await queue.look(for: self)
    } while !table.generations.isEmpty || !forecast.queue.isEmpty && parts.leaving.stage == .notYet
    heartbeat = nil
    // Work may have arrived during the last look.
    if !table.generations.isEmpty { keepHeartbeat() }
  }

  /// Ends the generations that other processes have ended, and writes the progress of the others: each new phase, and
  /// everything that has changed while another process watches. Generations that only wait cost nothing here.
  private func shareProgress() async {
    guard !table.generations.isEmpty, let store = await parts.lazyStore.storeIfOpen, let news = await news(from: store)
    else { return }
    for id in news.lost where table[id]?.isTold == true { apply(.endedElsewhere, to: id) }
    // What is being accepted hears of it after its acceptance.
    let heard = news.lost.filter { table[$0]?.isAccepted ?? true }
    await learnPositions(for: Array(news.watched))
    let watched = news.watched.filter { table[$0]?.isTold == true }
    var changed: [GenerationID: ProgressNote] = [:]
    for id in table.live.unshared.union(watched) {
      guard let live = table[id] else { continue }
      let note = live.progress.note
      if !watched.contains(id) || !note.saysTheSame(as: live.sharedNote) { changed[id] = note }
    }
    guard sharing.isDue(atMs: parts.surroundings.uptimeMs()) else { return }
    let shared = watched.compactMap { id in table[id].map { progress(of: $0, parts.surroundings.moment) } }
    do {
      try await store.note(changed, sharing: shared, heard: heard)
      sharing.succeeded()
    } catch {
      return sharing.failed(atMs: parts.surroundings.uptimeMs())
    }
    table.shared(changed)
  }

  /// What other processes want of this process's generations, or have done with them.
  /// - Returns: nil when the store does not say.
  private func news(from store: Store) async -> GenerationNews? {
    let now = store.now
    // This process or its machine may have been stopped, and what was noted meanwhile be forgotten.
    let mayHaveMissed = newsAt.map { abs(now.milliseconds - $0.milliseconds) > Store.lossMs / 2 } ?? true
    do {
      var news = try await store.news()
      if mayHaveMissed {
        let known = table.generations.filter(\.value.isTold).map(\.key)
        news.lost.formUnion(Set(known).subtracting(try await store.openGenerations()))
      }
      newsAt = now
      return news
    } catch {
      return nil
    }
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
