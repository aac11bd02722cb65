import AtelierProtocol
import Providers
import Store

/// Accepts, runs, cancels and answers the generations of this process. ``LiveTable`` decides what happens; this actor
/// holds it and does what it says. Its extensions answer one question each.
public actor GenerationManager {
  let parts: EngineParts
  let queue: OfflineQueue
  let ends: EndWriter
  let maintenance: Maintenance
  let stops: DelayedCancellations
  nonisolated let arrivingKeys = ArrivingKeys()

  var table = LiveTable()
  /// What works on the generations that have begun.
  var works: [GenerationID: RunningWork] = [:]
  /// Those that wait for the ends of generations of this process.
  var waits = Waits()
  /// Those that wait for generations of other processes.
  var distantWatches = DistantWatches()
  var forecast = Forecast()
  var heartbeat: Task<Void, Never>?
  /// When the store last told what other processes have done, by its own clock; nil before the first heartbeat.
  var newsAt: Timestamp?
  /// When progress that could not be shared is shared again.
  var sharing = RetryPauses()
  var counters = ServiceStatus.Counters()

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

  /// Receives what was recovered of dead processes.
  /// - Parameter isFirst: whether the store was just opened.
  func recovered(_ recovery: Recovery, isFirst: Bool) async {
    await expired(recovery.expired)
    await parts.balances.creditsChanged(by: recovery.interrupted)
    if recovery.requeued > 0 { keepHeartbeat() }
    if isFirst, await queue.isServing { await keepClean() }
  }

  private func keepClean() async {
    await maintenance.begin()
    keepHeartbeat()
  }

  // MARK: Accepting

  /// Carries out `generate`. Cancelling the calling task cancels the generation, unless it is detached and accepted.
  /// - Returns: the end of the generation, or the acceptance of a detached one.
  /// - Throws: `AtelierError`, as the reference lists for `generate`.
  public func generate(_ request: Generate, for caller: Caller) async throws -> Generation {
    let arrival = caller.arrival ?? request.idempotencyKey.map(noteArrival)
    defer { arrival?.end() }
    await maintenance.warmUp(for: request, isConfined: caller.isConfined)
    try request.validate()
    return try await acceptAndWait(try planner.keyed(request, for: caller), arrival) {
      try await self.planner.plan(request, for: caller)
    }
  }

  /// Carries out `regenerate`, as ``generate(_:for:)``.
  public func regenerate(_ request: Regenerate, for caller: Caller) async throws -> Generation {
    let arrival = caller.arrival ?? request.idempotencyKey.map(noteArrival)
    defer { arrival?.end() }
    return try await acceptAndWait(try await planner.keyed(request, for: caller), arrival) {
      try await self.planner.plan(request, for: caller)
    }
  }

  /// Notes a request with an idempotency key the moment it arrives, before anything of it runs.
  public nonisolated func noteArrival(of key: String) -> Arrival { arrivingKeys.note(key) }

  /// Answers a request with the generation of its key. Whatever may refuse a request is asked after that, in `plan` and in
  /// the acceptance.
  private func acceptAndWait(
    _ request: KeyedRequest, _ arrival: Arrival?, plan: @escaping @Sendable () async throws -> GenerationWork
  ) async throws -> Generation {
    let known: GenerationRow?
    do {
      known = try await earlier(request)
    } catch let error as AtelierError {
      throw error.about(key: .unknown)
    }
    if let known { return try await join(known, repeatedBy: request, arrival) }
    // It may have ended before its acceptance returns, as a claimed generation does not wait for that.
    let number = request.isDetached ? nil : waits.expect()
    defer { if let number { waits.forget(number) } }
    let accepted: RequestAcceptor.Accepted
    do {
      // A cancel that arrives before the acceptance takes effect after it: its outcome is always `cancelled`.
      accepted = try await accept(Task { try await plan() }.value, waiter: number)
    } catch {
      if let row = try await earlier(request, despite: error, arrival) {
        return try await join(row, repeatedBy: request, arrival)
      }
      guard request.key != nil, let error = error as? AtelierError else { throw error }
      throw error.about(key: .new)
    }
    let work = accepted.work
    switch accepted.outcome {
    case .accepted(let row):
      counters.accepted += 1
      let acceptance = LiveTable.Accepted(
        row: row, work: work, entry: accepted.entry,
        isCancelled: arrival?.isCancelled(of: work.account) == true, hasGivenUp: Task.isCancelled,
        leaving: parts.leaving.stage)
      let rest = apply(.accepted(acceptance), to: work.id)
      // Whoever looks the key up goes on after the beginning.
      arrival?.end()
      keepHeartbeat()
      await rest?.value
      // The host of a detached request sees `queued` first, even if the work has already begun.
      guard let number else { return row.accepted }
      return try await waitForEnd(of: work.id, answering: number).result()
    case .existing(let row):
      apply(.refused, to: work.id)
      return try await join(row, repeatedBy: request, arrival)
    }
  }

  /// Takes the work into the table and accepts it.
  private func accept(_ work: GenerationWork, waiter: Int?) async throws -> RequestAcceptor.Accepted {
    let hasSlot = try table.request(
      work, waiter: waiter, limit: parts.configuration.maximumOpen, at: parts.surroundings.moment)
    do {
      return try await Task { try await self.accept(work, begins: hasSlot) }.value
    } catch {
      apply(.refused, to: work.id)
      throw error
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
    } catch let refusal as AtelierError where refusal.kind.consequences.isLiftedByAnEnd {
      await parts.lazyStore.recoverIfPossible()
      accepted = try await acceptor.accept(work, begins: begins)
    }
    if case .accepted(let row) = accepted.outcome { await parts.balances.creditsChanged(by: [row]) }
    return accepted
  }

  /// Waits for the end of a request's own generation, and cancels it when the request gives up.
  private func waitForEnd(of id: GenerationID, answering number: Int) async -> Answer {
    let found = await withTaskCancellationHandler {
      await answer(to: number)
    } onCancel: {
      Task(priority: .high) { await self.requestCancelled(of: id) }
    }
    return found ?? .vanished(id)
  }

  /// The request of a generation gives up, because the host has cancelled it or its connection ends: pictures that are made
  /// are handed over then, if they cannot be stored.
  private func requestCancelled(of id: GenerationID) async {
    guard parts.leaving.stage >= .draining else { return cancel(id) }
    if table[id]?.isSaving == true { await parts.storeRetries.giveUp(for: id) }
    apply(.leaving(.abandoning, isUnsent: works[id]?.sending.isUnsent ?? true), to: id)
  }

  /// Cancels a generation of this process in any state.
  func cancel(_ id: GenerationID) { apply(.cancelled, to: id) }
}
