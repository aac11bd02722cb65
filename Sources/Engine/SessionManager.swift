import AtelierProtocol
import Encodings
import Providers
import Store

/// Owns the table of the generations this process works on: accepts, runs, cancels and answers them.
///
/// A generation is in the table from before its row is written until its end is durable and answered. It ends once:
/// whoever would end it (its work, a cancel, another process) goes through ``end(_:by:delivery:error:)``.
public actor SessionManager: QueueHost {
  let parts: EngineParts
  let queue: OfflineQueue
  let ends: EndWriter
  let upkeep: Upkeep
  private let stops: DelayedStops

  private(set) var sessions: [GenerationID: Session] = [:]
  private var slots = Slots()
  /// How the queue that all processes share stood when it was last looked at.
  private var standing = QueueStanding()
  private var pace = Pace()
  private var heartbeat: Task<Void, Never>?
  private var isLeaving = false
  private var lastWaiter = 0
  private(set) var counters = ServiceStatus.Counters()

  init(_ parts: EngineParts) {
    self.parts = parts
    queue = OfflineQueue(parts)
    ends = EndWriter(parts)
    upkeep = Upkeep(parts)
    stops = DelayedStops(parts.surroundings)
  }

  var planner: RequestPlanner { RequestPlanner(parts: parts) { try await self.openStore() } }

  /// The open store. The first time, what processes that died left behind is settled.
  func openStore() async throws -> Store {
    let (store, recovery) = try await parts.door.enter()
    guard let recovery else { return store }
    await take(recovery)
    if await queue.isServing {
      await beginUpkeep()
      keepBeating()
    }
    return store
  }

  /// Settles what processes that died left behind.
  func settle() async throws {
    await take(try await openStore().settle())
  }

  /// Has the data directory kept clean from now on.
  func beginUpkeep() async {
    await upkeep.begin { [weak self] in await self?.take($0) }
  }

  private func take(_ recovery: Recovery) async {
    await expired(recovery.expired)
    await parts.balances.creditsChanged(by: recovery.interrupted)
    if recovery.requeued > 0 { keepBeating() }
  }

  // MARK: Accepting

  /// Carries out `generate`. Cancelling the calling task cancels the generation, unless it is detached and accepted.
  /// - Returns: the end of the generation, or for a detached one its acceptance.
  /// - Throws: `AtelierError` for everything PROTOCOL 6 names.
  public func generate(_ request: Generate, for caller: Caller) async throws -> Generate.Answer {
    await upkeep.warmUp(for: request)
    // A cancel that comes before the acceptance is carried out after it: its outcome is always `cancelled`.
    return try await carryOut(Task { try await self.planner.plan(request, for: caller) }.value)
  }

  /// Carries out `regenerate`, as ``generate(_:for:)``.
  public func regenerate(_ request: Regenerate, for caller: Caller) async throws -> Generate.Answer {
    try await carryOut(Task { try await self.planner.plan(request, for: caller) }.value)
  }

  private func carryOut(_ work: GenerationWork) async throws -> Generate.Answer {
    let limit = parts.configuration.maximumOpen
    guard sessions.count < limit else {
      throw AtelierError(
        .overloaded, "\(limit) requests are being worked on already. Wait until some of them are done.",
        retryAfterMs: 1000, details: ["maxOpen": .number(.init(limit))])
    }
    let session = Session(work: work, acceptedAtMs: parts.surroundings.uptimeMs())
    sessions[work.id] = session
    if !work.mustWait {
      session.hasSlot = slots.enter(
        work.id, provider: work.provider.id, units: work.atOnce, capacity: work.provider.maximumConcurrentImages)
    }
    let outcome: AcceptOutcome
    do {
      outcome = try await Task { try await self.accept(session.work, begins: session.hasSlot) }.value
    } catch {
      forget(work.id)
      throw error
    }
    switch outcome {
    case .accepted: return try await begin(session)
    case .existing(let row):
      forget(work.id)
      return try await join(row, isDetached: work.isDetached)
    }
  }

  /// Writes the row, holds the credits and keeps the pictures that came within the request, unless a generation has this
  /// idempotency key already.
  private func accept(_ work: GenerationWork, begins: Bool) async throws -> AcceptOutcome {
    await beginUpkeep()
    let acceptor = RequestAcceptor(parts: parts, store: try await openStore())
    let accepted: RequestAcceptor.Accepted
    do {
      accepted = try await acceptor.accept(work, begins: begins)
    } catch let refusal as AtelierError where refusal.mayEndWithADeadProcess {
      try await settle()
      accepted = try await acceptor.accept(work, begins: begins)
    }
    guard case .accepted(let row) = accepted.outcome, let session = sessions[work.id] else { return accepted.outcome }
    // One that waits for its provider may have been claimed and begun since its row was written.
    if session.row == nil {
      session.work = accepted.work
      session.row = row
      session.generation = Generation(state: row.state)
      if let place = accepted.place { session.wait(at: place, atMs: parts.surroundings.uptimeMs()) }
    }
    await parts.balances.creditsChanged(by: [row])
    return accepted.outcome
  }

  /// Lets go of a request that did not become a generation after all; somebody may wait for its end already.
  private func forget(_ id: GenerationID) {
    guard let session = sessions.removeValue(forKey: id) else { return }
    for waiter in session.waiters.values { waiter.resume(returning: .vanished(id)) }
    startThose(slots.leave(id))
  }

  private func begin(_ session: Session) async throws -> Generate.Answer {
    let id = session.work.id
    counters.accepted += 1
    if Task.isCancelled || session.isCancelWished {
      end(id, by: .cancelRequested)
    } else {
      tell(id)
      if session.hasSlot { start(session) }
    }
    if session.isInQueue { Task { await queue.lookSoon(for: self) } }
    keepBeating()
    if session.work.isDetached {
      // As the host is to see it first, even if the work has begun by now.
      return .accepted(Generate.Acceptance(generationId: id, state: .queued))
    }
    return try await withTaskCancellationHandler {
      .finished(try await end(of: id).answer())
    } onCancel: {
      Task(priority: .high) { await self.wishCancelled(id) }
    }
  }

  // MARK: Working

  /// Begins those that hold their slot now; one that is being accepted begins once it is.
  private func startThose(_ ids: [GenerationID]) {
    for id in ids {
      guard let session = sessions[id] else { continue }
      session.hasSlot = true
      if session.isAccepted { start(session) }
    }
  }

  private func start(_ session: Session) {
    guard session.task == nil, !session.isEnding else { return }
    let mustBeWritten = session.generation.state == .queued
    // What waits has not begun, so this is never refused.
    if mustBeWritten { try? session.generation.apply(.started) }
    session.started = (parts.surroundings.now(), parts.surroundings.uptimeMs())
    session.task = Task { [work = session.work, sending = session.sending] in
      await self.run(work, sending: sending, mustBeWritten: mustBeWritten)
    }
  }

  private func run(_ work: GenerationWork, sending: SendingRecord, mustBeWritten: Bool) async {
    do {
      let store = try await openStore()
      if mustBeWritten, case .ended = try await parts.persistently({ try await store.start(work.id) }) {
        end(work.id, by: .cancelRequested)
        return
      }
      let workshop = Workshop(parts: parts, store: store, sending: sending)
      let delivery = try await workshop.make(work) { await self.move(work.id, by: $0) }
      if !end(work.id, by: .delivered(images: delivery.pictures.count, wanted: work.wanted), delivery: delivery) {
        for artifact in delivery.stagedArtifacts { await store.discard(artifact) }
      }
    } catch is CancellationError {
      end(work.id, by: .cancelRequested)
    } catch {
      let error = AtelierError(wrapping: error)
      if work.mayWait, await park(work, after: error, sending: sending) { return }
      end(work.id, by: .failed, error: error)
    }
  }

  /// Ends the generation, unless its end has begun already.
  /// - Returns: false when this event does not end it.
  @discardableResult
  private func end(
    _ id: GenerationID, by event: Generation.Event, delivery: Delivery = Delivery(), error: AtelierError? = nil
  ) -> Bool {
    guard let session = sessions[id], let row = session.row, !session.isEnding,
      (try? session.generation.apply(event)) != nil
    else { return false }
    session.isEnding = true
    let state = session.generation.state
    let task = session.task
    // What has not been sent must not be sent any more; the rest stops once the end is on record.
    let stopsLater = state == .cancelled && session.progress.phase.position >= Phase.processing.position
    if state == .cancelled, !stopsLater { task?.cancel() }
    let ending = Ending(
      work: session.work, row: row, state: state, delivery: delivery, error: error,
      timings: session.progress.timings(atMs: parts.surroundings.uptimeMs()), lastNote: session.progress.note)
    Task(priority: ending.isBrief ? .high : nil) {
      if stopsLater, let task { await stops.begin(task) }
      let finished = await ends.write(ending)
      let wantsThumbnail = finished.hasPictures && !ending.work.isPrivate
      if wantsThumbnail { await upkeep.thumbnailIsDue(for: id) }
      conclude(id, finished)
      if stopsLater { await stops.endIsRecorded() }
      if wantsThumbnail { await upkeep.makeThumbnails() }
    }
    return true
  }

  /// Answers everybody who waits for the end, and leaves the slot to the next.
  private func conclude(_ id: GenerationID, _ finished: FinishedGeneration) {
    guard let session = sessions.removeValue(forKey: id) else { return }
    counters.count(finished)
    // What was not made says nothing of how long making takes.
    if finished.hasPictures, finished.result?.cached == false {
      if let began = session.started {
        pace.note(parts.surroundings.uptimeMs() - began.uptimeMs, for: Pace.Kind(session.work))
      }
      let provider = session.work.provider.id
      if standing.outages[provider] != nil { Task { await queue.endOutage(of: provider, host: self) } }
    }
    // Before the answers: what is told about a generation precedes the response that ends it.
    if session.work.isDetached {
      parts.announce(.finished(finished.notification(at: parts.surroundings.now()), of: session.work.account))
    }
    for waiter in session.waiters.values { waiter.resume(returning: finished) }
    startThose(slots.leave(id))
    if !standing.isEmpty { Task { await queue.lookSoon(for: self) } }
  }

  // MARK: Waiting for a provider

  /// Has a generation wait whose try has failed, where that failure is worth waiting for and no provider may have begun
  /// the work.
  /// - Returns: false when it is to fail with it.
  private func park(_ work: GenerationWork, after error: AtelierError, sending: SendingRecord) async -> Bool {
    guard error.isWorthWaitingFor, sending.isUnsent, let session = sessions[work.id] else { return false }
    // What never left is no try of the provider's, nor is one that it put off.
    let attempts = (session.waiting?.attempts ?? 0) + (error.kind == .providerUnavailable ? 1 : 0)
    guard attempts < parts.configuration.queue.attempts else { return false }
    let isPause = error.kind == .rateLimited || error.kind == .coolingDown
    do {
      let store = try await openStore()
      let acceptor = RequestAcceptor(parts: parts, store: store)
      let deadline = session.waiting?.deadline
      let place = try await parts.persistently {
        try await acceptor.place(for: work, deadline: deadline, attempts: attempts)
      }
      let row: GenerationRow?
      do {
        let outage = isPause ? nil : parts.configuration.queue.probes
        row = try await parts.persistently { try await store.park(work.id, at: place, outage: outage) }
      } catch {
        await acceptor.discard(place)
        throw error
      }
      guard let row else {
        end(work.id, by: .cancelRequested)
        return true
      }
      guard !session.isEnding, (try? session.generation.apply(.returnedToQueue)) != nil else { return true }
      session.row = row
      session.hasSlot = false
      session.wait(at: place, atMs: parts.surroundings.uptimeMs())
      startThose(slots.leave(work.id))
      tell(work.id)
      keepBeating()
      await queue.lookSoon(for: self)
      return true
    } catch {
      return false
    }
  }

  func reserveSlot(of provider: ProviderID) -> Bool {
    guard let provider = try? parts.providers.provider(provider) else { return false }
    return slots.reserve(of: provider.id, capacity: provider.maximumConcurrentImages)
  }

  func dropReservedSlot(of provider: ProviderID) {
    startThose(slots.dropReservation(of: provider))
  }

  func begin(claimed row: GenerationRow) async {
    let provider = row.provider ?? .ondevice
    var session = sessions[row.id]
    if session == nil, let work = try? await planner.work(from: row) {
      session = Session(work: work, origin: .queue, acceptedAtMs: parts.surroundings.uptimeMs())
      let place = try? await openStore().waitingPlace(of: row.id)
      session?.waiting = place.map { ($0.deadline, $0.attempts) }
      session?.row = row
      sessions[row.id] = session
    }
    guard let session, !session.isEnding else {
      dropReservedSlot(of: provider)
      if session == nil { await failUnreadable(row) }
      return
    }
    if !session.isAccepted {
      // Its acceptance is durable and about to come back.
      session.row = row
      if let durable = try? session.work.reading(row.request) { session.work = durable }
    }
    slots.useReservation(for: row.id, provider: provider, units: session.work.atOnce)
    session.generation = Generation(state: row.state)
    session.isInQueue = false
    session.hasSlot = true
    // A process that leaves begins nobody else's.
    if isLeaving, session.origin == .queue { return await giveBack([row.id]) }
    start(session)
    tell(row.id)
    keepBeating()
  }

  /// Ends a generation whose request no process of this version can read.
  private func failUnreadable(_ row: GenerationRow) async {
    let error = AtelierError(
      .internal, "The stored request can no longer be read. Send it again.", generationId: row.id)
    _ = try? await openStore().finish(Settlement(id: row.id, state: .failed, error: error))
    await parts.balances.creditsChanged(by: [row])
  }

  func queueStands(_ standing: QueueStanding) {
    self.standing = standing
    if !standing.isEmpty { keepBeating() }
  }

  func expired(_ rows: [GenerationRow]) async {
    let elsewhere = rows.filter { !end($0.id, by: .deadlinePassed) }
    await parts.balances.creditsChanged(by: elsewhere)
  }

  // MARK: Waiting for an end

  /// Waits for the end of a generation of this process, even in a cancelled task.
  func end(of id: GenerationID) async -> FinishedGeneration {
    await wait(for: id, as: nextWaiter()) ?? .vanished(id)
  }

  /// Waits for the end of a generation of this process that another request began.
  /// - Throws: `CancellationError` when the task is cancelled; the generation goes on.
  private func joinEnd(of id: GenerationID) async throws -> FinishedGeneration {
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
  private func wait(for id: GenerationID, as waiter: Session.Waiter) async -> FinishedGeneration? {
    await withCheckedContinuation { continuation in
      if let session = sessions[id] {
        session.waiters[waiter] = continuation
      } else {
        continuation.resume(returning: .vanished(id))
      }
    }
  }

  private func stopWaiting(_ waiter: Session.Waiter, for id: GenerationID) {
    sessions[id]?.waiters.removeValue(forKey: waiter)?.resume(returning: nil)
  }

  private func nextWaiter(isHost: Bool = true) -> Session.Waiter {
    lastWaiter += 1
    return Session.Waiter(number: lastWaiter, isHost: isHost)
  }

  /// Answers a repeated idempotency key with the generation it names. Cancelling this request ends its wait, not the
  /// generation, which is another request's.
  private func join(_ row: GenerationRow, isDetached: Bool) async throws -> Generate.Answer {
    if row.state.isFinal { return .finished(try await repeatedEnd(row).answer()) }
    if isDetached { return .accepted(Generate.Acceptance(generationId: row.id, state: row.state)) }
    return .finished(try await joinEnd(ofAny: row.id).answer())
  }

  /// Waits for the end of a generation of this process or another; looks at it again a few times a second, and settles
  /// it when that process dies.
  private func joinEnd(ofAny id: GenerationID) async throws -> FinishedGeneration {
    while true {
      if sessions[id] != nil { return try await joinEnd(of: id) }
      let store = try await openStore()
      guard let row = try await store.generation(id, account: nil) else { throw AtelierError.noGeneration(id.rawValue) }
      if row.state.isFinal { return try await repeatedEnd(row) }
      try await parts.surroundings.sleep(.milliseconds(250))
      if await store.isGone(row.owner) { try await settle() }
    }
  }

  /// The end as it was answered the first time, with the pictures where they were asked for; private ones were not kept.
  private func repeatedEnd(_ row: GenerationRow) async throws -> FinishedGeneration {
    var data: [Int: [UInt8]] = [:]
    if row.request["output"]?["inline"]?.bool == true {
      let store = try await openStore()
      for image in row.images {
        if let artifact = image.artifact { data[image.index] = try await store.read(artifact) }
      }
    }
    return row.finished(inlining: data)
  }

  // MARK: Cancelling

  /// Cancels a generation of this process, wherever it stands, and waits for its end; nil when it is none of this
  /// process's.
  func cancelHere(_ id: GenerationID) async -> FinishedGeneration? {
    guard sessions[id] != nil else { return nil }
    wishCancelled(id)
    return await end(of: id)
  }

  /// Begins the end of a generation of this process, wherever it stands.
  private func wishCancelled(_ id: GenerationID) {
    guard let session = sessions[id] else { return }
    session.isCancelWished = true
    // Before it is accepted there is nothing to end; what follows the acceptance looks at the wish.
    if session.isEnding {
      Task { await ends.giveUp(id, as: .cancelled) }
    } else if session.isAccepted {
      end(id, by: .cancelRequested)
    }
  }

  /// The generation of this process that has an idempotency key of an account.
  func live(_ key: String, of account: AccountID, isAccepted: Bool) -> GenerationID? {
    sessions.values.first {
      $0.isAccepted == isAccepted && $0.work.account == account
        && $0.work.request.idempotencyKey.map { ExactText.areSame($0, key) } == true
    }?.work.id
  }

  /// Whose a generation of this process is; nil when it is none of this process's.
  func account(of id: GenerationID) -> AccountID? { sessions[id]?.work.account }

  // MARK: Telling

  private func move(_ id: GenerationID, by report: WorkReport) {
    guard let session = sessions[id], !session.isEnding, let (progress, step) = session.joint.take(report) else { return }
    if session.progress.move(to: progress, step: step, atMs: parts.surroundings.uptimeMs()) { tell(id) }
  }

  /// Notifies the host of where a generation is.
  private func tell(_ id: GenerationID) {
    guard let session = sessions[id], session.isAccepted, !session.isEnding else { return }
    let now = parts.surroundings.uptimeMs()
    let sequence = session.progress.tell(atMs: now)
    guard session.work.wantsProgress else { return }
    let progress = session.progress
    parts.announce(
      .progress(
        GenerationProgress(
          generationId: id, requestId: session.work.requestID, sequence: sequence, state: session.generation.state,
          phase: progress.phase, message: progress.message, fraction: progress.fraction, step: progress.step,
          elapsedMs: progress.elapsedMs(atMs: now), queuePosition: queuePosition(of: id),
          etaMs: estimate(for: session, atMs: now)),
        of: session.work.account))
  }

  /// 1 for the next to start; nil when it does not wait.
  private func queuePosition(of id: GenerationID) -> Int? {
    slots.position(of: id) ?? (sessions[id]?.isInQueue == true ? standing.positions[id] : nil)
  }

  private func estimate(for session: Session, atMs now: Int64) -> Int64? {
    let kind = Pace.Kind(session.work)
    guard let position = queuePosition(of: session.work.id) else {
      return pace.remainingMs(for: kind, elapsedMs: session.started.map { now - $0.uptimeMs } ?? 0)
    }
    let pause = session.isInQueue ? standing.pauseMs(for: kind.provider, from: parts.surroundings.now()) : 0
    return pace.waitMs(for: kind, position: position, places: session.work.provider.maximumConcurrentImages)
      .map { $0 + pause }
  }

  /// Milliseconds until the end of one that waits in any process.
  func estimate(for row: GenerationRow, at position: Int) async -> Int64? {
    await learnPace()
    guard let id = row.provider, let provider = try? parts.providers.provider(id) else { return nil }
    let standing = (try? await parts.door.openedStore()?.queueStanding()) ?? standing
    let kind = Pace.Kind(provider: id, recipe: row.recipe)
    return pace.waitMs(for: kind, position: position, places: provider.maximumConcurrentImages)
      .map { $0 + standing.pauseMs(for: id, from: parts.surroundings.now()) }
  }

  /// Learns from history how long things take, once.
  private func learnPace() async {
    guard !pace.isSeeded, let store = await parts.door.openedStore() else { return }
    guard let samples = try? await store.paceSamples(ofLatest: 500), !pace.isSeeded else { return }
    pace.seed(samples)
  }

  /// Where a generation of this process stands; nil when it is none of this process's.
  func liveStatus(of id: GenerationID) -> GenerationStatus? {
    guard let session = sessions[id] else { return nil }
    let progress = session.progress
    return GenerationStatus(
      generationId: id, state: session.generation.state, phase: progress.phase,
      message: progress.message, fraction: progress.fraction, sequence: progress.sequence,
      createdAt: session.work.createdAt, startedAt: session.started?.at, finishedAt: nil,
      queuePosition: queuePosition(of: id), etaMs: estimate(for: session, atMs: parts.surroundings.uptimeMs()),
      account: session.work.account, recipe: session.work.request.recipe, provider: session.work.provider.id)
  }

  /// How many generations this process works on, and how many of them wait for a slot or a provider.
  func load() -> (running: Int, queued: Int) {
    let queued = sessions.values.count { $0.generation.state == .queued }
    return (sessions.count - queued, queued)
  }

  /// Whether all of these are this process's.
  func works(onAll ids: [GenerationID]) -> Bool { ids.allSatisfy { sessions[$0] != nil } }

  // MARK: Beating

  /// Has the heart beat while there is work here, or something waits in the queue that this process may claim.
  private func keepBeating() {
    guard heartbeat == nil, !isLeaving || !sessions.isEmpty else { return }
    heartbeat = Task { await self.beat() }
  }

  /// Tells hosts that work goes on, lets other processes know, learns of their cancels, and looks at the queue.
  private func beat() async {
    repeat {
      do { try await parts.surroundings.sleep(parts.beat) } catch { break }
      await learnPace()
      let now = parts.surroundings.uptimeMs()
      for (id, session) in sessions where session.isAccepted && !session.isEnding {
        if now - session.progress.lastToldMs >= parts.configuration.heartbeatMs / 2 { tell(id) }
      }
      await shareProgress()
      await queue.look(for: self)
    } while !sessions.isEmpty || !standing.isEmpty && !isLeaving
    heartbeat = nil
    // Something may have come while the last look was made.
    if !sessions.isEmpty { keepBeating() }
  }

  /// Writes what has changed, and looks at what others have ended.
  private func shareProgress() async {
    guard let store = await parts.door.openedStore() else { return }
    var changed: [GenerationID: ProgressNote] = [:]
    let live = sessions.filter { $0.value.isAccepted && !$0.value.isEnding }
    for (id, session) in live {
      let note = session.progress.note
      if !note.saysTheSame(as: session.sharedNote) { changed[id] = note }
    }
    if !changed.isEmpty, (try? await store.note(changed)) != nil {
      for (id, note) in changed { sessions[id]?.sharedNote = note }
    }
    if live.isEmpty { return }
    guard let open = try? await store.openGenerations() else { return }
    for id in live.keys where !open.contains(id) { end(id, by: .cancelRequested) }
  }

  // MARK: Leaving

  /// To be called when no more requests come, while those that came are still answered: what waits for its provider, and
  /// what was taken from the queue and not sent yet, is left to the next process.
  public func inputEnded() async {
    isLeaving = true
    await queue.stopAfterLastLook(for: self)
    await giveBack(sessions.filter { $0.value.isInQueue || $0.value.origin == .queue }.map(\.key))
  }

  /// Waits for everything to end, then for no longer than `milliseconds`; what still runs then is given back where
  /// another process can do it, else cancelled.
  public func leave(milliseconds: Int) async {
    isLeaving = true
    let limit = Task { [surroundings = parts.surroundings] in
      try? await surroundings.sleep(.milliseconds(milliseconds))
      if !Task.isCancelled { await self.abandon() }
    }
    await upkeep.stop()
    await inputEnded()
    while let id = sessions.keys.first { _ = await wait(for: id, as: nextWaiter(isHost: false)) }
    let rest = Task { await upkeep.finish() }
    let patience = Task { [surroundings = parts.surroundings] in
      try? await surroundings.sleep(.milliseconds(min(milliseconds, Self.upkeepPatienceMs)))
      rest.cancel()
    }
    await rest.value
    patience.cancel()
    await ends.leave()
    limit.cancel()
    heartbeat?.cancel()
  }

  /// How long the process that leaves waits for thumbnails and for the sweep, in milliseconds.
  private static let upkeepPatienceMs = 2_000

  /// Stops everything now: gives back what another process can do and nothing was sent for, and cancels the rest.
  public func abandon() async {
    isLeaving = true
    await queue.stop()
    // Whoever waits for an answer is told that it is cancelled.
    await giveBack(sessions.filter { !$0.value.isAwaited }.map(\.key))
    for id in sessions.keys { wishCancelled(id) }
    await ends.leave()
  }

  /// Gives generations back to the queue that another process can do and nothing was sent for. The others go on.
  private func giveBack(_ ids: [GenerationID]) async {
    guard let store = await parts.door.openedStore() else { return }
    var unsent: Set<GenerationID> = []
    for id in ids {
      guard let session = sessions[id], session.isAccepted, session.isDurable, !session.isEnding,
        session.work.provider.profile.isLocal || session.sending.isUnsent
      else { continue }
      // From here on nothing of its work ends it, and nothing more is sent.
      session.isEnding = true
      session.task?.cancel()
      unsent.insert(id)
    }
    if unsent.isEmpty { return }
    for id in unsent {
      guard let session = sessions[id], !session.work.provider.profile.isLocal else { continue }
      // Something may have been sent in the very moment it was stopped.
      await session.task?.value
      if session.sending.isUnsent { continue }
      unsent.remove(id)
      session.isEnding = false
      end(id, by: .cancelRequested)
    }
    let released = (try? await store.release(unsent)) ?? []
    for id in unsent {
      guard let session = sessions.removeValue(forKey: id) else { continue }
      _ = slots.leave(id)
      let answer: FinishedGeneration
      if released.contains(id) {
        answer = .leftQueued(id)
      } else {
        answer = FinishedGeneration(generationId: id, state: .interrupted, error: AtelierError(.interrupted, generationId: id))
      }
      for waiter in session.waiters.values { waiter.resume(returning: answer) }
    }
  }
}

extension ProgressNote {
  /// Whether only time has passed since `earlier`.
  fileprivate func saysTheSame(as earlier: ProgressNote?) -> Bool {
    earlier?.phase == phase && earlier?.message == message && earlier?.fraction == fraction
  }
}
