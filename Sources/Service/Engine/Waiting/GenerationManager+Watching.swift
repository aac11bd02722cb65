import AtelierProtocol
import Store

/// How a request waits for the end of a generation of this process or another one, and is told its progress meanwhile.
extension GenerationManager {
  /// Carries out `generation/watch`. Cancelling the calling task ends the watch; the generation goes on.
  /// - Returns: the generation as it ended, also when it failed.
  /// - Throws: `not_found`, `permission_denied`; `interrupted` when this process ends and leaves the generation to
  ///   another one.
  public func watch(_ request: GenerationWatch, for caller: Caller) async throws -> Generation {
    let id = try await generation(named: .id(request.generationId), account: request.account, for: caller)
    let watcher = Watcher(requestID: caller.requestID, wantsProgress: request.progress ?? caller.wantsProgress)
    return try await waitForEnd(of: id, for: watcher, inlining: false).get().withoutInlineData
  }

  /// Answers a repeated idempotency key with the generation it names. Cancelling this request ends its wait, not the
  /// generation, which belongs to another request.
  func join(_ row: GenerationRow, repeatedBy request: KeyedRequest, _ arrival: Arrival?) async throws -> Generation {
    arrival?.end()
    if row.state.isFinal { return try await Answer.success(repeatedEnd(row)).result() }
    if request.isDetached { return await liveGeneration(row.id) ?? row.generation() }
    let watcher = Watcher(requestID: request.requestID, wantsProgress: request.wantsProgress)
    return try await waitForEnd(of: row.id, for: watcher, inlining: true).result()
  }

  /// The interval at which the generations of other processes are looked at.
  static let look = Duration.milliseconds(250)

  /// Waits for the end of a generation of any process, and recovers it when its process dies. A leaving process does not
  /// wait for one that waits for its provider or for a process.
  /// - Parameter inlining: whether to return the pictures if the request asked for them inline.
  private func waitForEnd(of id: GenerationID, for watcher: Watcher, inlining: Bool) async throws -> Answer {
    _ = try await parts.lazyStore.store()
    var watcher = watcher
    while true {
      // The present state is told at once.
      await learnPositions(for: [id])
      if let live = table[id] { return try await endHere(of: live, for: watcher) }
      switch await news(of: id, for: watcher) {
      case .ended(let row): return .success(inlining ? try await repeatedEnd(row) : row.generation())
      case .isHere(let same): watcher = same
      case .leftQueued: return .leftQueued(id)
      case .cancelled: throw CancellationError()
      case .failed(let error): throw error
      }
    }
  }

  /// Waits for what ends the watch of a generation of another process.
  private func news(of id: GenerationID, for watcher: Watcher) async -> DistantWatches.News {
    let number = distantWatches.nextNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: .cancelled) }
        distantWatches.add(.init(watcher: watcher, continuation: continuation), numbered: number, of: id)
        Task {
          // The present state is told at once.
          await lookElsewhere(at: [id])
          keepLookingElsewhere()
        }
      }
    } onCancel: {
      Task { await self.stopWatchingElsewhere(number, of: id) }
    }
  }

  private func stopWatchingElsewhere(_ number: Int, of id: GenerationID) { distantWatches.cancel(number, of: id) }

  private func keepLookingElsewhere() {
    guard distantWatches.looking == nil, !distantWatches.watches.isEmpty else { return }
    distantWatches.looking = Task {
      while !distantWatches.watches.isEmpty {
        do { try await parts.surroundings.sleep(Self.look) } catch { break }
        await lookElsewhere(at: distantWatches.ids)
      }
      distantWatches.looking = nil
    }
  }

  /// Looks at generations of other processes once, for all that watch them.
  private func lookElsewhere(at ids: [GenerationID]) async {
    do {
      let store = try await parts.lazyStore.store()
      let seen = try await store.watched(ids)
      var silent: Set<ProcessID> = []
      for id in ids where !distantWatches.watchers(of: id).isEmpty {
        guard let one = seen[id] else {
          distantWatches.answer(id, with: .failed(Self.deleted(id)))
          continue
        }
        if try await isOver(one, id, in: store) { continue }
        // A process that shares progress is alive.
        if try await !tell(of: id, as: one) { silent.insert(one.process) }
      }
      // After what is told: a busy database makes both of these wait.
      await noteWatching(of: seen, in: store)
      if await store.isAnyGone(of: silent) { await recoverForWatchers() }
    } catch {
      // The next look finds out more, unless the store does not even answer reads.
      if AtelierError(wrapping: error).kind.consequences.isOfTheStore { return }
      for id in ids { distantWatches.answer(id, with: .failed(error)) }
    }
  }

  /// Ends the watch of a generation if there is no more to wait for.
  private func isOver(_ seen: WatchedGeneration, _ id: GenerationID, in store: Store) async throws -> Bool {
    if table[id] != nil {
      distantWatches.handOver(id)
      return true
    }
    if seen.state.isFinal {
      let row = try await store.generation(id, account: nil)
      distantWatches.answer(id, with: row.map { .ended($0) } ?? .failed(Self.deleted(id)))
      return true
    }
    guard parts.leaving.stage >= .inputEnded, seen.state == .queued else { return false }
    let waitsForProvider = try await store.queueEntry(of: id) != nil
    guard waitsForProvider || seen.process == .nobody else { return false }
    distantWatches.answer(id, with: .leftQueued)
    return true
  }

  /// Lets the processes at work share their progress with the watchers that want it. A full disk or a busy database keeps
  /// nobody from waiting for the end.
  private func noteWatching(of seen: [GenerationID: WatchedGeneration], in store: Store) async {
    let wanted = seen.filter { id, one in
      store.mustNoteWatching(of: one) && distantWatches.watchers(of: id).contains { $0.wantsProgress }
    }
    guard !wanted.isEmpty, distantWatches.noting.isDue(atMs: parts.surroundings.uptimeMs()) else { return }
    do {
      try await store.noteWatching(of: Array(wanted.keys))
      distantWatches.noting.succeeded()
    } catch {
      distantWatches.noting.failed(atMs: parts.surroundings.uptimeMs())
    }
  }

  /// Recovers what dead processes left, later if it cannot be written now: whoever watches goes on waiting.
  private func recoverForWatchers() async {
    guard distantWatches.recovering.isDue(atMs: parts.surroundings.uptimeMs()) else { return }
    do {
      try await parts.lazyStore.recover()
      distantWatches.recovering.succeeded()
    } catch {
      distantWatches.recovering.failed(atMs: parts.surroundings.uptimeMs())
    }
  }

  private static func deleted(_ id: GenerationID) -> AtelierError {
    AtelierError(.notFound, "This has been deleted from history.", generationId: id)
  }

  /// Tells the watchers of a generation where it stands, each unless nothing new was shared since it last heard.
  /// - Returns: whether something new was shared.
  private func tell(of id: GenerationID, as seen: WatchedGeneration) async throws -> Bool {
    let (silenceMs, now) = (parts.configuration.heartbeatMs / 2, parts.surroundings.uptimeMs())
    let (due, hasNews) = distantWatches.take(seen.progress, of: id, silenceMs: silenceMs, atMs: now)
    if due.isEmpty { return hasNews }
    var progress = seen.progress
    if progress == nil { progress = try await recordedProgress(of: id) }
    guard var progress else { return false }
    progress.elapsedMs = max(progress.elapsedMs, parts.surroundings.now().milliseconds - seen.created.milliseconds)
    for told in distantWatches.notifications(of: id, to: due, from: progress, atMs: parts.surroundings.uptimeMs()) {
      announce(told, of: seen.account)
    }
    return hasNews
  }

  /// The progress of a generation of another process, as far as it is on record; nil when it has ended.
  private func recordedProgress(of id: GenerationID) async throws -> GenerationProgress? {
    guard let row = try await parts.lazyStore.store().generation(id, account: nil) else { return nil }
    let generation = try await recorded(row)
    return generation.progress.map { GenerationProgress($0, of: id, state: generation.state) }
  }

  /// The end as first answered, with the pictures if they were requested inline; private pictures were not kept.
  private func repeatedEnd(_ row: GenerationRow) async throws -> Generation {
    var data = InlineBytes()
    if row.request["output"]?["inline"]?.bool == true {
      let store = try await parts.lazyStore.store()
      for file in row.files where file.role != .thumbnail {
        if let artifact = file.artifact { data[file] = try await store.read(artifact) }
      }
    }
    return row.generation(inlining: data)
  }
}
