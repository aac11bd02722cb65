import AtelierProtocol
import GRDB

/// How a process watches a generation of another one: it notes that it watches, and while the note lasts, the process at
/// work shares the progress.
extension Store {
  /// How long the note of a watcher lasts, in milliseconds: what a watcher costs after it has died.
  static let watchMs: Int64 = 10_000

  /// Generations as watchers see them; those that are missing here have been deleted.
  public func watched(_ ids: [GenerationID]) async throws(AtelierError) -> [GenerationID: WatchedGeneration] {
    try await read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT generation.id AS id, account, owner, state, created, until, progress
            FROM json_each(?) CROSS JOIN generation ON generation.id = json_each.value
              LEFT JOIN generation_watch ON generation_id = generation.id
            """), arguments: [try StoredText.json(ids)])
      var seen: [GenerationID: WatchedGeneration] = [:]
      while let row = try rows.next() { seen[GenerationID(rawValue: try row.value("id"))] = try WatchedGeneration(row) }
      return seen
    }
  }

  /// Whether the process at work must be told that somebody wants to know its progress. Many watchers of a generation
  /// write once in seconds between them. A clock that was put back must not make a note last.
  public func mustNoteWatching(of seen: WatchedGeneration) -> Bool {
    guard !seen.state.isFinal, seen.owner != owner, seen.owner != .nobody else { return false }
    let now = surroundings.now().milliseconds
    return seen.watchedUntil.map { $0 - now <= Self.watchMs / 2 || $0 - now > Self.watchMs } ?? true
  }

  /// Lets the processes that work on generations share their progress for some seconds.
  public func noteWatching(of ids: [GenerationID]) async throws(AtelierError) {
    let until = surroundings.now().milliseconds + Self.watchMs
    try await write(isDurable: false) { database in
      try database.cachedStatement(
        sql: """
          INSERT INTO generation_watch (generation_id, until)
          SELECT generation.id, ?1 FROM json_each(?2) CROSS JOIN generation ON generation.id = json_each.value
          WHERE state IN ('queued', 'running')
          ON CONFLICT (generation_id) DO UPDATE SET until = excluded.until
          """
      ).execute(arguments: [until, try StoredText.json(ids)])
    }
  }

  /// This process's generations that have not ended. Another process has ended or taken any generation missing here.
  public func openGenerations() async throws(AtelierError) -> OpenGenerations {
    try await read { [self] database in
      let now = surroundings.now().milliseconds
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT id, COALESCE(until > ?1 AND until <= ?2, 0) AS is_watched
            FROM generation INDEXED BY generation_open LEFT JOIN generation_watch ON generation_id = id
            WHERE owner = ?3 AND state IN ('queued', 'running')
            """), arguments: [now, now + Self.watchMs, owner.rawValue])
      var open = OpenGenerations()
      while let row = try rows.next() {
        let id = GenerationID(rawValue: try row.value("id"))
        open.all.insert(id)
        if try row.value("is_watched", as: Bool.self) { open.watched.insert(id) }
      }
      return open
    }
  }

  /// Records the progress of generations of this process for other processes, in one transaction.
  ///
  /// Cheap: unlike all other records it need not survive a power failure, so it does not wait for the disk.
  /// - Parameters:
  ///   - notes: for the `status` of other processes.
  ///   - progress: for those who watch these generations.
  /// - Returns: the generations that ended meanwhile because another process cancelled or deleted them. Stop their
  ///   work.
  @discardableResult
  public func note(
    _ notes: [GenerationID: ProgressNote], sharing progress: [GenerationProgress] = []
  ) async throws(AtelierError) -> Set<GenerationID> {
    if notes.isEmpty, progress.isEmpty { return [] }
    return try await write(isDurable: false) { [self] database in
      for progress in progress {
        try database.cachedStatement(
          sql: """
            UPDATE generation_watch SET progress = ?
            WHERE generation_id = ? AND EXISTS (SELECT 1 FROM generation WHERE id = generation_id AND owner = ?)
            """
        ).execute(arguments: [
          try StoredText.json(progress), try StoredText.identifier(progress.generationId.rawValue), owner.rawValue,
        ])
      }
      return try Set(notes.filter { try record($0.value, for: $0.key, in: database) != .goOn }.keys)
    }
  }
}

/// The generations of a process that have not ended.
public struct OpenGenerations: Sendable, Equatable {
  public var all: Set<GenerationID> = []
  /// Those that another process watches.
  public var watched: Set<GenerationID> = []
}

/// What a watcher needs to know of a generation between its beginning and its end.
public struct WatchedGeneration: Sendable, Equatable {
  public var account: AccountID
  public var owner: OwnerID
  public var state: GenerationState
  public var created: Timestamp
  /// What the process at work has shared last; nil when it has shared nothing yet.
  public var progress: GenerationProgress?
  /// Until when a watcher is noted, in milliseconds since 1970; nil when none is.
  var watchedUntil: Int64?

  init(_ row: Row) throws {
    account = AccountID(rawValue: try row.value("account"))
    owner = OwnerID(rawValue: try row.value("owner"))
    state = try row.coded("state")
    created = Timestamp(milliseconds: try row.value("created"))
    watchedUntil = try row.optional("until")
    progress = try row.optionalJSON("progress")
  }
}
