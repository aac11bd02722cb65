import AtelierProtocol
import Imaging
import JSONRPC
import Providers
import Store

/// Owns every generation this process works on: accepts, runs, cancels and settles them.
///
/// A generation is in the table from before its row is written until its end is durable and answered. It ends once:
/// whoever would end it (its work, a cancel, another process) goes through ``settle(_:by:delivery:error:)``.
public actor SessionManager {
  let configuration: EngineConfiguration
  let surroundings: Surroundings
  let providers: ProviderRegistry
  let door: StoreDoor
  let worker: ImagingWorker
  let photos: PhotoSource
  private let announce: @Sendable (Announcement) -> Void

  var sessions: [GenerationID: Session] = [:]
  /// Accepted and waiting for a place, oldest first.
  private var queue: [GenerationID] = []
  private var heartbeat: Task<Void, Never>?
  private var lastWaiter = 0
  private var pace = Pace()
  private var isDraining = false
  /// Ends that could not be written when they happened, as on a full disk; tried again at every use of the store.
  private var unrecorded: [Settlement] = []
  private(set) var counters = ServiceStatus.Counters()

  /// - Parameter announce: told progress and ends, in order; must not block.
  public init(
    configuration: EngineConfiguration, surroundings: Surroundings, providers: ProviderRegistry, door: StoreDoor,
    worker: ImagingWorker, announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.providers = providers
    self.door = door
    self.worker = worker
    self.announce = announce
    photos = PhotoSource(door: door, maximumBytes: configuration.maximumImageBytes)
  }

  // MARK: Accepting

  /// Carries out `generate`. Cancelling the calling task cancels the generation, unless it is detached and accepted.
  /// - Returns: the end of the generation, or for a detached one its acceptance.
  /// - Throws: `AtelierError` for everything PROTOCOL 6 names.
  public func generate(_ request: Generate, for caller: Caller) async throws -> Generate.Answer {
    let work = try await plan(request, for: caller)
    let id = work.id
    sessions[id] = Session(work: work, progress: ProgressLog(acceptedAtMs: surroundings.uptimeMs()))
    let existing: GenerationRow?
    do {
      existing = try await accept(work)
    } catch {
      forget(id)
      throw error
    }
    if let existing {
      forget(id)
      return try await join(existing, isDetached: work.isDetached)
    }
    return try await begin(work)
  }

  /// Lets go of a request that did not become a generation after all; somebody may wait for its end already.
  private func forget(_ id: GenerationID) {
    guard let session = sessions.removeValue(forKey: id) else { return }
    for waiter in session.waiters.values { waiter.resume(returning: .vanished(id)) }
  }

  private func begin(_ work: GenerationWork) async throws -> Generate.Answer {
    sessions[work.id]?.isAccepted = true
    counters.accepted += 1
    queue.append(work.id)
    if sessions[work.id]?.isCancelWished == true {
      settle(work.id, by: .cancelRequested)
    } else {
      tell(work.id)
      startWaiting()
    }
    if work.isDetached {
      // As the row says that was just written, even if the work has begun by now.
      return .accepted(Generate.Acceptance(generationId: work.id, state: .queued))
    }
    let id = work.id
    return try await withTaskCancellationHandler {
      .finished(try await end(of: id).answer())
    } onCancel: {
      Task { await self.cancelLocally(id) }
    }
  }

  /// Chooses and checks everything that can be known before the request is accepted.
  private func plan(_ request: Generate, for caller: Caller) async throws -> GenerationWork {
    try request.validate()
    let account = try caller.account(naming: request.account)
    let provider = try await providers.choose(request.provider, for: request.recipe)
    let work = GenerationWork(
      id: GenerationID(rawValue: surroundings.makeIdentifier("gen_")), account: account, request: request,
      provider: provider, requestID: caller.requestID, wantsProgress: request.progress ?? caller.wantsProgress,
      createdAt: surroundings.now())
    try provider.check(work.imageRequest(index: 0, photo: nil, timeoutMs: 0))
    if let source = work.request.image { try await photos.check(source, account: account) }
    if let directory = request.output?.directory { try await OutputDirectory(path: directory).check() }
    return work
  }

  /// Writes the row.
  /// - Returns: the generation that had this idempotency key already, if one has.
  private func accept(_ work: GenerationWork) async throws -> GenerationRow? {
    let store = try await openStore()
    switch try await store.accept(try work.acceptance()) {
    case .accepted: return nil
    case .existing(let row): return row
    }
  }

  // MARK: Running

  /// Gives free places to those that wait, in order; a provider that is full does not hold up the others'.
  private func startWaiting() {
    var running: [ProviderID: Int] = [:]
    for session in sessions.values where session.task != nil { running[session.work.provider.id, default: 0] += 1 }
    var starting: Set<GenerationID> = []
    for id in queue {
      guard let provider = sessions[id]?.work.provider else { continue }
      guard running[provider.id, default: 0] < provider.maximumConcurrentImages else { continue }
      running[provider.id, default: 0] += 1
      starting.insert(id)
    }
    let started = queue.filter(starting.contains)
    queue.removeAll(where: starting.contains)
    for id in started { start(id) }
    if heartbeat == nil, !sessions.isEmpty { heartbeat = Task { await self.beat() } }
  }

  private func start(_ id: GenerationID) {
    guard var session = sessions[id], (try? session.generation.apply(.started)) != nil else { return }
    session.startedAt = surroundings.now()
    let work = session.work
    session.task = Task { await self.run(work) }
    sessions[id] = session
  }

  private func run(_ work: GenerationWork) async {
    do {
      let store = try await openStore()
      if case .ended = try await store.start(work.id) {
        settle(work.id, by: .cancelRequested)
        return
      }
      let workshop = Workshop(
        configuration: configuration, surroundings: surroundings, worker: worker, photos: photos, store: store)
      let delivery = try await workshop.make(work) { await self.move(work.id, to: $0, step: $1) }
      if !settle(
        work.id, by: .delivered(images: delivery.pictures.count, wanted: work.wanted), delivery: delivery)
      {
        for artifact in delivery.stagedArtifacts { await store.discard(artifact) }
      }
    } catch is CancellationError {
      settle(work.id, by: .cancelRequested)
    } catch {
      settle(work.id, by: .failed, error: AtelierError(wrapping: error))
    }
  }

  // MARK: Ending

  /// Ends the generation, unless its end has begun already.
  /// - Returns: false when this event does not end it.
  @discardableResult
  private func settle(
    _ id: GenerationID, by event: Generation.Event, delivery: Delivery? = nil, error: AtelierError? = nil
  ) -> Bool {
    guard var session = sessions[id], session.isAccepted, session.settlement == nil else { return false }
    var next = session.generation
    guard let effects = try? next.apply(event) else { return false }
    if effects.contains(.stopWork) { session.task?.cancel() }
    queue.removeAll { $0 == id }
    let ending = Ending(
      work: session.work, state: next.state, delivery: delivery ?? Delivery(), error: error,
      timings: session.progress.timings(atMs: surroundings.uptimeMs()), lastNote: session.progress.note)
    let settlement = Task { [door] in
      let (finished, unrecorded) = await ending.carryOut(door: door)
      self.conclude(id, with: finished, unrecorded: unrecorded)
      return finished
    }
    session.settlement = settlement
    sessions[id] = session
    return true
  }

  /// Answers everybody who waits for the end, and gives the place to the next.
  private func conclude(_ id: GenerationID, with finished: FinishedGeneration, unrecorded settlement: Settlement?) {
    if let settlement { unrecorded.append(settlement) }
    guard let session = sessions.removeValue(forKey: id) else { return }
    counters.count(finished)
    if finished.state == .succeeded || finished.state == .partial {
      pace.note(session.progress.elapsedMs(atMs: surroundings.uptimeMs()), for: session.work.provider.id)
    }
    // Before the answers: what is told about a generation precedes the response that ends it.
    if session.work.isDetached {
      announce(.finished(finished.notification(at: surroundings.now()), of: session.work.account))
    }
    for waiter in session.waiters.values { waiter.resume(returning: finished) }
    startWaiting()
  }

  /// Waits for the end of a generation of this process, even in a cancelled task.
  func end(of id: GenerationID) async -> FinishedGeneration {
    await wait(for: id, as: nextWaiter()) ?? .vanished(id)
  }

  /// Waits for the end of a generation of this process that another request began.
  /// - Throws: `CancellationError` when the task is cancelled; the generation goes on.
  func joinEnd(of id: GenerationID) async throws -> FinishedGeneration {
    let waiter = nextWaiter()
    let finished = await withTaskCancellationHandler {
      await wait(for: id, as: waiter)
    } onCancel: {
      Task { await self.stopWaiting(waiter, for: id) }
    }
    guard let finished else { throw CancellationError() }
    return finished
  }

  /// - Returns: nil when the wait was given up.
  private func wait(for id: GenerationID, as waiter: Int) async -> FinishedGeneration? {
    await withCheckedContinuation { continuation in
      if sessions[id] == nil {
        continuation.resume(returning: .vanished(id))
      } else {
        sessions[id]?.waiters[waiter] = continuation
      }
    }
  }

  private func stopWaiting(_ waiter: Int, for id: GenerationID) {
    sessions[id]?.waiters.removeValue(forKey: waiter)?.resume(returning: nil)
  }

  private func nextWaiter() -> Int {
    lastWaiter += 1
    return lastWaiter
  }

  /// Cancels a generation of this process, wherever it stands, and waits for its end.
  @discardableResult
  func cancelLocally(_ id: GenerationID) async -> FinishedGeneration {
    guard let session = sessions[id] else { return .vanished(id) }
    if !session.isAccepted {
      sessions[id]?.isCancelWished = true
      return await end(of: id)
    }
    settle(id, by: .cancelRequested)
    return await end(of: id)
  }

  // MARK: Progress

  private func move(_ id: GenerationID, to progress: ImageProgress, step: GenerationProgress.Step?) {
    guard sessions[id] != nil, sessions[id]?.settlement == nil else { return }
    sessions[id]?.progress.move(to: progress, step: step, atMs: surroundings.uptimeMs())
    tell(id)
  }

  /// Notifies the host of where a generation is.
  private func tell(_ id: GenerationID) {
    guard let session = sessions[id], session.settlement == nil else { return }
    let now = surroundings.uptimeMs()
    guard let sequence = sessions[id]?.progress.tell(atMs: now), session.work.wantsProgress else { return }
    let progress = session.progress
    announce(
      .progress(
        GenerationProgress(
          generationId: id, requestId: session.work.requestID, sequence: sequence, state: session.generation.state,
          phase: progress.phase, message: progress.message, fraction: progress.fraction, step: progress.step,
          elapsedMs: progress.elapsedMs(atMs: now), etaMs: estimate(for: session, atMs: now)),
        of: session.work.account))
  }

  func estimate(for session: Session, atMs now: Int64) -> Int64? {
    pace.remainingMs(
      for: session.work.provider.id, elapsedMs: session.progress.elapsedMs(atMs: now),
      ahead: queuePosition(of: session.work.id).map { $0 - 1 } ?? 0)
  }

  /// 1 for the next to start; nil when it does not wait.
  func queuePosition(of id: GenerationID) -> Int? {
    queue.firstIndex(of: id).map { $0 + 1 }
  }

  /// While there is work: tells hosts that it goes on, lets other processes know, learns of their cancels.
  private func beat() async {
    // Looking twice in that time, no silence gets longer than it.
    let step = configuration.heartbeatMs / 2
    while !sessions.isEmpty {
      do { try await surroundings.sleep(.milliseconds(step)) } catch { break }
      let now = surroundings.uptimeMs()
      for (id, session) in sessions where session.isAccepted && session.settlement == nil {
        if now - session.progress.lastToldMs >= step { tell(id) }
      }
      await shareProgress()
    }
    heartbeat = nil
    if !sessions.isEmpty { startWaiting() }
  }

  private func shareProgress() async {
    guard let store = await door.openedStore() else { return }
    for (id, session) in sessions where session.isAccepted && session.settlement == nil {
      if case .ended = try? await store.note(session.progress.note, for: id) { settle(id, by: .cancelRequested) }
    }
  }

  // MARK: The store and other processes

  /// The open store; at its opening, what a dead process left queued becomes this one's.
  func openStore() async throws -> Store {
    let (store, recovery) = try await door.enter()
    if let recovery { await take(recovery) }
    await recordWhatIsLeft(in: store)
    return store
  }

  private func recordWhatIsLeft(in store: Store) async {
    let left = unrecorded
    unrecorded = []
    for settlement in left where (try? await store.finish(settlement)) == nil { unrecorded.append(settlement) }
  }

  /// Settles what dead processes left, and takes over what they never began.
  func recover() async throws {
    let store = try await openStore()
    await take(try await store.recover())
    if !configuration.historyCaps.isUnbounded { try await store.enforce(configuration.historyCaps) }
  }

  private func take(_ recovery: Recovery) async {
    for row in recovery.adopted { adopt(row) }
    await OutputDirectory.removeLeftovers(of: recovery.interrupted)
  }

  private func adopt(_ row: GenerationRow) {
    guard sessions[row.id] == nil, !isDraining else { return }
    guard let request = try? row.requestAsSent(), let provider = try? providers.provider(row.provider ?? .ondevice)
    else { return }
    let work = GenerationWork(
      id: row.id, account: row.account, request: request, provider: provider, requestID: nil,
      wantsProgress: request.progress ?? true, createdAt: row.created)
    var session = Session(work: work, progress: ProgressLog(acceptedAtMs: surroundings.uptimeMs()))
    session.isAccepted = true
    sessions[row.id] = session
    queue.append(row.id)
    startWaiting()
  }

  // MARK: Leaving

  /// Waits for everything to end, then for no longer than `milliseconds`; what still runs then is cancelled and
  /// settled, what is queued and detached stays in the database for the next process (PROTOCOL 1, end of input).
  public func drain(milliseconds: Int) async {
    isDraining = true
    let limit = Task { [surroundings] in
      try? await surroundings.sleep(.milliseconds(milliseconds))
      if !Task.isCancelled { await self.abandon() }
    }
    while let id = sessions.keys.first { _ = await end(of: id) }
    limit.cancel()
    heartbeat?.cancel()
  }

  /// Cancels what runs; leaves what is queued for another process where it can be.
  public func abandon() async {
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
