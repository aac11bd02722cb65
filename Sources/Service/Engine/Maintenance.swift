import AtelierProtocol
import Imaging
import Providers
import Store

/// Background work: warming up, thumbnails, the search index, and cleaning the data directory in a service that may run
/// for months.
actor Maintenance {
  /// The longest time between two rounds of cleaning, in milliseconds.
  static let longestPauseMs: Int64 = 10 * 60_000
  /// The pauses between rounds that leave undone what they were due for, as on a full disk.
  private static let pauses = Backoff(firstMs: 1_000, longestMs: Int(longestPauseMs))

  private let parts: EngineParts
  private var warming: Task<Void, Never>?
  /// The first sweep of files that dead processes left.
  private var sweeping: Task<Void, Never>?
  private var cleaning: Task<Void, Never>?
  private(set) var indexing: Task<Void, Never>?
  /// How many rounds in a row were due at once.
  private var roundsInARow = 0
  /// Generations that still need a thumbnail, oldest first.
  private var thumbnailsDue: [GenerationID] = []
  /// The task that makes them, and the pause before it.
  private var thumbnails: (pause: Task<Void, Never>, work: Task<Void, Never>)?
  /// Thumbnails wait until no picture has come for so many milliseconds, this many times at most: a host that requests
  /// one picture after the other must not wait for thumbnails.
  private static let (quietMs, mostPauses) = (500, 20)
  private var isWarm = false

  init(_ parts: EngineParts) { self.parts = parts }

  private var isLeaving: Bool { parts.leaving.stage >= .draining }

  // MARK: Warming up

  /// Starts the slow preparations concurrently for the first request, so that a host of a just-started program waits
  /// for the longest of them and not for their sum: opening the store, starting the worker, warming up the provider.
  ///
  /// The order matters because no thread or process begins while a provider loads libcurl: the dynamic linker's lock is
  /// held for that long.
  func warmUp(for request: Generate, isConfined: Bool) {
    guard !isWarm, !isLeaving else { return }
    isWarm = true
    // Determining the likely provider may take long, as with a slow keyring: leaving does not wait for it.
    Task {
      guard let provider = await parts.likelyProvider(for: request) else { return }
      warmUp(provider, for: request, isConfined: isConfined)
    }
  }

  private func warmUp(_ provider: any ImageProvider, for request: Generate, isConfined: Bool) {
    guard !isLeaving else { return }
    warming = Task { [parts] in
      await parts.lazyStore.beginOpening()
      if !provider.profile.isLocal, !Task.isCancelled {
        await parts.intake.warmUp(for: request.pictures, isConfined: isConfined)
      }
      if !Task.isCancelled { provider.warmUp() }
    }
  }

  // MARK: Cleaning

  /// Starts the periodic cleaning: erases data whose retention time is over, keeps history within its caps, and sweeps
  /// the files of dead processes. For processes that make pictures or serve a host; repeated calls have no effect.
  ///
  /// Between two rounds the task holds no strong reference to this actor, and it ends with the actor.
  func begin() {
    guard cleaning == nil, !isLeaving else { return }
    let sweeping = Task(priority: .utility) { [weak self] () -> Void in await self?.sweep() }
    self.sweeping = sweeping
    cleaning = Task(priority: .utility) { [weak self, parts] in
      await sweeping.value
      while let pause = await self?.untilNextRound() {
        do { try await parts.surroundings.sleep(.milliseconds(pause)) } catch { return }
        await self?.clean()
      }
    }
  }

  private func untilNextRound() async -> Int64? {
    guard !isLeaving, let store = await parts.lazyStore.storeIfOpen else { return nil }
    guard let expiry = try? await store.nextExpiry() else { return Self.longestPauseMs }
    let (pause, overflow) = expiry.milliseconds.subtractingReportingOverflow(parts.surroundings.now().milliseconds)
    // What is due now should have been done in the last round.
    roundsInARow = !overflow && pause <= 0 ? min(roundsInARow + 1, Self.longestRow) : 0
    if overflow || pause > Self.longestPauseMs { return Self.longestPauseMs }
    return max(pause, Int64(Self.pauses.fullMs(afterFailures: roundsInARow)))
  }

  private static let longestRow = 64

  /// A step that fails now, as on a full disk, is tried again in a later round.
  private func clean() async {
    await sweep()
    guard !isLeaving, let store = await parts.lazyStore.storeIfOpen else { return }
    try? await store.tidy(keeping: parts.configuration.historyCaps)
  }

  /// Removes the files that dead processes left, in hosts' folders as well.
  private func sweep() async {
    guard let store = await parts.lazyStore.storeIfOpen else { return }
    _ = try? await store.sweep(
      recovered: { [parts] in await parts.lazyStore.report($0) },
      leftovers: { await OutputDirectory.removeLeftovers(of: $0) })
  }

  /// Builds the search index in the background.
  func indexHistory() {
    guard indexing == nil, !isLeaving else { return }
    indexing = Task(priority: .utility) { [parts] in
      // A store that was closed meanwhile is not reopened, because nothing would close it again.
      if let store = await parts.lazyStore.storeIfOpen {
        while !Task.isCancelled, (try? await store.indexForSearch()) == true {}
      }
      self.indexing = nil
    }
  }

  // MARK: Thumbnails

  /// Notes that a generation needs a thumbnail. Thumbnails are made after the answers have gone out, one at a time;
  /// those that a process has not made when it ends are never made.
  func thumbnailIsDue(for id: GenerationID) { thumbnailsDue.append(id) }

  /// Schedules the thumbnails that are due.
  func makeThumbnails() {
    guard thumbnails == nil, !thumbnailsDue.isEmpty else { return }
    let pause = Task { await waitForQuiet() }
    let work = Task(priority: .utility) {
      await pause.value
      await makeThoseDue()
    }
    thumbnails = (pause, work)
  }

  private func waitForQuiet() async {
    var seen = 0
    for _ in 0..<Self.mostPauses {
      if seen == thumbnailsDue.count { return }
      seen = thumbnailsDue.count
      guard (try? await parts.surroundings.sleep(.milliseconds(Self.quietMs))) != nil else { return }
    }
  }

  private func makeThoseDue() async {
    while !thumbnailsDue.isEmpty {
      let id = thumbnailsDue.removeFirst()
      try? await parts.makeThumbnail(for: id)
    }
    thumbnails = nil
  }

  /// Waits until all thumbnails are made and the files of dead processes are swept. When the task is cancelled, the
  /// rest is left undone.
  func finish() async {
    makeThumbnails()
    thumbnails?.pause.cancel()
    await withTaskCancellationHandler {
      await thumbnails?.work.value
      await sweeping?.value
    } onCancel: {
      Task { await self.dropTheRest() }
    }
  }

  private func dropTheRest() {
    thumbnailsDue = []
    thumbnails?.work.cancel()
    sweeping?.cancel()
  }

  // MARK: Leaving

  /// Background work that is under way ends soon. None begins from ``Leaving/draining`` on.
  func stop() async {
    warming?.cancel()
    cleaning?.cancel()
    indexing?.cancel()
    // Wait for what warming up opens and starts, so that it can be closed and ended.
    await warming?.value
  }
}

extension EngineParts {
  /// The provider that will probably be asked, as far as is known without the store; nil when there may be none.
  fileprivate func likelyProvider(for request: Generate) async -> (any ImageProvider)? {
    let candidates = try? await providers.candidates(for: request.recipe, wanted: request.provider)
    for (position, provider) in (candidates ?? []).enumerated() {
      let asked = request.completed.imageRequest(variation: 0, template: nil).fitting(provider, isFirst: position == 0)
      guard provider.profile.recipes.contains(request.recipe), (try? provider.check(asked)) != nil else { continue }
      if await provider.availability().available { return provider }
    }
    return nil
  }

  /// Makes the history thumbnail from the first picture of a generation that has ended.
  /// - Throws: what the worker or the store throws; the generation is complete without a thumbnail.
  fileprivate func makeThumbnail(for id: GenerationID) async throws {
    let store = try await lazyStore.store()
    guard let artifact = try await store.generation(id, account: nil)?.images.first?.artifact else { return }
    let thumbnail = try await worker.thumbnail(
      try await store.read(artifact), longestSide: configuration.thumbnailSide)
    try Task.checkCancellation()
    let staged = try await store.stage(thumbnail.bytes, mimeType: thumbnail.mimeType)
    let file = GenerationFile(.thumbnail, source: .staged(staged), width: thumbnail.width, height: thumbnail.height)
    do {
      try await store.keepThumbnail(file, for: id)
    } catch {
      await store.discard(staged)
      throw error
    }
  }
}
