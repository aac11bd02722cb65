import AtelierProtocol
import Imaging
import Providers
import Store

/// What nobody waits for: warming up, thumbnails, the search index, and keeping the data directory clean in a service
/// that may run for months.
actor Maintenance {
  /// The longest time between two rounds of cleaning, in milliseconds.
  static let longestPauseMs: Int64 = 10 * 60_000

  private let parts: EngineParts
  private var warming: Task<Void, Never>?
  /// The first look for what processes that died left in files.
  private var sweeping: Task<Void, Never>?
  private var cleaning: Task<Void, Never>?
  private(set) var indexing: Task<Void, Never>?
  /// Generations whose thumbnail is still to be made, oldest first.
  private var thumbnailsDue: [GenerationID] = []
  /// The work on them, and the pause before it.
  private var thumbnails: (pause: Task<Void, Never>, work: Task<Void, Never>)?
  /// Thumbnails wait until no picture has come for so many milliseconds, this many times at most: who asks for one
  /// picture after the other is not to wait for the thumbnail of the one before.
  private static let (quietMs, mostPauses) = (500, 20)
  private var isWarm = false
  private var isLeaving = false

  init(_ parts: EngineParts) { self.parts = parts }

  // MARK: Warming up

  /// Has what takes long begin at once for the first request, so that whoever asks a program that has just started
  /// waits for the longest of these and not for their sum: the store's opening, the worker's start, the provider's.
  ///
  /// In this order, because no thread or process begins while a provider is loading libcurl: the dynamic linker's lock
  /// is held for that long.
  func warmUp(for request: Generate) {
    guard !isWarm, !isLeaving else { return }
    isWarm = true
    // Who will be asked may take long to say, as with a slow keyring: leaving does not wait for that.
    Task {
      guard let provider = await parts.likelyProvider(for: request) else { return }
      warmUp(provider, for: request)
    }
  }

  private func warmUp(_ provider: any ImageProvider, for request: Generate) {
    guard !isLeaving else { return }
    warming = Task { [parts] in
      await parts.lazyStore.beginOpening()
      if !provider.profile.isLocal, !Task.isCancelled { await parts.intake.warmUp(for: request.pictures) }
      if !Task.isCancelled { provider.warmUp() }
    }
  }

  // MARK: Cleaning

  /// Begins to erase what is kept for a time only when that is over, to keep history within its caps, and to sweep the
  /// files of processes that died. To be called by a process that makes pictures or serves a host; once is enough.
  ///
  /// Between two rounds nothing holds this owner: one that is let go of ends it.
  /// - Parameter settled: told what was settled of processes that died.
  func begin(settled: @escaping @Sendable (Recovery) async -> Void) {
    guard cleaning == nil, !isLeaving else { return }
    let sweeping = Task(priority: .utility) { [weak self] () -> Void in await self?.sweep(settled) }
    self.sweeping = sweeping
    cleaning = Task(priority: .utility) { [weak self, parts] in
      await sweeping.value
      while let pause = await self?.untilNextRound() {
        do { try await parts.surroundings.sleep(.milliseconds(pause)) } catch { return }
        await self?.clean(settled)
      }
    }
  }

  private func untilNextRound() async -> Int64? {
    guard !isLeaving, let store = await parts.lazyStore.openedStore() else { return nil }
    guard let expiry = try? await store.nextExpiry() else { return Self.longestPauseMs }
    let (pause, overflow) = expiry.milliseconds.subtractingReportingOverflow(parts.surroundings.now().milliseconds)
    return overflow ? Self.longestPauseMs : min(max(pause, 1), Self.longestPauseMs)
  }

  /// What could not be done now, as on a full disk, is tried again at the next round.
  private func clean(_ settled: @Sendable (Recovery) async -> Void) async {
    await sweep(settled)
    guard !isLeaving, let store = await parts.lazyStore.openedStore() else { return }
    try? await store.tidy(keeping: parts.configuration.historyCaps)
  }

  /// Removes what processes that died left in files, in hosts' folders as well.
  private func sweep(_ settled: @Sendable (Recovery) async -> Void) async {
    guard let store = await parts.lazyStore.openedStore() else { return }
    _ = try? await store.sweep(settled: settled) { await OutputDirectory.removeLeftovers(of: $0) }
  }

  /// Prepares searches in the background.
  func indexHistory() {
    guard indexing == nil, !isLeaving else { return }
    indexing = Task(priority: .utility) { [parts] in
      // The store that is open: one that was closed meanwhile is not opened anew, for nobody would close it.
      if let store = await parts.lazyStore.openedStore() {
        while !Task.isCancelled, (try? await store.indexForSearch()) == true {}
      }
      self.indexing = nil
    }
  }

  // MARK: Thumbnails

  /// Notes that a generation wants a thumbnail. Thumbnails are made after the answers have gone out, one at a time; what a
  /// process has not made when it ends stays without one.
  func thumbnailIsDue(for id: GenerationID) { thumbnailsDue.append(id) }

  /// Has the thumbnails that are due made soon.
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

  /// Waits until all thumbnails are made and the files of processes that died are swept, or the task is cancelled: the
  /// rest is left undone then.
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

  // MARK: ProcessExit

  /// Begins nothing any more; what is under way in the background ends soon.
  func stop() async {
    isLeaving = true
    warming?.cancel()
    cleaning?.cancel()
    indexing?.cancel()
    // What it opens and starts is to be there when it is closed and ended.
    await warming?.value
  }
}

extension EngineParts {
  /// Who will be asked, as far as can be said without the store; nil when it may well be nobody.
  fileprivate func likelyProvider(for request: Generate) async -> (any ImageProvider)? {
    let candidates = try? await monitor.candidates(for: request.recipe, wanted: request.provider, registry: providers)
    for (position, provider) in (candidates ?? []).enumerated() {
      let asked = request.completed.imageRequest(variation: 0, template: nil).fitting(provider, isFirst: position == 0)
      guard provider.profile.recipes.contains(request.recipe), (try? provider.check(asked)) != nil else { continue }
      if await provider.availability().available { return provider }
    }
    return nil
  }

  /// Makes the small picture that history shows, of the first picture of a generation that has ended.
  /// - Throws: what the worker or the store throws; the generation is as complete without.
  fileprivate func makeThumbnail(for id: GenerationID) async throws {
    let store = try await lazyStore.store()
    guard let artifact = try await store.generation(id, account: nil)?.images.first?.artifact else { return }
    let thumbnail = try await worker.thumbnail(
      try await store.read(artifact), longestSide: configuration.thumbnailSide)
    try Task.checkCancellation()
    try await store.keepThumbnail(try await store.stage(thumbnail.bytes, mimeType: thumbnail.mimeType), for: id)
  }
}
