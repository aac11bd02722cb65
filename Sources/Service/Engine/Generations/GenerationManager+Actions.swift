import AtelierProtocol
import Store

/// What is at work for a generation.
struct RunningWork {
  var task: Task<Void, Never>
  /// The record of what was sent to providers.
  var sending: SendingRecord
}

/// How what the table decides is done: the work, the writing of its end, the answers.
extension GenerationManager {
  /// Applies an event, and does what must be done because of it.
  /// - Returns: the part that takes its time, if there is one.
  @discardableResult
  func apply(_ event: LiveTable.Event, to id: GenerationID) -> Task<Void, Never>? {
    carryOut(table.apply(event, to: id, at: parts.surroundings.moment))
  }

  /// - Returns: as ``apply(_:to:)``.
  @discardableResult
  func carryOut(_ actions: [LiveTable.Action]) -> Task<Void, Never>? {
    var (released, late): ([GenerationID], [Delivery]) = ([], [])
    for action in actions {
      switch action {
      case .start(let work, let mustBeWritten, let isDurable):
        start(work, mustBeWritten: mustBeWritten, isDurable: isDurable)
      case .stop(let id): works[id]?.task.cancel()
      case .tell(let id): tell(id)
      case .write(let ending, let thenStops): write(ending, thenStops: thenStops)
      case .giveUpWriting(let id, let state): Task { await ends.giveUp(id, as: state) }
      case .release(let id): released.append(id)
      case .failUnreadable(let row): failUnreadable(row)
      case .discard(let delivery): late.append(delivery)
      case .count(let generation): counters.count(generation)
      case .learn(let kind, let durationMs): learn(kind, durationMs: durationMs)
      case .announceEnd(let generation, let account):
        parts.announce(.finished(generation.withoutInlineData, of: account))
      case .answer(let numbers, let answer): for number in numbers { waits.answer(number, with: answer) }
      case .lookAtQueue: Task { await queue.lookSoon(for: self) }
      case .slotFreed: if !forecast.queue.isEmpty { Task { await queue.lookSoon(for: self) } }
      }
    }
    if released.isEmpty, late.isEmpty { return nil }
    return Task { [released, late] in
      await discard(late)
      await release(released)
    }
  }

  // MARK: Working

  private func start(_ work: GenerationWork, mustBeWritten: Bool, isDurable: Bool) {
    let sending = SendingRecord()
    let task = Task {
      let event = await outcome(of: work, sending: sending, mustBeWritten: mustBeWritten, isDurable: isDurable)
      let rest = apply(event, to: work.id)
      if case .returnedToQueue = event { keepHeartbeat() }
      await rest?.value
    }
    works[work.id] = RunningWork(task: task, sending: sending)
  }

  /// Does the work.
  /// - Returns: how it ended.
  private func outcome(
    of work: GenerationWork, sending: SendingRecord, mustBeWritten: Bool, isDurable: Bool
  ) async -> LiveTable.Event {
    do {
      let store = try await parts.lazyStore.store()
      if mustBeWritten, case .ended = try await parts.persistently({ try await store.start(work.id) }) {
        return .endedElsewhere
      }
      // While it waited for its slot, its provider may have asked for a pause.
      if mustBeWritten, let refusal = await refusalAtStart(of: work) { throw refusal }
      // Since it was accepted, the store may have found out that it can keep nothing.
      if work.isPaid { try await parts.persistently { try await store.checkReady() } }
      let run = GenerationRun(parts: parts, store: store, sending: sending, isDurable: isDurable)
      return .delivered(try await run.make(work) { await self.apply(.moved($0), to: work.id) })
    } catch is CancellationError {
      return .endedElsewhere
    } catch {
      let error = AtelierError(wrapping: error)
      let parked = work.mayWait ? await park(work, after: error, sending: sending) : nil
      return parked ?? .failed(error)
    }
  }

  /// Why the only provider of a generation cannot be asked now.
  private func refusalAtStart(of work: GenerationWork) async -> AtelierError? {
    guard !work.provider.profile.isLocal, work.lineup.others.isEmpty else { return nil }
    return await parts.monitor.refusal(of: work.provider, for: work.firstRequest)
  }

  private func discard(_ deliveries: [Delivery]) async {
    guard let store = await parts.lazyStore.storeIfOpen else { return }
    for artifact in deliveries.flatMap(\.stagedArtifacts) { await store.discard(artifact) }
  }

  // MARK: Ending

  private func write(_ ending: Ending, thenStops: Bool) {
    let (id, task) = (ending.work.id, thenStops ? works[ending.work.id]?.task : nil)
    Task(priority: ending.isBrief ? .high : nil) {
      if let task { await stops.begin(task) }
      let generation = await ends.write(ending)
      let wantsThumbnail = generation.hasResult && !ending.delivery.pictures.isEmpty && !ending.work.isPrivate
      if wantsThumbnail { await maintenance.thumbnailIsDue(for: id) }
      apply(.written(generation), to: id)
      works[id] = nil
      if task != nil { await stops.endIsRecorded() }
      if wantsThumbnail { await maintenance.makeThumbnails() }
    }
  }

  /// Gives generations back to the queue, unless they were sent after all.
  private func release(_ ids: [GenerationID]) async {
    var unsent: Set<GenerationID> = []
    for id in ids {
      // A request may have been sent just as the task was stopped.
      if asksAnotherMachine(id) { await works[id]?.task.value }
      if works[id]?.sending.isUnsent ?? true { unsent.insert(id) } else { apply(.foundSent, to: id) }
    }
    if unsent.isEmpty { return }
    let store = await parts.lazyStore.storeIfOpen
    let released = (try? await store?.release(unsent)) ?? []
    for id in unsent {
      works[id] = nil
      apply(.released(released.contains(id)), to: id)
    }
  }

  private func asksAnotherMachine(_ id: GenerationID) -> Bool {
    table[id]?.work.lineup.asked.contains { !$0.profile.isLocal } == true
  }

  /// Ends a generation whose request no process of this version can read.
  private func failUnreadable(_ row: GenerationRow) {
    let error = AtelierError(
      .internal, "The request can no longer be read. Please send it again.", generationId: row.id)
    // A full disk does not hold up the queue.
    Task { [parts] in
      _ = try? await parts.persistently {
        try await parts.lazyStore.store().finish(Settlement(id: row.id, state: .failed, error: error))
      }
      await parts.balances.creditsChanged(by: [row])
    }
  }

  private func learn(_ kind: DurationEstimator.Kind, durationMs: Int64?) {
    if let durationMs { forecast.durations.note(durationMs, for: kind) }
    if forecast.queue.outages[kind.provider] != nil { Task { await queue.endOutage(of: kind.provider, for: self) } }
  }
}
