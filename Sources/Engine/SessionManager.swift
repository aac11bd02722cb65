import AtelierProtocol
import Imaging
import JSONRPC
import Providers
import Store

/// Owns every generation this process works on: accepts, runs, cancels and settles them.
///
/// A generation is in the table from before its row is written until its end is durable and answered. It ends once:
/// whoever would end it (its work, a cancel, another process) goes through ``settle(_:by:delivery:error:)``.
public actor SessionManager {
  let configuration: EngineConfiguration
  let surroundings: Surroundings
  let providers: ProviderRegistry
  let monitor: ProviderMonitor
  let door: StoreDoor
  let intake: PhotoIntake
  let thumbnails: ThumbnailMaker
  let templates: TemplateShelf
  let announce: @Sendable (Announcement) -> Void
  let herald: CreditsHerald

  var sessions: [GenerationID: Session] = [:]
  /// Accepted and waiting for a place, oldest first.
  var queue: [GenerationID] = []
  /// How many pictures each provider works on.
  var working: [ProviderID: Int] = [:]
  /// Those that wait for their provider.
  var room = WaitingRoom()
  /// The looks at providers that cannot be reached.
  var probes: [ProviderID: Task<Void, Never>] = [:]
  /// The look at the queue that is to come before the next heartbeat.
  var queueLook: Task<Void, Never>?
  /// The last look at the queue that was begun.
  var lastLook: Task<Void, Never>?
  var heartbeat: Task<Void, Never>?
  /// Goes on for as long as the store is used.
  var housekeeping: Task<Void, Never>?
  var indexing: Task<Void, Never>?
  /// Whether there was a first request, and what it has begin.
  var isWarm = false
  var warming: Task<Void, Never>?
  private var lastWaiter = 0
  var pace = Pace()
  var isDraining = false
  /// Whether what waits for its provider is left to the next process.
  var leavesWaiting = false
  var leavingRoom: Task<Void, Never>?
  /// The work of those that are being cancelled, and how many of their ends are not on record yet.
  var stopping: [Task<Void, Never>] = []
  var recordingCancelled = 0
  var stopLimit: Task<Void, Never>?
  /// Ends without pictures that wait to be recorded, and whether somebody is at it.
  var briefEndings: [Ending] = []
  var isRecording = false
  /// Ends that could not be written when they happened, as on a full disk; tried again at every use of the store.
  var unrecorded: [Settlement] = []
  /// Generations whose thumbnail is still to be made, oldest first.
  var thumbnailsDue: [GenerationID] = []
  var thumbnailWork: Task<Void, Never>?
  private(set) var counters = ServiceStatus.Counters()

  /// - Parameter announce: told progress and ends, in order; must not block.
  init(
    configuration: EngineConfiguration, surroundings: Surroundings, providers: ProviderRegistry,
    monitor: ProviderMonitor, door: StoreDoor, templates: TemplateShelf, worker: ImagingWorker,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.providers = providers
    self.monitor = monitor
    self.door = door
    self.templates = templates
    self.announce = announce
    herald = CreditsHerald(door: door, announce: announce)
    intake = PhotoIntake(
      photos: PhotoSource(door: door, maximumBytes: configuration.maximumImageBytes), worker: worker)
    thumbnails = ThumbnailMaker(door: door, worker: worker, longestSide: configuration.thumbnailSide)
  }

  /// Carries out `generate`. Cancelling the calling task cancels the generation, unless it is detached and accepted.
  /// - Returns: the end of the generation, or for a detached one its acceptance.
  /// - Throws: `AtelierError` for everything PROTOCOL 6 names.
  public func generate(_ request: Generate, for caller: Caller) async throws -> Generate.Answer {
    try await carryOut(plan(request, for: caller))
  }

  func carryOut(_ work: GenerationWork) async throws -> Generate.Answer {
    let id = work.id
    sessions[id] = Session(work: work, acceptedAtMs: surroundings.uptimeMs())
    var place: WaitingPlace?
    do {
      if work.mustWait { place = try await self.place(for: work) }
      switch try await accept(work, waitingAt: place) {
      case .accepted(let row):
        sessions[id]?.row = row
        if let place { sessions[id]?.wait(at: place) }
      case .existing(let row):
        forget(id)
        return try await join(row, isDetached: work.isDetached)
      }
    } catch {
      forget(id)
      if let place { await discard(place) }
      throw error
    }
    return try await begin(work)
  }

  /// Lets go of a request that did not become a generation after all; somebody may wait for its end already.
  private func forget(_ id: GenerationID) {
    guard let session = sessions.removeValue(forKey: id) else { return }
    for waiter in session.waiters.values { waiter.resume(returning: .vanished(id)) }
  }

  private func begin(_ work: GenerationWork) async throws -> Generate.Answer {
    counters.accepted += 1
    if sessions[work.id]?.waiting == nil { queue.append(work.id) } else { enterRoom(work.id) }
    if sessions[work.id]?.isCancelWished == true {
      settle(work.id, by: .cancelRequested)
    } else {
      tell(work.id)
      startWaiting()
    }
    if work.isDetached {
      // As the row says that was just written, even if the work has begun by now.
      return .accepted(Generate.Acceptance(generationId: work.id, state: .queued))
    }
    let id = work.id
    return try await withTaskCancellationHandler {
      .finished(try await end(of: id).answer())
    } onCancel: {
      Task(priority: .high) { await self.wishCancelled(id) }
    }
  }

  /// Gives free places to those that wait, in order; a provider that is full does not hold up the others'. One that
  /// needs several places is not overtaken by those that need fewer.
  func startWaiting() {
    var starting: Set<GenerationID> = []
    var full: Set<ProviderID> = []
    for id in queue {
      guard let work = sessions[id]?.work, !full.contains(work.provider.id) else { continue }
      guard working[work.provider.id, default: 0] + work.atOnce <= work.provider.maximumConcurrentImages else {
        full.insert(work.provider.id)
        continue
      }
      working[work.provider.id, default: 0] += work.atOnce
      starting.insert(id)
    }
    if !starting.isEmpty {
      let started = queue.filter(starting.contains)
      queue.removeAll(where: starting.contains)
      for id in started { start(id) }
    }
    keepBeating()
  }

  private func start(_ id: GenerationID) {
    guard let session = sessions[id] else { return }
    // What waits has not begun, so this is never refused.
    _ = try? session.generation.apply(.started)
    session.startedAt = surroundings.now()
    session.startedAtMs = surroundings.uptimeMs()
    let work = session.work
    session.task = Task { await self.run(work) }
  }

  private func run(_ work: GenerationWork) async {
    let witness = work.mayWait ? SendingWitness() : nil
    do {
      let store = try await openStore()
      guard try await mayBegin(work, in: store) else { return }
      let workshop = Workshop(
        configuration: configuration, surroundings: surroundings, intake: intake, monitor: monitor, store: store,
        witness: witness)
      let delivery = try await workshop.make(work) { await self.move(work.id, by: $0) }
      if !settle(
        work.id, by: .delivered(images: delivery.pictures.count, wanted: work.wanted), delivery: delivery)
      {
        for artifact in delivery.stagedArtifacts { await store.discard(artifact) }
      }
    } catch is CancellationError {
      settle(work.id, by: .cancelRequested)
    } catch {
      let error = AtelierError(wrapping: error)
      if let witness, await park(work, after: error, seenBy: witness) { return }
      settle(work.id, by: .failed, error: error)
    }
  }

  /// Ends the generation, unless its end has begun already.
  /// - Returns: false when this event does not end it.
  @discardableResult
  func settle(
    _ id: GenerationID, by event: Generation.Event, delivery: Delivery? = nil, error: AtelierError? = nil
  ) -> Bool {
    guard let session = sessions[id], let row = session.row, !session.isSettling else { return false }
    guard let effects = try? session.generation.apply(event) else { return false }
    if effects.contains(.stopWork) { stopWork(of: session) }
    if session.task == nil {
      queue.removeAll { $0 == id }
      room.leave(id)
    }
    session.isSettling = true
    record(
      Ending(
        work: session.work, row: row, state: session.generation.state, delivery: delivery ?? Delivery(), error: error,
        timings: session.progress.timings(atMs: surroundings.uptimeMs()), lastNote: session.progress.note))
    return true
  }

  /// Answers everybody who waits for the end, and leaves the place to the next.
  func conclude(_ id: GenerationID, with end: Ending.Outcome) {
    if let settlement = end.unrecorded { unrecorded.append(settlement) }
    let finished = end.finished
    guard let session = sessions.removeValue(forKey: id) else { return }
    defer { endIsRecorded(of: session) }
    if session.task != nil { working[session.work.provider.id, default: 0] -= session.work.atOnce }
    counters.count(finished)
    // What was not made says nothing of how long making takes.
    if finished.hasPictures, finished.result?.cached == false {
      if let began = session.startedAtMs {
        pace.note(surroundings.uptimeMs() - began, for: Pace.Kind(session.work))
      }
      if room.knowsOutage(of: session.work.provider.id) { endOutage(of: session.work.provider.id) }
    }
    // Before the answers: what is told about a generation precedes the response that ends it.
    if session.work.isDetached {
      announce(.finished(finished.notification(at: surroundings.now()), of: session.work.account))
    }
    for waiter in session.waiters.values { waiter.resume(returning: finished) }
    if finished.hasPictures, !session.work.isPrivate { makeThumbnail(for: id) }
  }

  /// Waits for the end of a generation of this process, even in a cancelled task.
  func end(of id: GenerationID) async -> FinishedGeneration {
    await wait(for: id, as: nextWaiter()) ?? .vanished(id)
  }

  /// Waits for the end of a generation of this process that another request began.
  /// - Throws: `CancellationError` when the task is cancelled; the generation goes on.
  func joinEnd(of id: GenerationID) async throws -> FinishedGeneration {
    let waiter = nextWaiter()
    let finished = await withTaskCancellationHandler {
      await wait(for: id, as: waiter)
    } onCancel: {
      Task { await self.stopWaiting(waiter, for: id) }
    }
    guard let finished else { throw CancellationError() }
    return finished
  }

  /// - Returns: nil when the wait was given up.
  private func wait(for id: GenerationID, as waiter: Int) async -> FinishedGeneration? {
    await withCheckedContinuation { continuation in
      if sessions[id] == nil {
        continuation.resume(returning: .vanished(id))
      } else {
        sessions[id]?.waiters[waiter] = continuation
      }
    }
  }

  private func stopWaiting(_ waiter: Int, for id: GenerationID) {
    sessions[id]?.waiters.removeValue(forKey: waiter)?.resume(returning: nil)
  }

  private func nextWaiter() -> Int {
    lastWaiter += 1
    return lastWaiter
  }

  /// Cancels a generation of this process, wherever it stands, and waits for its end.
  @discardableResult
  func cancelLocally(_ id: GenerationID) async -> FinishedGeneration {
    wishCancelled(id)
    return await end(of: id)
  }

  /// Begins the end of a generation of this process, wherever it stands.
  private func wishCancelled(_ id: GenerationID) {
    guard let session = sessions[id] else { return }
    session.isCancelWished = true
    // Before it is accepted there is nothing to settle; what follows the acceptance looks at the wish.
    if session.isAccepted { settle(id, by: .cancelRequested) }
  }
}
