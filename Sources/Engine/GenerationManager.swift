import AtelierProtocol
import Providers
import Store
import Synchronization

/// Owns the table of the generations this process works on: accepts, runs, cancels and answers them.
/// Its extensions answer one question each; only they, being the same actor, can change this state.
///
/// A generation is in the table from before its row is written until its end is durable and answered. It ends once: its
/// work, a cancel and another process all end it through ``end(_:by:delivery:error:)``.
public actor GenerationManager {
  let parts: EngineParts
  let queue: OfflineQueue
  let ends: EndWriter
  let maintenance: Maintenance
  private let stops: DelayedCancellations
  nonisolated let arrivingKeys = ArrivingKeys()

  var generations: [GenerationID: LiveGeneration] = [:]
  var slots = Slots()
  /// The state of the shared queue at the last look.
  var queueState = QueueState()
  var durations = DurationEstimator()
  var heartbeat: Task<Void, Never>?
  var isLeaving = false
  /// True once everything stops now.
  nonisolated let isAbandoning = Atomic(false)
  var lastWaiter = 0
  /// Those that wait for generations of other processes.
  var distantWatches = DistantWatches()
  /// When progress that could not be shared is shared again.
  var sharing = RetryPauses()
  private(set) var counters = ServiceStatus.Counters()

  init(_ parts: EngineParts) {
    self.parts = parts
    queue = OfflineQueue(parts)
    ends = EndWriter(parts)
    maintenance = Maintenance(parts)
    stops = DelayedCancellations(parts.surroundings)
  }

  nonisolated var planner: RequestPlanner { RequestPlanner(parts: parts) }

  /// Serves the offline queue from now on, and keeps the data directory clean.
  func serve(isUsed: @escaping @Sendable () async -> Bool) async {
    await queue.serve(for: self, isUsed: isUsed)
    if await parts.lazyStore.isInUse { await keepClean() }
  }

  /// Receives what was settled of dead processes.
  /// - Parameter isFirst: whether the store was just opened.
  func settled(_ recovery: Recovery, isFirst: Bool) async {
    await expired(recovery.expired)
    await parts.balances.creditsChanged(by: recovery.interrupted)
    if recovery.requeued > 0 { keepBeating() }
    if isFirst, await queue.isServing { await keepClean() }
  }

  private func keepClean() async {
    await maintenance.begin()
    keepBeating()
  }

  // MARK: Accepting

  /// Carries out `generate`. Cancelling the calling task cancels the generation, unless it is detached and accepted.
  /// - Returns: the end of the generation, or the acceptance of a detached one.
  /// - Throws: `AtelierError`, as the reference lists for `generate`.
  public func generate(_ request: Generate, for caller: Caller) async throws -> Generation {
    let arrival = caller.arrival ?? request.idempotencyKey.map(noteArrival)
    defer { arrival?.end() }
    await maintenance.warmUp(for: request, isConfined: caller.isConfined)
    // A cancel that arrives before the acceptance takes effect after it: its outcome is always `cancelled`.
    return try await carryOut(Task { try await self.planner.plan(request, for: caller) }.value, arrival)
  }

  /// Carries out `regenerate`, as ``generate(_:for:)``.
  public func regenerate(_ request: Regenerate, for caller: Caller) async throws -> Generation {
    let arrival = caller.arrival ?? request.idempotencyKey.map(noteArrival)
    defer { arrival?.end() }
    return try await carryOut(Task { try await self.planner.plan(request, for: caller) }.value, arrival)
  }

  /// Notes a request with an idempotency key the moment it arrives, before anything of it runs.
  public nonisolated func noteArrival(of key: String) -> Arrival { arrivingKeys.note(key) }

  private func carryOut(_ work: GenerationWork, _ arrival: Arrival?) async throws -> Generation {
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
    let accepted: RequestAcceptor.Accepted
    do {
      accepted = try await Task { try await self.accept(live.work, begins: live.hasSlot) }.value
    } catch {
      forget(work.id)
      throw error
    }
    switch accepted.outcome {
    case .accepted(let row):
      take(accepted, as: row, for: live)
      if arrival?.isCancelled(of: work.account) == true { live.isCancelWished = true }
      // Whoever looks the key up gets its turn after the beginning.
      arrival?.end()
      return try await begin(live)
    case .existing(let row):
      forget(work.id)
      arrival?.end()
      return try await join(row, repeatedBy: work)
    }
  }

  /// Writes the row, holds the credits and keeps the inline pictures, unless a generation already has this idempotency
  /// key.
  private func accept(_ work: GenerationWork, begins: Bool) async throws -> RequestAcceptor.Accepted {
    await maintenance.begin()
    let acceptor = RequestAcceptor(parts: parts, store: try await parts.lazyStore.store())
    let accepted: RequestAcceptor.Accepted
    do {
      accepted = try await acceptor.accept(work, begins: begins)
    } catch let refusal as AtelierError where refusal.mayEndWithADeadProcess {
      await parts.lazyStore.settleIfPossible()
      accepted = try await acceptor.accept(work, begins: begins)
    }
    if case .accepted(let row) = accepted.outcome { await parts.balances.creditsChanged(by: [row]) }
    return accepted
  }

  /// From here on the request is a generation, and its id may leave this process. It happens in one turn with the
  /// beginning of its work: a slot or a cancel that comes earlier waits for it.
  private func take(_ accepted: RequestAcceptor.Accepted, as row: GenerationRow, for live: LiveGeneration) {
    // A generation that waits for its provider may have been claimed and started since its row was written.
    guard live.row == nil else { return }
    live.work = accepted.work
    live.row = row
    live.lifecycle = GenerationLifecycle(state: row.state)
    if let place = accepted.place { live.wait(at: place, atMs: parts.surroundings.uptimeMs()) }
  }

  /// Removes a request that did not become a generation; this process may already wait for its end.
  private func forget(_ id: GenerationID) {
    guard let live = generations.removeValue(forKey: id) else { return }
    live.answerWaiters(.vanished(id))
    startThose(slots.leave(id))
  }

  private func begin(_ live: LiveGeneration) async throws -> Generation {
    let id = live.work.id
    counters.accepted += 1
    // The host of a detached request sees `queued` first, even if the work has already begun.
    let accepted = live.work.isDetached ? live.accepted : nil
    if live.work.isDetached, !live.isCancelWished, isAbandoning.load(ordering: .relaxed) {
      await giveBack([id])
      wishCancelled(id)
    } else if Task.isCancelled || live.isCancelWished {
      end(id, by: .cancelRequested)
    } else {
      tell(id)
      if live.hasSlot { start(live) }
    }
    if live.isInQueue { Task { await queue.lookSoon(for: self) } }
    keepBeating()
    if let accepted { return accepted }
    return try await withTaskCancellationHandler {
      // It may have ended already: a claimed generation does not wait for the return of its acceptance.
      try await end(of: live).answer()
    } onCancel: {
      Task(priority: .high) { await self.wishCancelled(id) }
    }
  }

  // MARK: Working

  /// Starts the generations that now hold their slot; one that is still being accepted starts after its acceptance.
  func startThose(_ ids: [GenerationID]) {
    for id in ids {
      guard let live = generations[id] else { continue }
      live.hasSlot = true
      if live.isAccepted { start(live) }
    }
  }

  func start(_ live: LiveGeneration) {
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
      let store = try await parts.lazyStore.store()
      if mustBeWritten, case .ended = try await parts.persistently({ try await store.start(work.id) }) {
        end(work.id, by: .cancelRequested)
        return
      }
      // While it waited for its slot, its provider may have asked for a pause.
      if mustBeWritten, let refusal = await refusalAtStart(of: work) { throw refusal }
      let isDurable = generations[work.id]?.isDurable == true
      let generationRun = GenerationRun(parts: parts, store: store, sending: sending, isDurable: isDurable)
      let delivery = try await generationRun.make(work) { await self.move(work.id, by: $0) }
      if !end(work.id, by: delivery.event(wanted: work.wanted), delivery: delivery) {
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

  /// Why the only provider of a generation cannot be asked now.
  private func refusalAtStart(of work: GenerationWork) async -> AtelierError? {
    guard !work.provider.profile.isLocal, work.lineup.others.isEmpty else { return nil }
    return await parts.monitor.refusal(of: work.provider, for: work.firstRequest)
  }

  /// Ends the generation, unless its end has already begun.
  /// - Returns: false when this event does not end the generation.
  @discardableResult
  func end(
    _ id: GenerationID, by event: GenerationLifecycle.Event, delivery: Delivery = Delivery(), error: AtelierError? = nil
  ) -> Bool {
    guard let live = generations[id], let row = live.row, !live.isEnding,
      (try? live.lifecycle.apply(event)) != nil
    else { return false }
    live.isEnding = true
    let state = live.lifecycle.state
    let task = live.task
    // Work that is not sent yet stops now; work that is already sent stops once the end is on record. A conversation
    // about places stops now: it would go on to send its next turn.
    let stopsLater =
      state == .cancelled && live.progress.phase.position >= Phase.processing.position
      && live.work.request.recipe != .places
    if state == .cancelled, !stopsLater { task?.cancel() }
    let ending = Ending(
      work: live.work, row: row, output: parts.outputDirectory(of: live.work.request, isConfined: live.work.isConfined),
      state: state, delivery: delivery, error: error,
      timings: live.progress.timings(atMs: parts.surroundings.uptimeMs()), lastNote: live.progress.note)
    Task(priority: ending.isBrief ? .high : nil) {
      if stopsLater, let task { await stops.begin(task) }
      let finished = await ends.write(ending)
      let wantsThumbnail = finished.hasResult && !ending.delivery.pictures.isEmpty && !ending.work.isPrivate
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
    // A cached result or an end without a result says nothing about how long the work takes.
    if finished.hasResult, finished.generation?.cached == false {
      if let began = live.started {
        durations.note(parts.surroundings.uptimeMs() - began.uptimeMs, for: DurationEstimator.Kind(live.work))
      }
      let provider = live.work.provider.id
      if queueState.outages[provider] != nil { Task { await queue.endOutage(of: provider, host: self) } }
    }
    // Sent before the answers: notifications about a generation precede the response that ends it.
    if live.work.isDetached, let generation = finished.generation {
      parts.announce(.finished(generation.withoutInlineData, of: live.work.account))
    }
    live.answerWaiters(finished)
    startThose(slots.leave(id))
    if !queueState.isEmpty { Task { await queue.lookSoon(for: self) } }
  }
}
