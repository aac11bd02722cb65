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
    let finished = try await end(of: id, for: watcher, inlining: false)
    guard let generation = finished.generation else { return try finished.answer() }
    return generation.withoutInlineData
  }

  /// Answers a repeated idempotency key with the generation it names. Cancelling this request ends its wait, not the
  /// generation, which belongs to another request.
  /// - Parameter work: the repeated request.
  func join(_ row: GenerationRow, repeatedBy work: GenerationWork) async throws -> Generation {
    if row.state.isFinal { return try await repeatedEnd(row).answer() }
    if work.isDetached { return liveGeneration(row.id) ?? row.generation() }
    let watcher = Watcher(requestID: work.requestID, wantsProgress: work.wantsProgress)
    return try await end(of: row.id, for: watcher, inlining: true).answer()
  }

  /// The interval at which a generation of another process is looked at.
  private static let look = Duration.milliseconds(250)

  /// Waits for the end of a generation of any process, and settles it when its process dies. A leaving process does not
  /// wait for one that waits for its provider or for a process.
  /// - Parameter inlining: whether to return the pictures if the request asked for them inline.
  private func end(of id: GenerationID, for watcher: Watcher, inlining: Bool) async throws -> FinishedGeneration {
    while true {
      if generations[id] != nil { return try await endHere(of: id, for: watcher) }
      let store = try await openStore()
      guard let seen = try await store.watch(id, wantsProgress: watcher.wantsProgress) else { throw Self.deleted(id) }
      if seen.state.isFinal {
        guard let row = try await store.generation(id, account: nil) else { throw Self.deleted(id) }
        return inlining ? try await repeatedEnd(row) : row.finished()
      }
      if isLeaving, seen.state == .queued {
        let waitsForProvider = try await store.waitingPlace(of: id) != nil
        if waitsForProvider || seen.owner == .nobody { return .leftQueued(id) }
      }
      let hasNews = try await tell(watcher, of: id, as: seen)
      try await parts.surroundings.sleep(Self.look)
      // A process that shares progress is alive.
      if !hasNews, await store.isGone(seen.owner) { try await settle() }
    }
  }

  private static func deleted(_ id: GenerationID) -> AtelierError {
    AtelierError(.notFound, "The generation has been deleted from history.", generationId: id)
  }

  /// Tells a watcher where a generation of another process stands, unless nothing new was shared since it last heard.
  /// - Returns: whether something new was shared.
  private func tell(_ watcher: Watcher, of id: GenerationID, as seen: WatchedGeneration) async throws -> Bool {
    guard watcher.wantsProgress else { return false }
    let hasNews = watcher.take(seen.progress)
    let silenceMs = parts.configuration.heartbeatMs / 2
    guard hasNews || watcher.isDue(after: silenceMs, atMs: parts.surroundings.uptimeMs()) else { return false }
    var progress = seen.progress
    if progress == nil { progress = try await recordedProgress(of: id) }
    guard var progress else { return false }
    progress.elapsedMs = max(progress.elapsedMs, parts.surroundings.now().milliseconds - seen.created.milliseconds)
    announce(progress, of: seen.account, to: watcher)
    return hasNews
  }

  /// The progress of a generation of another process, as far as it is on record; nil when it has ended.
  private func recordedProgress(of id: GenerationID) async throws -> GenerationProgress? {
    guard let row = try await openStore().generation(id, account: nil) else { return nil }
    let generation = try await recorded(row)
    return generation.progress.map { GenerationProgress($0, of: id, state: generation.state) }
  }

  func announce(_ progress: GenerationProgress, of account: AccountID, to watcher: Watcher) {
    guard watcher.wantsProgress else { return }
    parts.announce(.progress(watcher.notification(of: progress, atMs: parts.surroundings.uptimeMs()), of: account))
  }

  /// The end as first answered, with the pictures if they were requested inline; private pictures were not kept.
  private func repeatedEnd(_ row: GenerationRow) async throws -> FinishedGeneration {
    var data = InlineBytes()
    if row.request["output"]?["inline"]?.bool == true {
      let store = try await openStore()
      for image in row.images {
        if let artifact = image.artifact { data.images[image.index] = try await store.read(artifact) }
        if let matte = image.matte?.artifact { data.mattes[image.index] = try await store.read(matte) }
      }
    }
    return row.finished(inlining: data)
  }
}
