import AtelierProtocol
import Providers
import Store

/// What each event comes to at each stage of a generation.
extension LiveTable {
  /// Applies an event to a generation.
  /// - Returns: what to do because of it, in this order. Nothing when the event comes too late, or cannot happen where the
  ///   generation stands.
  mutating func apply(_ event: Event, to id: GenerationID, at now: Moment) -> [Action] {
    guard let live = self.live[id] else { return applyToNone(event, id, now) }
    return switch live.stage {
    case .accepting(let hasSlot, let isCancelled): applyToAccepting(event, live, hasSlot, isCancelled, now)
    case .inQueue(let row, let patience): applyToInQueue(event, live, row, patience, now)
    case .waitingForSlot(let row): applyToWaitingForSlot(event, live, row, now)
    case .running(let running): applyToRunning(event, live, running, now)
    case .ending(let end): applyToEnding(event, live, end, now)
    }
  }

  private mutating func applyToNone(_ event: Event, _ id: GenerationID, _ now: Moment) -> [Action] {
    switch event {
    case .claimed(let claim):
      guard let work = claim.work else {
        return dropReservation(of: claim.provider, at: now) + [.failUnreadable(claim.row)]
      }
      let live = LiveGeneration(
        work: work, origin: .queue, stage: .waitingForSlot(claim.row), acceptedAtMs: now.uptimeMs,
        sequence: claim.row.sequence)
      return begin(live, claim, patience: claim.patience, now)
    case .delivered(let delivery): return [.discard(delivery)]
    case .accepted, .refused, .slotGiven, .moved, .failed, .cancelled, .endedElsewhere, .interestLost, .deadlinePassed,
      .returnedToQueue, .leaving, .foundSent, .released, .written:
      return []
    }
  }

  private mutating func applyToAccepting(
    _ event: Event, _ live: LiveGeneration, _ hasSlot: Bool, _ isCancelled: Bool, _ now: Moment
  ) -> [Action] {
    var live = live
    switch event {
    case .accepted(let acceptance):
      live.work = acceptance.work
      if let entry = acceptance.entry {
        live.wait(at: entry, row: acceptance.row, now)
      } else {
        live.stage = .waitingForSlot(acceptance.row)
      }
      let looks: [Action] = acceptance.entry == nil ? [] : [.lookAtQueue]
      return proceed(live, acceptance, isCancelled: isCancelled, hasSlot: hasSlot, now) + looks
    case .refused: return remove(live, answering: .vanished(live.work.id), now)
    case .claimed(let claim):
      // The acceptance is durable and about to return.
      if let durable = try? live.work.reading(claim.row.request) { live.work = durable }
      if isCancelled {
        live.stage = .waitingForSlot(claim.row)
        return beginEnding(live, .cancelRequested, now) + dropReservation(of: claim.provider, at: now)
      }
      return begin(live, claim, patience: nil, now)
    case .slotGiven: return move(live, to: .accepting(hasSlot: true, isCancelled: isCancelled))
    case .cancelled, .endedElsewhere, .interestLost: return move(live, to: .accepting(hasSlot: hasSlot, isCancelled: true))
    case .leaving(let leaving, _):
      // A detached request is given back once it is on record.
      guard leaving >= .abandoning, !live.work.isDetached else { return [] }
      return move(live, to: .accepting(hasSlot: hasSlot, isCancelled: true))
    case .delivered(let delivery): return [.discard(delivery)]
    case .moved, .failed, .deadlinePassed, .returnedToQueue, .foundSent, .released, .written: return []
    }
  }

  private mutating func applyToInQueue(
    _ event: Event, _ live: LiveGeneration, _ row: GenerationRow, _ patience: LiveGeneration.Patience, _ now: Moment
  ) -> [Action] {
    switch event {
    case .accepted(let acceptance): return proceed(live, acceptance, isCancelled: false, hasSlot: false, now)
    case .claimed(let claim): return begin(live, claim, patience: patience, now)
    case .cancelled, .endedElsewhere, .interestLost: return beginEnding(live, .cancelRequested, now)
    case .deadlinePassed: return beginEnding(live, .deadlinePassed, now)
    case .failed(let error): return beginEnding(live, .failed, error: error, now)
    case .leaving(let leaving, let isUnsent): return leave(live, leaving, isUnsent: isUnsent, now)
    case .delivered(let delivery): return [.discard(delivery)]
    case .refused, .slotGiven, .moved, .returnedToQueue, .foundSent, .released, .written: return []
    }
  }

  private mutating func applyToWaitingForSlot(
    _ event: Event, _ live: LiveGeneration, _ row: GenerationRow, _ now: Moment
  ) -> [Action] {
    switch event {
    case .accepted(let acceptance): return proceed(live, acceptance, isCancelled: false, hasSlot: false, now)
    case .slotGiven: return start(live, row, patience: nil, now)
    case .claimed(let claim): return dropReservation(of: claim.provider, at: now)
    case .cancelled, .endedElsewhere, .interestLost: return beginEnding(live, .cancelRequested, now)
    case .deadlinePassed: return beginEnding(live, .deadlinePassed, now)
    case .failed(let error): return beginEnding(live, .failed, error: error, now)
    case .leaving(let leaving, let isUnsent): return leave(live, leaving, isUnsent: isUnsent, now)
    case .delivered(let delivery): return [.discard(delivery)]
    case .refused, .moved, .returnedToQueue, .foundSent, .released, .written: return []
    }
  }

  private mutating func applyToRunning(
    _ event: Event, _ live: LiveGeneration, _ running: LiveGeneration.Running, _ now: Moment
  ) -> [Action] {
    switch event {
    // A claimed generation does not wait for the return of its acceptance.
    case .accepted(let acceptance): return proceed(live, acceptance, isCancelled: false, hasSlot: false, now)
    case .claimed(let claim): return dropReservation(of: claim.provider, at: now)
    case .moved(let report):
      var (live, running) = (live, running)
      let moved = running.joint.take(report)
      live.stage = .running(running)
      let isNews = moved.map { live.progress.move(to: $0.0, step: $0.1, atMs: now.uptimeMs) } ?? false
      self.live[live.work.id] = live
      return isNews ? [.tell(live.work.id)] : []
    case .delivered(let delivery):
      return beginEnding(live, delivery.event(wanted: live.work.wanted), delivery: delivery, now)
    case .failed(let error): return beginEnding(live, .failed, error: error, now)
    case .cancelled, .endedElsewhere, .interestLost: return beginEnding(live, .cancelRequested, now)
    case .returnedToQueue(let row, let entry):
      var live = live
      live.wait(at: entry, row: row, now)
      self.live[live.work.id] = live
      return admit(slots.leave(live.work.id), at: now) + [.tell(live.work.id), .lookAtQueue]
    case .leaving(let leaving, let isUnsent): return leave(live, leaving, isUnsent: isUnsent, now)
    case .refused, .slotGiven, .deadlinePassed, .foundSent, .released, .written: return []
    }
  }

  private mutating func applyToEnding(
    _ event: Event, _ live: LiveGeneration, _ end: LiveGeneration.End, _ now: Moment
  ) -> [Action] {
    switch (event, end.kind) {
    case (.cancelled, .final): return [.giveUpWriting(live.work.id, as: .cancelled)]
    case (.leaving(let leaving, _), .final):
      return leaving >= .abandoning ? [.giveUpWriting(live.work.id, as: .failed)] : []
    case (.written(let generation), .final): return conclude(live, generation, now)
    case (.foundSent, .givenBack): return self.beginEnding(live, .cancelRequested, now)
    case (.released(let isReleased), .givenBack):
      return remove(live, answering: isReleased ? .leftQueued(live.work.id) : .interrupted(live.work.id), now)
    case (.claimed(let claim), _): return dropReservation(of: claim.provider, at: now)
    case (.delivered(let delivery), _): return [.discard(delivery)]
    case (.accepted, _), (.refused, _), (.slotGiven, _), (.moved, _), (.failed, _), (.cancelled, _), (.endedElsewhere, _),
      (.interestLost, _), (.deadlinePassed, _), (.returnedToQueue, _), (.leaving, _), (.foundSent, _), (.released, _),
      (.written, _):
      return []
    }
  }

  // MARK: Steps

  private mutating func move(_ live: LiveGeneration, to stage: LiveGeneration.Stage) -> [Action] {
    self.live.update(live.work.id) { $0.stage = stage }
    return []
  }

  /// Goes on from the acceptance: from here on the request is a generation, and its id may leave this process.
  private mutating func proceed(
    _ live: LiveGeneration, _ acceptance: Accepted, isCancelled: Bool, hasSlot: Bool, _ now: Moment
  ) -> [Action] {
    self.live[live.work.id] = live
    let isCancelled = isCancelled || acceptance.isCancelled
    if live.work.isDetached, !isCancelled, acceptance.leaving >= .abandoning {
      return leave(live, acceptance.leaving, isUnsent: true, now)
    }
    if isCancelled || acceptance.hasGivenUp { return beginEnding(live, .cancelRequested, now) }
    guard hasSlot, let row = live.row else { return [.tell(live.work.id)] }
    return [.tell(live.work.id)] + start(live, row, patience: nil, now)
  }

  private mutating func start(
    _ live: LiveGeneration, _ row: GenerationRow, patience: LiveGeneration.Patience?, _ now: Moment
  ) -> [Action] {
    var live = live
    live.stage = .running(
      LiveGeneration.Running(
        row: row, started: now, patience: patience, joint: CombinedProgress(count: live.work.wanted)))
    self.live[live.work.id] = live
    return [.start(live.work, mustBeWritten: row.state == .queued, isDurable: row.isRequeueable)]
  }

  /// Begins a claimed generation in the slot that was reserved for it.
  private mutating func begin(
    _ live: LiveGeneration, _ claim: Claim, patience: LiveGeneration.Patience?, _ now: Moment
  ) -> [Action] {
    // What is claimed holds no other slot, nor does it wait for one.
    let admitted = slots.leave(live.work.id)
    slots.useReservation(for: live.work.id, provider: claim.provider, units: live.work.atOnce)
    // A leaving process starts no generation that came from the queue.
    if claim.leaving >= .inputEnded, live.origin == .queue, claim.row.isRequeueable {
      return giveBack(live, claim.row, from: claim.row.state) + admit(admitted, at: now)
    }
    return start(live, claim.row, patience: patience, now) + [.tell(live.work.id)] + admit(admitted, at: now)
  }

  /// What a leaving process does with a generation: it gives back what it can, and once it abandons everything it cancels
  /// the rest.
  /// - Parameter isUnsent: whether nothing was sent for it that a provider may have begun, and it can be given back.
  private mutating func leave(
    _ live: LiveGeneration, _ leaving: Leaving, isUnsent: Bool, _ now: Moment
  ) -> [Action] {
    guard leaving >= .inputEnded, let row = live.row else { return [] }
    // One whose request waits for it is not given back when everything stops: it ends as `cancelled`.
    let isLeft = leaving >= .abandoning ? !live.isAwaited : live.isInQueue || live.origin == .queue
    if isLeft, isUnsent, row.isRequeueable { return giveBack(live, row, from: live.state) }
    // Its pictures are made; they are handed over if they cannot be kept.
    if live.isSaving { return [] }
    return leaving >= .abandoning ? beginEnding(live, .cancelRequested, now) : []
  }

  /// From here on its own work cannot end it, and nothing more is sent.
  private mutating func giveBack(_ live: LiveGeneration, _ row: GenerationRow, from state: GenerationState) -> [Action] {
    var live = live
    let started = live.started
    live.stage = .ending(LiveGeneration.End(row: row, started: started, kind: .givenBack(from: state)))
    self.live[live.work.id] = live
    return (started == nil ? [] : [.stop(live.work.id)]) + [.release(live.work.id)]
  }

  /// Begins the only end, unless this event does not end the generation where it stands.
  private mutating func beginEnding(
    _ live: LiveGeneration, _ event: GenerationLifecycle.Event, delivery: Delivery = Delivery(),
    error: AtelierError? = nil, _ now: Moment
  ) -> [Action] {
    var (live, lifecycle) = (live, GenerationLifecycle(state: live.state))
    guard let row = live.row, (try? lifecycle.apply(event)) != nil else { return [] }
    let (id, state, started) = (live.work.id, lifecycle.state, live.started)
    // Work that is not sent yet stops now; work that is already sent stops once the end is on record. A conversation
    // about places stops now: it would go on to send its next turn.
    let stops = state == .cancelled && started != nil
    let stopsLater =
      stops && live.progress.phase.position >= Phase.processing.position && live.work.request.recipe != .places
    live.stage = .ending(LiveGeneration.End(row: row, started: started, kind: .final(state)))
    self.live[id] = live
    let ending = Ending(
      work: live.work, row: row, state: state, delivery: delivery, error: error,
      timings: live.progress.timings(atMs: now.uptimeMs), lastNote: live.progress.note)
    return (stops && !stopsLater ? [.stop(id)] : []) + [.write(ending, thenStops: stopsLater)]
  }

  /// The end is durable.
  private mutating func conclude(_ live: LiveGeneration, _ generation: Generation, _ now: Moment) -> [Action] {
    var actions: [Action] = [.count(generation)]
    // A cached result or an end without a result says nothing about how long the work takes.
    if generation.hasResult, !generation.cached {
      actions.append(
        .learn(DurationEstimator.Kind(live.work), durationMs: live.started.map { now.uptimeMs - $0.uptimeMs }))
    }
    // Sent before the answers: notifications about a generation precede the response that ends it.
    if live.work.isDetached { actions.append(.announceEnd(generation, of: live.work.account)) }
    return actions + remove(live, answering: .success(generation), now) + [.slotFreed]
  }

  /// Answers every waiter and passes the slot on.
  private mutating func remove(_ live: LiveGeneration, answering answer: Answer, _ now: Moment) -> [Action] {
    self.live[live.work.id] = nil
    return [.answer(Array(live.waiters.keys), answer)] + admit(slots.leave(live.work.id), at: now)
  }

  /// Those that now hold their slots start; one that is still being accepted starts after its acceptance.
  mutating func admit(_ ids: [GenerationID], at now: Moment) -> [Action] {
    ids.flatMap { apply(.slotGiven, to: $0, at: now) }
  }
}

extension LiveGeneration {
  /// Records that the generation now waits for its provider, with everything it needs in the store.
  fileprivate mutating func wait(at entry: QueueEntry, row: GenerationRow, _ now: Moment) {
    stage = .inQueue(row, Patience(deadline: entry.deadline, attempts: entry.attempts))
    // This process has just written these params, so they are readable.
    if let durable = try? work.reading(entry.request) { work = durable }
    progress.wait(entry.message, atMs: now.uptimeMs)
  }
}
