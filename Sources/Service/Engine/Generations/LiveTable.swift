import AtelierProtocol
import Store

/// The generations that this process works on or is about to accept, and the slots they hold, as a value: every event
/// returns what must be done because of it, and the generation manager only does that.
///
/// A generation is in the table from before its row is written until its end is durable and answered. It ends once,
/// whoever ends it: its work, a cancel, its deadline, another process, or this one when it leaves.
struct LiveTable: Sendable {
  /// Changed only in this file and in `LiveTable+Stages.swift`.
  var live = LiveGenerations()
  /// Likewise.
  var slots = Slots()

  var generations: [GenerationID: LiveGeneration] { live.all }

  subscript(id: GenerationID) -> LiveGeneration? { live[id] }

  // MARK: Requests

  /// Takes in a request, with a slot if one is free. ``Event/accepted(_:)`` or ``Event/refused`` must follow.
  /// - Parameters:
  ///   - waiter: the number of the request that waits for the end; nil when it waits only for its acceptance.
  ///   - limit: the most generations in the table.
  /// - Returns: whether it holds its slot.
  /// - Throws: `overloaded`.
  mutating func request(
    _ work: GenerationWork, waiter: Int?, limit: Int, at now: Moment
  ) throws(AtelierError) -> Bool {
    guard generations.count < limit else {
      throw AtelierError(
        .overloaded, hint: "\(limit) requests are being worked on already.", retryAfterMs: 1000,
        details: ["maxOpen": .number(.init(limit))])
    }
    let hasSlot =
      !work.mustWait
      && slots.enter(
        work.id, provider: work.provider.id, units: work.atOnce, capacity: work.provider.maximumConcurrentImages)
    var one = LiveGeneration(
      work: work, origin: .request, stage: .accepting(hasSlot: hasSlot, isCancelled: false), acceptedAtMs: now.uptimeMs)
    if let waiter { one.waiters[waiter] = .request }
    live[work.id] = one
    return hasSlot
  }

  // MARK: Slots for what is still to be claimed

  /// Reserves a slot of a provider for a generation still to be claimed; ``Event/claimed(_:)`` or
  /// ``dropReservation(of:at:)`` must follow.
  /// - Returns: false when no slot is free.
  mutating func reserveSlot(of provider: ProviderID, capacity: Int) -> Bool {
    slots.reserve(of: provider, capacity: capacity)
  }

  /// Gives back a reserved slot.
  mutating func dropReservation(of provider: ProviderID, at now: Moment) -> [Action] {
    admit(slots.dropReservation(of: provider), at: now)
  }

  /// 1 for the next to get a slot; nil when the generation does not wait for one.
  func position(of id: GenerationID) -> Int? { slots.position(of: id) }

  // MARK: Waiters and progress

  /// Adds one that waits for the end.
  /// - Returns: false when the generation is not in the table.
  mutating func add(_ waiter: LiveGeneration.Waiter, numbered number: Int, to id: GenerationID) -> Bool {
    live.update(id) { $0.waiters[number] = waiter } != nil
  }

  /// One gives up waiting.
  /// - Returns: false when it does not wait any more.
  mutating func removeWaiter(_ number: Int, of id: GenerationID) -> Bool {
    live.update(id) { $0.waiters.removeValue(forKey: number) != nil } == true
  }

  /// Takes the number of the next notification of where a generation stands.
  /// - Returns: the generation; nil when nobody may be told any more, or not yet.
  mutating func willTell(_ id: GenerationID, at now: Moment) -> LiveGeneration? {
    guard live[id]?.isTold == true else { return nil }
    live.update(id) { $0.progress.tell(atMs: now.uptimeMs) }
    return live[id]
  }

  /// The notifications for those that watch a generation, and for the request that began it.
  /// - Parameter progress: where it stands, for no request in particular.
  mutating func notifications(
    of id: GenerationID, from progress: GenerationProgress, at now: Moment
  ) -> [GenerationProgress] {
    live.update(id) { one in
      var told: [GenerationProgress] = []
      for (number, waiter) in one.waiters {
        guard case .watcher(var watcher) = waiter, watcher.wantsProgress else { continue }
        told.append(watcher.notification(of: progress, atMs: now.uptimeMs))
        one.waiters[number] = .watcher(watcher)
      }
      if one.work.wantsProgress {
        var own = progress
        own.requestId = one.work.requestID
        told.append(own)
      }
      return told
    } ?? []
  }

  /// The generations whose hosts have heard nothing of them for at least `silenceMs`.
  func silent(for silenceMs: Int64, at now: Moment) -> [GenerationID] {
    live.listenedTo.filter { id in live[id].map { now.uptimeMs - $0.progress.lastToldMs >= silenceMs } == true }
  }

  /// Records the progress that other processes have been told.
  mutating func shared(_ notes: [GenerationID: ProgressNote]) {
    for (id, note) in notes { live.update(id) { $0.sharedNote = note } }
  }
}
