import AtelierProtocol
import Providers
import Store

extension SessionManager {
  /// The open store; at its opening, what a dead process left queued becomes this one's.
  func openStore() async throws -> Store {
    let (store, recovery) = try await door.enter()
    if let recovery { await take(recovery) }
    await recordWhatIsLeft(in: store)
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
    for row in recovery.adopted { adopt(row) }
    for account in Set(recovery.interrupted.filter { $0.credits != nil }.map(\.account)).sorted() {
      await herald.creditsChanged(of: account)
    }
    await OutputDirectory.removeLeftovers(of: recovery.interrupted)
  }

  private func adopt(_ row: GenerationRow) {
    guard sessions[row.id] == nil, !isDraining else { return }
    guard let request = try? row.requestAsSent(), let first = try? providers.provider(row.provider ?? .ondevice)
    else { return }
    // Those the host listed behind the one that was chosen then.
    let others = request.provider?.ids.drop { $0 != first.id }.dropFirst().compactMap { try? providers.provider($0) }
    var work = GenerationWork(
      id: row.id, account: row.account, request: request, lineup: ProviderLineup(first: first, others: others ?? []),
      requestID: nil, wantsProgress: request.progress ?? true, createdAt: row.created)
    work.repetition = Repetition(recordedIn: row.request)
    let session = Session(work: work, acceptedAtMs: surroundings.uptimeMs())
    session.row = row
    sessions[row.id] = session
    queue.append(row.id)
    startWaiting()
  }
}
