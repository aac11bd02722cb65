import AtelierProtocol
import Providers
import Store

/// Generations that wait for their provider: how they return to the offline queue, and how claimed ones begin.
extension GenerationManager {
  /// Returns a failed generation to the offline queue, if the error is worth waiting for and no provider may have begun
  /// the work.
  /// - Returns: false when the generation must fail with the error.
  func park(_ work: GenerationWork, after error: AtelierError, sending: SendingRecord) async -> Bool {
    guard error.isWorthWaitingFor, sending.isUnsent else { return false }
    let isAttempt = await countsAsAttempt(error, of: work)
    guard let live = generations[work.id] else { return false }
    let attempts = (live.waiting?.attempts ?? 0) + (isAttempt ? 1 : 0)
    guard attempts < parts.configuration.queue.attempts else { return false }
    let isPause = error.kind == .rateLimited || error.kind == .coolingDown
    do {
      let store = try await parts.lazyStore.store()
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

  /// Whether a refusal counts as an attempt: an unsent request does not, nor does a request for a pause, until the model
  /// has refused so often that it is asked as seldom as possible.
  private func countsAsAttempt(_ error: AtelierError, of work: GenerationWork) async -> Bool {
    switch error.kind {
    case .providerUnavailable: true
    case .rateLimited:
      RefusalBackoff().isLongest(
        afterRefusals: await parts.monitor.refusals(of: work.provider, for: work.firstRequest))
    default: false
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
      live = LiveGeneration(work: work, origin: .queue, acceptedAtMs: parts.surroundings.uptimeMs(), sequence: row.sequence)
      let place = try? await parts.lazyStore.store().waitingPlace(of: row.id)
      live?.waiting = place.map { ($0.deadline, $0.attempts) }
      live?.row = row
      generations[row.id] = live
    }
    guard let live, !live.isEnding else {
      dropReservedSlot(of: provider)
      if live == nil { failUnreadable(row) }
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
  private func failUnreadable(_ row: GenerationRow) {
    let error = AtelierError(
      .internal, "The stored request can no longer be read. Send it again.", generationId: row.id)
    // A full disk does not hold up the queue.
    Task { [parts] in
      _ = try? await parts.persistently {
        try await parts.lazyStore.store().finish(Settlement(id: row.id, state: .failed, error: error))
      }
      await parts.balances.creditsChanged(by: [row])
    }
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
}
