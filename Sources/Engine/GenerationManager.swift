import AtelierProtocol
import Encodings
import Providers
import Store

/// Owns the table of the generations this process works on: accepts, runs, cancels and answers them.
///
/// A generation is in the table from before its row is written until its end is durable and answered. It ends once: its
/// work, a cancel and another process all end it through ``end(_:by:delivery:error:)``.
public actor GenerationManager {
  let parts: EngineParts
  let queue: OfflineQueue
  let ends: EndWriter
  let maintenance: Maintenance
  private let stops: DelayedCancellations

  private(set) var generations: [GenerationID: LiveGeneration] = [:]
  private var slots = Slots()
  /// The state of the shared queue at the last look.
  private var queueState = QueueState()
  private var pace = DurationEstimator()
  private var heartbeat: Task<Void, Never>?
  private var isLeaving = false
  private var lastWaiter = 0
  private(set) var counters = ServiceStatus.Counters()

  init(_ parts: EngineParts) {
    self.parts = parts
    queue = OfflineQueue(parts)
    ends = EndWriter(parts)
    maintenance = Maintenance(parts)
    stops = DelayedCancellations(parts.surroundings)
  }

  var planner: RequestPlanner { RequestPlanner(parts: parts) { try await self.openStore() } }

  /// The open store. The first call also settles what dead processes left behind.
  func openStore() async throws -> Store {
    let (store, recovery) = try await parts.lazyStore.enter()
    guard let recovery else { return store }
    await take(recovery)
    if await queue.isServing {
      await beginMaintenance()
      keepBeating()
    }
    return store
  }

  /// Settles what dead processes left behind.
  func settle() async throws {
    await take(try await openStore().settle())
  }

  /// Starts the maintenance of the data directory.
  func beginMaintenance() async {
    await maintenance.begin { [weak self] in await self?.take($0) }
  }

  private func take(_ recovery: Recovery) async {
    await expired(recovery.expired)
    await parts.balances.creditsChanged(by: recovery.interrupted)
    if recovery.requeued > 0 { keepBeating() }
  }

  // MARK: Accepting

  /// Carries out `generate`. Cancelling the calling task cancels the generation, unless it is detached and accepted.
  /// - Returns: the end of the generation, or the acceptance of a detached one.
  /// - Throws: `AtelierError`, as the reference lists for `generate`.
  public func generate(_ request: Generate, for caller: Caller) async throws -> Generation {
    await maintenance.warmUp(for: request)
    // A cancel that arrives before the acceptance takes effect after it: its outcome is always `cancelled`.
    return try await carryOut(Task { try await self.planner.plan(request, for: caller) }.value)
  }

  /// Carries out `regenerate`, as ``generate(_:for:)``.
  public func regenerate(_ request: Regenerate, for caller: Caller) async throws -> Generation {
    try await carryOut(Task { try await self.planner.plan(request, for: caller) }.value)
  }

  private func carryOut(_ work: GenerationWork) async throws -> Generation {
    let limit = parts.configuration.maximumOpen
    guard generations.count < limit else {
      throw AtelierError(
        .overloaded, "\(limit) requests are being worked on already. Wait until some of them are done.",
        retryAfterMs: 1000, details: ["maxOpen": .number(.init(limit))])
    }
    let live = LiveGeneration(work: work, acceptedAtMs: parts.surroundings.uptimeMs())
    generations[work.id] = live
    if !work.mustWait {
      live.hasSlot = slots.enter(
        work.id, provider: work.provider.id, units: work.atOnce, capacity: work.provider.maximumConcurrentImages)
    }
    let outcome: AcceptOutcome
    do {
      outcome = try await Task { try await self.accept(live.work, begins: live.hasSlot) }.value
    } catch {
      forget(work.id)
      throw error
    }
    switch outcome {
    case .accepted: return try await begin(live)
    case .existing(let row):
      forget(work.id)
      return try await join(row, isDetached: work.isDetached)
    }
  }

  /// Writes the row, holds the credits and keeps the inline pictures, unless a generation already has this idempotency
  /// key.
  private func accept(_ work: GenerationWork, begins: Bool) async throws -> AcceptOutcome {
    await beginMaintenance()
    let acceptor = RequestAcceptor(parts: parts, store: try await openStore())
    let accepted: RequestAcceptor.Accepted
    do {
      accepted = try await acceptor.accept(work, begins: begins)
    } catch let refusal as AtelierError where refusal.mayEndWithADeadProcess {
      try await settle()
      accepted = try await acceptor.accept(work, begins: begins)
    }
    guard case .accepted(let row) = accepted.outcome, let live = generations[work.id] else { return accepted.outcome }
    // A generation that waits for its provider may have been claimed and started since its row was written.
    if live.row == nil {
      live.work = accepted.work
      live.row = row
      live.lifecycle = GenerationLifecycle(state: row.state)
      if let place = accepted.place { live.wait(at: place, atMs: parts.surroundings.uptimeMs()) }
    }
    await parts.balances.creditsChanged(by: [row])
    return accepted.outcome
  }

  /// Removes a request that did not become a generation; a waiter may already wait for its end.
  private func forget(_ id: GenerationID) {
    guard let live = generations.removeValue(forKey: id) else { return }
    for waiter in live.waiters.values { waiter.resume(returning: .vanished(id)) }
    startThose(slots.leave(id))
  }

  private func begin(_ live: LiveGeneration) async throws -> Generation {
    let id = live.work.id
    counters.accepted += 1
    // The host of a detached request sees `queued` first, even if the work has already begun.
    let accepted = live.work.isDetached ? live.accepted : nil
    if Task.isCancelled || live.isCancelWished {
      end(id, by: .cancelRequested)
    } else {
      tell(id)
      if live.hasSlot { start(live) }
    }
    if live.isInQueue { Task { await queue.lookSoon(for: self) } }
    keepBeating()
    if let accepted { return accepted }
    return try await withTaskCancellationHandler {
      try await end(of: id).answer()
    } onCancel: {
      Task(priority: .high) { await self.wishCancelled(id) }
    }
  }

  // MARK: Working

  /// Starts the generations that now hold their slot; one that is still being accepted starts after its acceptance.
  private func startThose(_ ids: [GenerationID]) {
    for id in ids {
      guard let live = generations[id] else { continue }
      live.hasSlot = true
      if live.isAccepted { start(live) }
    }
  }

  private func start(_ live: LiveGeneration) {
    guard live.task == nil, !live.isEnding else { return }
    let mustBeWritten = live.lifecycle.state == .queued
    // A queued generation has not begun, so this never throws.
    if mustBeWritten { try? live.lifecycle.apply(.started) }
    live.started = (parts.surroundings.now(), parts.surroundings.uptimeMs())
    live.task = Task { [work = live.work, sending = live.sending] in
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
      let workshop = GenerationRun(parts: parts, store: store, sending: sending)
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

  /// Ends the generation, unless its end has already begun.
  /// - Returns: false when this event does not end the generation.
  @discardableResult
  private func end(
    _ id: GenerationID, by event: GenerationLifecycle.Event, delivery: Delivery = Delivery(), error: AtelierError? = nil
  ) -> Bool {
    guard let live = generations[id], let row = live.row, !live.isEnding,
      (try? live.lifecycle.apply(event)) != nil
    else { return false }
    live.isEnding = true
    let state = live.lifecycle.state
    let task = live.task
    // Work that is not sent yet stops now; work that is already sent stops once the end is on record.
    let stopsLater = state == .cancelled && live.progress.phase.position >= Phase.processing.position
    if state == .cancelled, !stopsLater { task?.cancel() }
    let ending = Ending(
      work: live.work, row: row, state: state, delivery: delivery, error: error,
      timings: live.progress.timings(atMs: parts.surroundings.uptimeMs()), lastNote: live.progress.note)
    Task(priority: ending.isBrief ? .high : nil) {
      if stopsLater, let task { await stops.begin(task) }
      let finished = await ends.write(ending)
      let wantsThumbnail = finished.hasPictures && !ending.work.isPrivate
      if wantsThumbnail { await maintenance.thumbnailIsDue(for: id) }
      conclude(id, finished)
      if stopsLater { await stops.endIsRecorded() }
      if wantsThumbnail { await maintenance.makeThumbnails() }
    }
    return true
  }

  /// Answers every waiter and passes the slot on.
  private func conclude(_ id: GenerationID, _ finished: FinishedGeneration) {
    guard let live = generations.removeValue(forKey: id) else { return }
    counters.count(finished)
    // A cached result or an end without pictures says nothing about how long making a picture takes.
    if finished.hasPictures, finished.generation?.cached == false {
      if let began = live.started {
        pace.note(parts.surroundings.uptimeMs() - began.uptimeMs, for: DurationEstimator.Kind(live.work))
      }
      let provider = live.work.provider.id
      if queueState.outages[provider] != nil { Task { await queue.endOutage(of: provider, host: self) } }
    }
    // Sent before the answers: notifications about a generation precede the response that ends it.
    if live.work.isDetached, let generation = finished.generation {
      parts.announce(.finished(generation.withoutInlineData, of: live.work.account))
    }
    for waiter in live.waiters.values { waiter.resume(returning: finished) }
    startThose(slots.leave(id))
    if !queueState.isEmpty { Task { await queue.lookSoon(for: self) } }
  }

  // MARK: Waiting for a provider

  /// Returns a failed generation to the offline queue, if the error is worth waiting for and no provider may have begun
  /// the work.
  /// - Returns: false when the generation must fail with the error.
  private func park(_ work: GenerationWork, after error: AtelierError, sending: SendingRecord) async -> Bool {
    guard error.isWorthWaitingFor, sending.isUnsent, let live = generations[work.id] else { return false }
    // An unsent request does not count as an attempt, nor does a request for a pause.
    let attempts = (live.waiting?.attempts ?? 0) + (error.kind == .providerUnavailable ? 1 : 0)
    guard attempts < parts.configuration.queue.attempts else { return false }
    let isPause = error.kind == .rateLimited || error.kind == .coolingDown
    do {
      let store = try await openStore()
      let acceptor = RequestAcceptor(parts: parts, store: store)
      let deadline = live.waiting?.deadline
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
      guard !live.isEnding, (try? live.lifecycle.apply(.returnedToQueue)) != nil else { return true }
      live.row = row
      live.hasSlot = false
      live.wait(at: place, atMs: parts.surroundings.uptimeMs())
      startThose(slots.leave(work.id))
      tell(work.id)
      keepBeating()
      await queue.lookSoon(for: self)
      return true
    } catch {
      return false
    }
  }

  /// Reserves a slot of a provider for a generation still to be claimed.
  /// - Returns: false when no slot is free.
  func reserveSlot(of provider: ProviderID) -> Bool {
    guard let provider = try? parts.providers.provider(provider) else { return false }
    return slots.reserve(of: provider.id, capacity: provider.maximumConcurrentImages)
  }

  /// Releases a reserved slot.
  func dropReservedSlot(of provider: ProviderID) {
    startThose(slots.dropReservation(of: provider))
  }

  /// Works on a claimed generation, in the slot reserved for it.
  func begin(claimed row: GenerationRow) async {
    let provider = row.provider ?? .ondevice
    var live = generations[row.id]
    if live == nil, let work = try? await planner.work(from: row) {
      live = LiveGeneration(work: work, origin: .queue, acceptedAtMs: parts.surroundings.uptimeMs())
      let place = try? await openStore().waitingPlace(of: row.id)
      live?.waiting = place.map { ($0.deadline, $0.attempts) }
      live?.row = row
      generations[row.id] = live
    }
    guard let live, !live.isEnding else {
      dropReservedSlot(of: provider)
      if live == nil { await failUnreadable(row) }
      return
    }
    if !live.isAccepted {
      // The acceptance is durable and about to return.
      live.row = row
      if let durable = try? live.work.reading(row.request) { live.work = durable }
    }
    slots.useReservation(for: row.id, provider: provider, units: live.work.atOnce)
    live.lifecycle = GenerationLifecycle(state: row.state)
    live.isInQueue = false
    live.hasSlot = true
    // A leaving process starts no generation that came from the queue.
    if isLeaving, live.origin == .queue { return await giveBack([row.id]) }
    start(live)
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

  /// Receives the current state of the offline queue.
  func queueChanged(to queueState: QueueState) {
    self.queueState = queueState
    if !queueState.isEmpty { keepBeating() }
  }

  /// Receives the generations that expired in the offline queue.
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

  /// - Returns: nil when the wait is given up.
  private func wait(for id: GenerationID, as waiter: LiveGeneration.Waiter) async -> FinishedGeneration? {
    await withCheckedContinuation { continuation in
      if let live = generations[id] {
        live.waiters[waiter] = continuation
      } else {
        continuation.resume(returning: .vanished(id))
      }
    }
  }

  private func stopWaiting(_ waiter: LiveGeneration.Waiter, for id: GenerationID) {
    generations[id]?.waiters.removeValue(forKey: waiter)?.resume(returning: nil)
  }

  private func nextWaiter(isHost: Bool = true) -> LiveGeneration.Waiter {
    lastWaiter += 1
    return LiveGeneration.Waiter(number: lastWaiter, isHost: isHost)
  }

  /// Answers a repeated idempotency key with the generation it names. Cancelling this request ends its wait, not the
  /// generation, which belongs to another request.
  private func join(_ row: GenerationRow, isDetached: Bool) async throws -> Generation {
    if row.state.isFinal { return try await repeatedEnd(row).answer() }
    if isDetached { return liveGeneration(row.id) ?? row.generation() }
    return try await joinEnd(ofAny: row.id).answer()
  }

  /// Waits for the end of a generation of this process or another one; polls its row every 250 ms, and settles it when
  /// its process dies.
  private func joinEnd(ofAny id: GenerationID) async throws -> FinishedGeneration {
    while true {
      if generations[id] != nil { return try await joinEnd(of: id) }
      let store = try await openStore()
      guard let row = try await store.generation(id, account: nil) else { throw AtelierError.noGeneration(id.rawValue) }
      if row.state.isFinal { return try await repeatedEnd(row) }
      try await parts.surroundings.sleep(.milliseconds(250))
      if await store.isGone(row.owner) { try await settle() }
    }
  }

  /// The end as first answered, with the pictures if they were requested inline; private pictures were not kept.
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

  /// Cancels a generation of this process in any state and waits for its end; nil when it belongs to another process.
  func cancelHere(_ id: GenerationID) async -> FinishedGeneration? {
    guard generations[id] != nil else { return nil }
    wishCancelled(id)
    return await end(of: id)
  }

  /// Begins the end of a generation of this process in any state.
  private func wishCancelled(_ id: GenerationID) {
    guard let live = generations[id] else { return }
    live.isCancelWished = true
    // Before the acceptance there is nothing to end; `begin` checks the wish after it.
    if live.isEnding {
      Task { await ends.giveUp(id, as: .cancelled) }
    } else if live.isAccepted {
      end(id, by: .cancelRequested)
    }
  }

  /// The generation of this process with this idempotency key and account.
  func live(_ key: String, of account: AccountID, isAccepted: Bool) -> GenerationID? {
    generations.values.first {
      $0.isAccepted == isAccepted && $0.work.account == account
        && $0.work.request.idempotencyKey.map { ExactText.areSame($0, key) } == true
    }?.work.id
  }

  /// The account of a generation of this process; nil when it belongs to another process.
  func account(of id: GenerationID) -> AccountID? { generations[id]?.work.account }

  // MARK: Telling

  private func move(_ id: GenerationID, by report: WorkReport) {
    guard let live = generations[id], !live.isEnding, let (progress, step) = live.joint.take(report) else { return }
    if live.progress.move(to: progress, step: step, atMs: parts.surroundings.uptimeMs()) { tell(id) }
  }

  /// Notifies the host of a generation's progress.
  private func tell(_ id: GenerationID) {
    guard let live = generations[id], live.isAccepted, !live.isEnding else { return }
    let now = parts.surroundings.uptimeMs()
    let sequence = live.progress.tell(atMs: now)
    guard live.work.wantsProgress else { return }
    let progress = live.progress
    parts.announce(
      .progress(
        GenerationProgress(
          generationId: id, requestId: live.work.requestID, sequence: sequence, state: live.lifecycle.state,
          phase: progress.phase, message: progress.message, fraction: progress.fraction, overall: progress.overall,
          step: progress.step, elapsedMs: progress.elapsedMs(atMs: now), queuePosition: queuePosition(of: id),
          etaMs: estimate(for: live, atMs: now)),
        of: live.work.account))
  }

  /// 1 for the next to start; nil when the generation does not wait.
  private func queuePosition(of id: GenerationID) -> Int? {
    slots.position(of: id) ?? (generations[id]?.isInQueue == true ? queueState.positions[id] : nil)
  }

  private func estimate(for live: LiveGeneration, atMs now: Int64) -> Int64? {
    let kind = DurationEstimator.Kind(live.work)
    guard let position = queuePosition(of: live.work.id) else {
      return pace.remainingMs(for: kind, elapsedMs: live.started.map { now - $0.uptimeMs } ?? 0)
    }
    let pause = live.isInQueue ? queueState.pauseMs(for: kind.provider, from: parts.surroundings.now()) : 0
    return pace.waitMs(for: kind, position: position, places: live.work.provider.maximumConcurrentImages)
      .map { $0 + pause }
  }

  /// Milliseconds until the end of a waiting generation of any process.
  func estimate(for row: GenerationRow, at position: Int) async -> Int64? {
    await learnPace()
    guard let id = row.provider, let provider = try? parts.providers.provider(id) else { return nil }
    let queueState = (try? await parts.lazyStore.openedStore()?.queueState()) ?? queueState
    let kind = DurationEstimator.Kind(provider: id, recipe: row.recipe)
    return pace.waitMs(for: kind, position: position, places: provider.maximumConcurrentImages)
      .map { $0 + queueState.pauseMs(for: id, from: parts.surroundings.now()) }
  }

  /// Learns the usual durations from history, once.
  private func learnPace() async {
    guard !pace.isSeeded, let store = await parts.lazyStore.openedStore() else { return }
    guard let samples = try? await store.paceSamples(ofLatest: 500), !pace.isSeeded else { return }
    pace.seed(samples)
  }

  /// A generation of this process as it is now; nil when it belongs to another process.
  func liveGeneration(_ id: GenerationID) -> Generation? {
    guard let live = generations[id] else { return nil }
    var generation = live.accepted
    generation.state = live.lifecycle.state
    generation.startedAt = live.started?.at
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
  private func keepBeating() {
    guard heartbeat == nil, !isLeaving || !generations.isEmpty else { return }
    heartbeat = Task { await self.beat() }
  }

  /// Notifies hosts that work goes on, shares progress with other processes, learns of their cancels, and looks at the
  /// queue.
  private func beat() async {
    repeat {
      do { try await parts.surroundings.sleep(parts.beat) } catch { break }
      await learnPace()
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

  // MARK: ProcessExit

  /// Call this when no more requests arrive, while earlier ones are still answered. Generations that wait for their
  /// provider, and claimed ones that are not sent yet, are left to the next process.
  public func inputEnded() async {
    isLeaving = true
    await queue.stopAfterLastLook(for: self)
    await giveBack(generations.filter { $0.value.isInQueue || $0.value.origin == .queue }.map(\.key))
  }

  /// Waits at most `milliseconds` for all generations to end; then gives back those that another process can do and
  /// cancels the rest.
  public func leave(milliseconds: Int) async {
    isLeaving = true
    let limit = Task { [surroundings = parts.surroundings] in
      try? await surroundings.sleep(.milliseconds(milliseconds))
      if !Task.isCancelled { await self.abandon() }
    }
    await maintenance.stop()
    await inputEnded()
    while let id = generations.keys.first { _ = await wait(for: id, as: nextWaiter(isHost: false)) }
    let rest = Task { await maintenance.finish() }
    let patience = Task { [surroundings = parts.surroundings] in
      try? await surroundings.sleep(.milliseconds(min(milliseconds, Self.maintenancePatienceMs)))
      rest.cancel()
    }
    await rest.value
    patience.cancel()
    await ends.leave()
    limit.cancel()
    heartbeat?.cancel()
  }

  /// How long a leaving process waits for thumbnails and the sweep, in milliseconds.
  private static let maintenancePatienceMs = 2_000

  /// Stops everything now: gives back unsent generations that another process can do, and cancels the rest.
  public func abandon() async {
    isLeaving = true
    await queue.stop()
    // An awaited generation is not given back: its waiters receive `cancelled`.
    await giveBack(generations.filter { !$0.value.isAwaited }.map(\.key))
    for id in generations.keys { wishCancelled(id) }
    await ends.leave()
  }

  /// Gives unsent generations that another process can do back to the queue. The others go on.
  private func giveBack(_ ids: [GenerationID]) async {
    guard let store = await parts.lazyStore.openedStore() else { return }
    var unsent: Set<GenerationID> = []
    for id in ids {
      guard let live = generations[id], live.isAccepted, live.isDurable, !live.isEnding,
        live.work.provider.profile.isLocal || live.sending.isUnsent
      else { continue }
      // From here on its own work cannot end it, and nothing more is sent.
      live.isEnding = true
      live.task?.cancel()
      unsent.insert(id)
    }
    if unsent.isEmpty { return }
    for id in unsent {
      guard let live = generations[id], !live.work.provider.profile.isLocal else { continue }
      // A request may have been sent just as the task was stopped.
      await live.task?.value
      if live.sending.isUnsent { continue }
      unsent.remove(id)
      live.isEnding = false
      end(id, by: .cancelRequested)
    }
    let released = (try? await store.release(unsent)) ?? []
    for id in unsent {
      guard let live = generations.removeValue(forKey: id) else { continue }
      _ = slots.leave(id)
      let answer: FinishedGeneration
      if released.contains(id) {
        answer = .leftQueued(id)
      } else {
        answer = FinishedGeneration(generationId: id, state: .interrupted, error: AtelierError(.interrupted, generationId: id))
      }
      for waiter in live.waiters.values { waiter.resume(returning: answer) }
    }
  }
}

extension ProgressNote {
  /// Whether only time has passed since `earlier`.
  fileprivate func saysTheSame(as earlier: ProgressNote?) -> Bool {
    earlier?.phase == phase && earlier?.message == message && earlier?.fraction == fraction
  }
}
