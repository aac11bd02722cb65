import AtelierProtocol
import Store

/// Generations that wait for their provider: how they return to the offline queue, and how claimed ones begin.
extension GenerationManager {
  /// Returns a failed generation to the offline queue, if the error is worth waiting for and no provider may have begun
  /// the work.
  /// - Returns: what became of it; nil when it must fail with the error.
  func park(_ work: GenerationWork, after error: AtelierError, sending: SendingRecord) async -> LiveTable.Event? {
    guard error.isWorthWaitingFor, sending.isUnsent else { return nil }
    let isAttempt = await countsAsAttempt(error, of: work)
    guard let live = table[work.id], !live.isEnding else { return nil }
    let attempts = (live.patience?.attempts ?? 0) + (isAttempt ? 1 : 0)
    guard attempts < parts.configuration.queue.attempts else { return nil }
    do {
      let store = try await parts.lazyStore.store()
      let acceptor = RequestAcceptor(parts: parts, store: store)
      let deadline = live.patience?.deadline
      let entry = try await parts.persistently {
        try await acceptor.entry(for: work, deadline: deadline, attempts: attempts)
      }
      do {
        let outage = error.kind.consequences.wasReached ? nil : parts.configuration.queue.probes
        let row = try await parts.persistently { try await store.park(work.id, at: entry, outage: outage) }
        return row.map { .returnedToQueue($0, entry) } ?? .endedElsewhere
      } catch {
        await acceptor.discard(entry)
        throw error
      }
    } catch {
      return nil
    }
  }

  /// Whether a refusal counts as an attempt: an unsent request does not, nor does a request for a pause, until the model
  /// has refused so often that it is asked as seldom as possible.
  private func countsAsAttempt(_ error: AtelierError, of work: GenerationWork) async -> Bool {
    switch error.kind.consequences.attempt {
    case .counts: true
    case .countsAfterLongestPause:
      RefusalBackoff().isLongest(
        afterRefusals: await parts.monitor.refusals(of: work.provider, for: work.firstRequest))
    case .free: false
    }
  }

  /// Reserves a slot of a provider for a generation still to be claimed.
  /// - Returns: false when no slot is free.
  func reserveSlot(of provider: ProviderID) -> Bool {
    guard let provider = try? parts.providers.provider(provider) else { return false }
    return table.reserveSlot(of: provider.id, capacity: provider.maximumConcurrentImages)
  }

  /// Releases a reserved slot.
  func dropReservedSlot(of provider: ProviderID) {
    carryOut(table.dropReservation(of: provider, at: parts.surroundings.moment))
  }

  /// Works on a claimed generation, in the slot reserved for it.
  func begin(claimed row: GenerationRow) async {
    var claim = LiveTable.Claim(row: row, leaving: .notYet)
    if table[row.id] == nil, let work = try? await planner.work(from: row) {
      claim.work = work
      let entry = try? await parts.lazyStore.store().queueEntry(of: row.id)
      claim.patience = entry.map { LiveGeneration.Patience(deadline: $0.deadline, attempts: $0.attempts) }
    }
    claim.leaving = parts.leaving.stage
    let rest = apply(.claimed(claim), to: row.id)
    keepHeartbeat()
    await rest?.value
  }

  /// Receives the current state of the offline queue.
  func queueChanged(to queue: QueueState) {
    forecast.queue = queue
    if queue.isEmpty { forecast.positions = [:] } else { keepHeartbeat() }
  }

  /// Receives the generations that expired in the offline queue.
  func expired(_ rows: [GenerationRow]) async {
    let elsewhere = rows.filter { row in
      let actions = table.apply(.deadlinePassed, to: row.id, at: parts.surroundings.moment)
      carryOut(actions)
      return actions.isEmpty
    }
    await parts.balances.creditsChanged(by: elsewhere)
  }
}
