import AtelierProtocol
import Providers
import Store

/// Generations that wait for a provider that cannot be reached (REQUIREMENTS 4.4).
extension SessionManager {
  /// Kept this much longer than one may wait, in milliseconds: the longest that the work itself may take, and some.
  private static let inputReserveMs: Int64 = 2 * 3_600_000

  /// Makes everything durable that a request needs to be done later.
  /// - Parameter attempts: how often its provider has refused it.
  /// - Throws: the fault of a picture, or `storage_full`; nothing is left then.
  func place(for work: GenerationWork, attempts: Int = 0) async throws -> WaitingPlace {
    let now = surroundings.now().milliseconds
    let limit = work.request.waitMs.map(Int64.init) ?? configuration.queue.deadlineMs
    let deadline = sessions[work.id]?.waiting?.deadline ?? Timestamp(milliseconds: work.createdAt.milliseconds + limit)
    var place = WaitingPlace(
      provider: work.provider.id, deadline: deadline, attempts: attempts, request: [:], inputs: [],
      message: "Waiting for \(work.provider.profile.title)…")
    if sessions[work.id]?.waiting == nil {
      let pictures = try await DurablePictures(
        of: work, intake: intake, store: openStore(), surroundings: surroundings,
        lifetimeMs: max(0, deadline.milliseconds - now) + Self.inputReserveMs)
      place.request = pictures.request
      place.inputs = pictures.inputs
    } else {
      place.request = try work.request.params()
    }
    work.repetition?.record(in: &place.request)
    return place
  }

  /// Has a generation wait whose try has failed, where that failure is worth waiting for and no provider may have begun
  /// the work.
  /// - Returns: false when it is to fail with it.
  func park(_ work: GenerationWork, after error: AtelierError, seenBy witness: SendingWitness) async -> Bool {
    guard error.isWorthWaitingFor, await !witness.hasSent else { return false }
    // What never left is no try of the provider's, nor is one that it put off.
    let isRefused = error.kind == .providerUnavailable
    let attempts = (sessions[work.id]?.waiting?.attempts ?? 0) + (isRefused ? 1 : 0)
    guard attempts < configuration.queue.attempts else { return false }
    let isPause = error.kind == .rateLimited || error.kind == .coolingDown
    do {
      let place = try await place(for: work, attempts: attempts)
      let row: GenerationRow?
      do {
        row = try await openStore().park(work.id, at: place, outage: isPause ? nil : configuration.queue.probes)
      } catch {
        await discard(place)
        throw error
      }
      guard let row else {
        settle(work.id, by: .cancelRequested)
        return true
      }
      guard let session = sessions[work.id], !session.isSettling else { return true }
      session.row = row
      session.wait(at: place)
      goBack(session)
      lookSoon()
      return true
    } catch {
      return false
    }
  }

  /// Removes the pictures of a request that does not wait after all.
  func discard(_ place: WaitingPlace) async {
    guard let store = await door.openedStore() else { return }
    for input in place.inputs { await store.discard(input.source) }
  }

  /// Puts a generation that was to begin back among those that wait.
  private func goBack(_ session: Session) {
    guard (try? session.generation.apply(.turnedAway)) != nil else { return }
    session.task = nil
    session.startedAt = nil
    session.startedAtMs = nil
    session.progress.wait(session.progress.message, atMs: surroundings.uptimeMs())
    working[session.work.provider.id, default: 0] -= session.work.atOnce
    enterRoom(session.work.id)
    tell(session.work.id)
    startWaiting()
  }

  /// Has a generation wait from now on.
  func enterRoom(_ id: GenerationID) {
    room.enter(id)
    if leavesWaiting { leaveRoomSoon() } else { lookSoon() }
  }

  private func leaveRoomSoon() {
    guard leavingRoom == nil else { return }
    leavingRoom = Task {
      // After whoever waits for their ends has begun to.
      await Task.yield()
      self.leavingRoom = nil
      await self.leaveRoom()
    }
  }

  /// To be called when no more requests come, while those that came are still answered.
  public func inputEnded() async {
    leavesWaiting = true
    await leaveRoom()
  }

  /// Begins a generation in the store.
  /// - Returns: false when it is not to be done now, or not any more.
  func mayBegin(_ work: GenerationWork, in store: Store) async throws -> Bool {
    guard let session = sessions[work.id], session.waiting != nil else {
      if case .ended = try await store.start(work.id) {
        settle(work.id, by: .cancelRequested)
        return false
      }
      return true
    }
    switch try? await store.claim(work.id) {
    case .begun: return true
    case .ended: settle(work.id, by: .cancelRequested)
    case .heldBack, nil:
      // Where nothing could be written nothing was begun.
      if !session.isSettling { goBack(session) }
    }
    return false
  }

  /// Leaves what waits in the store for the next process, after a last look whether some of it can be done now.
  func leaveRoom() async {
    guard !room.all.isEmpty else { return }
    await lookAtQueue()
    for probe in probes.values { await probe.value }
    for id in room.all { leaveQueued(id) }
  }

  /// Looks at the queue before the next heartbeat does.
  func lookSoon() {
    guard queueLook == nil else { return }
    queueLook = Task {
      // What comes at the same time is one look.
      await Task.yield()
      self.queueLook = nil
      await self.lookAtQueue()
    }
  }

  /// Looks how the queue of all processes stands, and does what that calls for.
  func lookAtQueue() async {
    let earlier = lastLook
    let next = Task {
      // One after the other: what one has seen is not told, or done, after what a later one has.
      await earlier?.value
      await look()
    }
    lastLook = next
    await next.value
  }

  /// Waits for no other look.
  private func look() async {
    guard let store = await door.openedStore(), let standing = try? await store.queueStanding() else { return }
    await monitor.know(outages: Set(standing.outages.keys))
    let steps = room.take(standing, at: surroundings.now(), probing: Set(probes.keys))
    keepBeating()
    for step in steps {
      switch step {
      case .expire: if let rows = try? await store.expireWaiting() { await tellOfExpired(rows) }
      case .recover: try? await recover()
      case .probe(let id):
        guard let provider = try? providers.provider(id), probes[id] == nil else { continue }
        probes[id] = Task { await self.probe(provider, in: store) }
      case .begin(let ids):
        // They were accepted before those that wait for a place now.
        queue.insert(contentsOf: ids.filter { sessions[$0] != nil }, at: 0)
        startWaiting()
      }
    }
  }

  /// Looks whether a provider can be reached again, unless another process does.
  private func probe(_ provider: any ImageProvider, in store: Store) async {
    if (try? await store.claimProbe(of: provider.id, leaseMs: Self.probeLeaseMs)) == true {
      do {
        try await provider.probe()
        try? await store.endOutage(of: provider.id)
      } catch {
        try? await store.putOffProbe(of: provider.id, configuration.queue.probes)
      }
    }
    probes[provider.id] = nil
    await lookAtQueue()
  }

  /// A look takes no longer, in milliseconds.
  private static var probeLeaseMs: Int { 20_000 }

  /// Notes that a provider can be reached after all: it has just made a picture.
  func endOutage(of provider: ProviderID) {
    Task {
      guard let store = await door.openedStore() else { return }
      try? await store.endOutage(of: provider)
      await lookAtQueue()
    }
  }

  /// Ends here what has expired in the store, and tells of the credits that came back.
  func tellOfExpired(_ rows: [GenerationRow]) async {
    if rows.isEmpty { return }
    var elsewhere: Set<AccountID> = []
    for row in rows where !settle(row.id, by: .waitedTooLong) && row.credits != nil { elsewhere.insert(row.account) }
    for account in elsewhere.sorted() { await herald.creditsChanged(of: account) }
    _ = try? await door.openedStore()?.eraseExpiredPrepared()
  }

  /// Learns from history how long things take, once.
  func learnPace() async {
    guard !pace.isSeeded, let store = await door.openedStore() else { return }
    guard let samples = try? await store.paceSamples(ofLatest: 500), !pace.isSeeded else { return }
    pace.seed(samples)
  }

  /// Milliseconds until the end of one that waits in any process.
  func estimate(for row: GenerationRow, at position: Int) async -> Int64? {
    await learnPace()
    guard let id = row.provider, let provider = try? providers.provider(id) else { return nil }
    if let store = await door.openedStore(), let standing = try? await store.queueStanding() {
      room.note(standing)
    }
    let kind = Pace.Kind(provider: id, recipe: row.recipe)
    return pace.waitMs(for: kind, position: position, places: provider.maximumConcurrentImages)
      .map { $0 + room.pauseMs(for: id, from: surroundings.now()) }
  }
}
