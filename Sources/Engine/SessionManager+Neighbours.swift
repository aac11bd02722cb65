import AtelierProtocol
import Providers
import Store

extension SessionManager {
  /// The open store; at its opening, what a dead process left queued becomes this one's.
  func openStore() async throws -> Store {
    let (store, recovery) = try await door.enter()
    if let recovery {
      await take(recovery)
      // Others may have something waiting, which becomes this one's when they are gone.
      lookSoon()
    }
    await recordWhatIsLeft(in: store)
    keepHouse()
    return store
  }

  private func recordWhatIsLeft(in store: Store) async {
    let left = unrecorded
    unrecorded = []
    for settlement in left {
      switch try? await store.finish(settlement) {
      case .finished(let row): if row.credits != nil { await herald.creditsChanged(of: row.account) }
      case .alreadyFinal, .deleted: break
      case nil: unrecorded.append(settlement)
      }
    }
  }

  /// Settles what dead processes left, and takes over what they never began.
  func recover() async throws {
    let store = try await openStore()
    await take(try await store.recover())
    if !configuration.historyCaps.isUnbounded { try await store.enforce(configuration.historyCaps) }
  }

  func take(_ recovery: Recovery) async {
    for row in recovery.adopted { await adopt(row, isWaiting: recovery.waiting.contains(row.id)) }
    await tellOfExpired(recovery.expired)
    for account in Set(recovery.interrupted.filter { $0.credits != nil }.map(\.account)).sorted() {
      await herald.creditsChanged(of: account)
    }
    await OutputDirectory.removeLeftovers(of: recovery.interrupted)
  }

  private func adopt(_ row: GenerationRow, isWaiting: Bool) async {
    var waiting: WaitingSession?
    if isWaiting {
      // What cannot be read now is done as one that never waited: it is this process's in any case.
      let place = try? await door.store().waitingPlace(of: row.id)
      waiting = place.map { WaitingSession(deadline: $0.deadline, attempts: $0.attempts) }
    }
    guard let request = try? row.requestAsSent(), let first = try? providers.provider(row.provider ?? .ondevice)
    else { return }
    let template = try? await template(for: request)
    guard sessions[row.id] == nil, !isDraining else { return }
    // Those the host listed behind the one that was chosen then.
    let others = request.provider?.ids.drop { $0 != first.id }.dropFirst().compactMap { try? providers.provider($0) }
    var work = GenerationWork(
      id: row.id, account: row.account, request: request, template: template,
      lineup: ProviderLineup(first: first, others: others ?? []), requestID: nil,
      wantsProgress: request.progress ?? true, createdAt: row.created)
    work.repetition = Repetition(recordedIn: row.request)
    let session = Session(work: work, acceptedAtMs: surroundings.uptimeMs())
    session.row = row
    session.waiting = waiting
    sessions[row.id] = session
    if waiting == nil {
      queue.append(row.id)
    } else {
      session.progress.wait(row.message, atMs: surroundings.uptimeMs())
      enterRoom(row.id)
    }
    startWaiting()
  }
}
