import AtelierProtocol

/// How a process watches a generation of another one: it notes that it watches, and while the note lasts, the process at
/// work shares the progress.
extension Store {
  /// How long the note of a watcher lasts, in milliseconds: what a watcher costs after it has died.
  static let watchMs: Int64 = 10_000

  /// Generations as watchers see them; those that are missing here have been deleted.
  public func watched(_ ids: [GenerationID]) async throws(AtelierError) -> [GenerationID: WatchedGeneration] {
    try await read { try $0.generations.watched(ids) }
  }

  /// Whether the process at work must be told that somebody wants to know its progress. Many watchers of a generation
  /// write once in seconds between them. A clock that was put back must not make a note last.
  public func mustNoteWatching(of seen: WatchedGeneration) -> Bool {
    guard !seen.state.isFinal, seen.process != process, seen.process != .nobody else { return false }
    let now = surroundings.now().milliseconds
    return seen.watchedUntil.map { $0 - now <= Self.watchMs / 2 || $0 - now > Self.watchMs } ?? true
  }

  /// Lets the processes that work on generations share their progress for some seconds.
  public func noteWatching(of ids: [GenerationID]) async throws(AtelierError) {
    let until = surroundings.now().milliseconds + Self.watchMs
    try await write(isDurable: false, to: ids, reading: { [] }) { try $0.watches.note(ids, until: until) }
  }

  /// What other processes want of this process's generations, or have done with them. Costs next to nothing while there is
  /// nothing, however many generations this process has, so it can be called with every heartbeat.
  public func news() async throws(AtelierError) -> GenerationNews {
    try await read { [self] session in
      let now = surroundings.now().milliseconds
      return try session.watches.news(for: process, watchedAfter: now, until: now + Self.watchMs)
    }
  }

  /// The time by which ``news()`` are kept: that of the server, where there is one.
  public var now: Timestamp { surroundings.now() }

  /// This process's generations that have not ended. Any generation missing here has been ended or taken by another one,
  /// or has waited too long: for a process that was stopped for so long that ``news()`` may not tell.
  public func openGenerations() async throws(AtelierError) -> Set<GenerationID> {
    try await read { [process] in try $0.generations.open(ofProcess: process) }
  }

  /// How long it is noted for a process that it has lost a generation, in milliseconds: it looks several times a second.
  public static let lossMs: Int64 = 600_000

  /// Forgets the losses of which nobody has heard for so long: their processes are dead, or look at everything when they
  /// come back.
  func forgetUnheardLosses() async throws(AtelierError) {
    let end = surroundings.now().milliseconds - Self.lossMs
    guard try await read({ try $0.watches.hasLosses(notedUntil: end) }) else { return }
    try await write(isDurable: false) { try $0.watches.forgetLosses(notedUntil: end) }
  }
}

/// What the process at work shares.
extension Store {
  /// Records the progress of a generation of this process, for the `status` of other processes.
  ///
  /// Cheap: unlike all other records it need not survive a power failure, so it does not wait for the disk.
  public func note(_ note: ProgressNote, for id: GenerationID) async throws(AtelierError) -> NoteOutcome {
    try await write(isDurable: false, to: [id], reading: { [try GenerationTable.life(of: id)] }) { [self] session in
      try record(note, for: id, in: session)
    }
  }

  /// Records the progress of generations of this process for other processes, in one transaction.
  ///
  /// Cheap: unlike all other records it need not survive a power failure, so it does not wait for the disk.
  /// - Parameters:
  ///   - notes: for the `status` of other processes.
  ///   - progress: for those who watch these generations.
  ///   - heard: the losses that ``news()`` has told and this process now knows.
  /// - Returns: the generations that ended meanwhile because another process cancelled or deleted them. Stop their
  ///   work.
  @discardableResult
  public func note(
    _ notes: [GenerationID: ProgressNote], sharing progress: [GenerationProgress] = [], heard: Set<GenerationID> = []
  ) async throws(AtelierError) -> Set<GenerationID> {
    if notes.isEmpty, progress.isEmpty, heard.isEmpty { return [] }
    let lives: @Sendable () throws -> [SQLQuery] = { try notes.keys.map(GenerationTable.life) }
    let ids = Set(notes.keys).union(progress.map(\.generationId)) + []
    return try await write(isDurable: false, to: ids, reading: lives) { [self] session in
      // All is read before anything is written.
      try session.prefetch(lives())
      let ended = try Set(notes.keys.filter { try standing($0, in: session) != .goOn })
      if !heard.isEmpty { try session.watches.forgetLoss(of: Array(heard), by: process) }
      for progress in progress { try session.watches.share(progress, process: process) }
      for (id, note) in notes where !ended.contains(id) { try session.generations.note(note, of: id, process: process) }
      return ended
    }
  }

  private func record(_ note: ProgressNote, for id: GenerationID, in session: any SQLSession) throws -> NoteOutcome {
    let outcome = try standing(id, in: session)
    if outcome == .goOn { try session.generations.note(note, of: id, process: process) }
    return outcome
  }
}

/// What other processes want of the generations of a process, or have done with them.
public struct GenerationNews: Sendable, Equatable {
  /// Those that another process watches.
  public var watched: Set<GenerationID> = []
  /// Those that another process has ended or taken, or that have waited too long.
  public var lost: Set<GenerationID> = []
}

/// What a watcher needs to know of a generation between its beginning and its end.
public struct WatchedGeneration: Sendable, Equatable {
  public var account: AccountID
  public var process: ProcessID
  public var state: GenerationState
  public var created: Timestamp
  /// What the process at work has shared last; nil when it has shared nothing yet.
  public var progress: GenerationProgress?
  /// Until when a watcher is noted, in milliseconds since 1970; nil when none is.
  var watchedUntil: Int64?
}
