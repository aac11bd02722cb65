import AtelierProtocol
import GRDB
import JSON

/// How the state of a generation changes in the store. What may follow what is decided by ``Generation`` alone, within
/// the transaction that writes the result.
extension Store {
  /// The stored life of a generation, and the process that owns it.
  struct StoredLife {
    var generation: Generation
    var owner: OwnerID
  }

  func life(of id: GenerationID, in database: Database) throws -> StoredLife? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT owner, state FROM generation WHERE id = ?"),
      arguments: [try StoredText.identifier(id.rawValue)])
    return try row.map {
      StoredLife(
        generation: Generation(state: try $0.coded("state")), owner: OwnerID(rawValue: try $0.value("owner")))
    }
  }

  /// Whether this process is to go on with the generation.
  func standing(_ id: GenerationID, in database: Database) throws -> NoteOutcome {
    guard let life = try life(of: id, in: database) else { return .ended(nil) }
    return life.generation.state.isFinal || life.owner != owner ? .ended(life.generation.state) : .goOn
  }

  /// Moves a queued generation of this process to `running`.
  public func start(_ id: GenerationID) async throws(AtelierError) -> NoteOutcome {
    try await write { [self] database in
      guard var life = try life(of: id, in: database), life.owner == owner,
        (try? life.generation.apply(.started)) != nil
      else { return try standing(id, in: database) }
      try begin(id, as: life.generation, in: database)
      return .goOn
    }
  }

  private func begin(_ id: GenerationID, as generation: Generation, in database: Database) throws {
    try database.cachedStatement(
      sql: "UPDATE generation SET state = ?, phase = 'preparing', started = ?, owner = ? WHERE id = ?"
    ).execute(arguments: [generation.state.rawValue, surroundings.now().milliseconds, owner.rawValue, id.rawValue])
  }

  /// Takes the generation that waits longest for a provider and may be begun now, and begins it: it is this process's
  /// and `running` from here on.
  ///
  /// Only what is nobody's or this process's own is taken, and nothing that a pause of the model holds back, or of an
  /// account whose queue is paused or that has as many running as it may.
  /// - Parameters:
  ///   - includingUnowned: false where only this process's own are wanted.
  ///   - standardModel: the model that the provider uses for a request that names none.
  ///   - perAccount: how many of a metered account may run at a time.
  /// - Returns: its row; nil when there is none.
  public func claimNext(
    for provider: ProviderID, includingUnowned: Bool, standardModel: String = "", perAccount: Int = .max
  ) async throws(AtelierError) -> GenerationRow? {
    let candidate = """
      SELECT generation_id FROM queued_generation AS candidate
      WHERE provider = ?1 AND owner IN (?2, ?3)
        AND NOT EXISTS (SELECT 1 FROM queue_pause WHERE queue_pause.account IN ('', candidate.account))
        AND NOT EXISTS (
          SELECT 1 FROM provider_cooldown AS cooldown
          WHERE cooldown.provider = candidate.provider AND set_at <= ?5 AND until > ?5
            AND cooldown.model IN ('', CASE candidate.model WHEN '' THEN ?6 ELSE candidate.model END))
        AND (candidate.account = 'owner' OR EXISTS (
          SELECT 1 FROM account WHERE id = candidate.account AND is_unlimited) OR (
          SELECT count(*) FROM generation INDEXED BY generation_open_by_account
          WHERE generation.account = candidate.account AND state IN ('queued', 'running') AND state = 'running') < ?4)
      ORDER BY turn, generation_id LIMIT 1
      """
    let arguments: StatementArguments = [
      try StoredText.identifier(provider.rawValue), owner.rawValue,
      includingUnowned ? OwnerID.nobody.rawValue : owner.rawValue, perAccount,
      surroundings.now().milliseconds, standardModel,
    ]
    // Where there is none, nobody has to wait for the right to write.
    let isThere = try await read { database in
      try String.fetchOne(database.cachedStatement(sql: candidate), arguments: arguments) != nil
    }
    guard isThere else { return nil }
    return try await write { [self] database in
      let found = try String.fetchOne(database.cachedStatement(sql: candidate), arguments: arguments)
      guard let id = found.map({ GenerationID(rawValue: $0) }), var life = try life(of: id, in: database),
        (try? life.generation.apply(.started)) != nil
      else { return nil }
      try begin(id, as: life.generation, in: database)
      return try generation(id, in: database)
    }
  }

  /// Gives back generations of this process that nothing was sent for: any process may begin them, now or later.
  /// - Returns: those that are in the queue now; the others have ended, or only this process could do them.
  public func release(_ ids: Set<GenerationID>) async throws(AtelierError) -> Set<GenerationID> {
    if ids.isEmpty { return [] }
    return try await write { [self] database in
      try ids.filter { id in
        guard var life = try life(of: id, in: database), life.owner == owner,
          (try? life.generation.apply(.returnedToQueue)) != nil
        else { return false }
        try database.cachedStatement(
          sql: """
            UPDATE generation SET state = ?, phase = 'queued', fraction = NULL, started = NULL, owner = ?
            WHERE id = ? AND is_requeueable
            """
        ).execute(arguments: [life.generation.state.rawValue, OwnerID.nobody.rawValue, id.rawValue])
        guard database.changesCount > 0 else { return false }
        try enqueue("id = ?", [id.rawValue], in: database)
        return true
      }
    }
  }

  /// Has a generation of this process wait for its provider: it is `queued` again, and any process may take it over
  /// should this one be gone.
  ///
  /// The staged pictures belong to the store from here on, unless this throws.
  /// - Parameter outage: how long nobody is to look for the provider; nil where it was reached and asked for a pause.
  /// - Returns: the row; nil when it ended meanwhile.
  /// - Throws: `storage_full`, `overloaded`; the generation is as it was then.
  public func park(
    _ id: GenerationID, at place: QueuePlacement, outage: ProbeBackoff?
  ) async throws(AtelierError) -> GenerationRow? {
    let row: GenerationRow?
    do {
      row = try await write { [self] database in
        guard var life = try life(of: id, in: database), life.owner == owner,
          (try? life.generation.apply(.returnedToQueue)) != nil, var row = try generation(id, in: database)
        else { return nil }
        row.wait(at: place)
        row.state = life.generation.state
        try database.cachedStatement(
          sql: """
            UPDATE generation SET state = ?, phase = 'queued', message = ?, fraction = NULL, started = NULL,
              request = ?, is_requeueable = 1
            WHERE id = ?
            """
        ).execute(arguments: [
          row.state.rawValue, row.message, try StoredText.json(JSONValue.object(row.request)), row.id.rawValue,
        ])
        try insert(place, for: row, into: database)
        if let outage { try noteOutage(of: place.provider, outage, in: database) }
        return row
      }
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
    await discard(place.inputs.compactMap(\.source.staged))
    return row
  }

  /// Ends a generation of any process, unless it has ended.
  /// - Parameter account: whose it must be; nil for anybody's.
  public func cancel(_ id: GenerationID, account: AccountID?) async throws(AtelierError) -> CancelOutcome {
    try await write { [self] database in
      guard let row = try generation(id, in: database), account == nil || row.account == account else {
        return .notFound
      }
      if row.state == .cancelled { return .alreadyCancelled(row) }
      var life = Generation(state: row.state)
      guard (try? life.apply(.cancelRequested)) != nil else { return .alreadyFinished(row) }
      if row.credits != nil { try ledger(in: database).endHold(for: id, capturing: 0, because: life.state.rawValue) }
      try database.cachedStatement(sql: "UPDATE generation SET state = ?, finished = ? WHERE id = ?")
        .execute(arguments: [life.state.rawValue, surroundings.now().milliseconds, id.rawValue])
      guard let cancelled = try generation(id, in: database) else { throw AtelierError.storeUnusable }
      return .cancelled(cancelled)
    }
  }

  /// Ends what has waited too long, of any process, and gives back what was held for it.
  /// - Returns: the rows of those that expired now.
  @discardableResult
  public func expireWaiting() async throws(AtelierError) -> [GenerationRow] {
    let due = """
      SELECT generation_id FROM queued_generation INDEXED BY queued_generation_by_deadline
      WHERE deadline IS NOT NULL AND deadline <= ? ORDER BY deadline
      """
    let isDue = try await read { [self] database in
      try mayExpire(in: database)
        && String.fetchOne(
          database.cachedStatement(sql: "\(due) LIMIT 1"), arguments: [surroundings.now().milliseconds]) != nil
    }
    guard isDue else { return [] }
    return try await write { [self] database in
      guard try mayExpire(in: database) else { return [] }
      let now = surroundings.now().milliseconds
      let ids = try String.fetchAll(database.cachedStatement(sql: due), arguments: [now])
      let ended = try ids.filter { id in
        guard var life = try life(of: GenerationID(rawValue: id), in: database),
          (try? life.generation.apply(.deadlinePassed)) != nil
        else { return false }
        try end(id, as: life.generation.state, because: nil, in: database)
        return true
      }
      return try generations(ended, in: database)
    }
  }

  /// Writes the end of a generation that delivered nothing and releases what is held for it.
  func end(_ id: String, as state: GenerationState, because error: AtelierError?, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE generation SET state = ?, finished = ?, error = ? WHERE id = ?")
      .execute(arguments: [
        state.rawValue, surroundings.now().milliseconds, try error.map { try StoredText.json(StoredError($0)) }, id,
      ])
    try database.requireChanged(1)
    try ledger(in: database).endHold(
      for: GenerationID(rawValue: id), capturing: 0, because: state.rawValue)
  }

  /// Puts generations into the queue that all processes share; those that are in it stay where they are.
  /// - Parameter condition: which rows of `generation`.
  func enqueue(_ condition: String, _ arguments: StatementArguments, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO queued_generation (provider, turn, generation_id, account, model, owner, deadline)
        SELECT COALESCE(waiting.provider, generation.provider), generation.rowid, id, generation.account,
          COALESCE(model, ''), owner, deadline
        FROM generation LEFT JOIN waiting_generation AS waiting ON waiting.generation_id = generation.id
        WHERE generation.provider IS NOT NULL AND \(condition)
        ON CONFLICT (generation_id) DO UPDATE SET owner = excluded.owner
        """
    ).execute(arguments: arguments)
  }
}

/// Where a running generation stands, for other processes that ask for its `status`.
public struct ProgressNote: Sendable, Equatable {
  public var phase: Phase
  /// One sentence for people.
  public var message: String
  /// 0…1, when it is known.
  public var fraction: Double?
  /// Strictly rising; an older note than the stored one changes nothing.
  public var sequence: Int64

  public init(phase: Phase, message: String, fraction: Double? = nil, sequence: Int64) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
    self.sequence = sequence
  }

  /// As a column holds it.
  var storedFraction: Double? { fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) } }
}

/// What ``Store/start(_:)`` and ``Store/note(_:for:)`` found.
public enum NoteOutcome: Sendable, Equatable {
  /// The generation is this process's to go on with.
  case goOn
  /// It ended meanwhile, because another process cancelled or deleted it (nil: the row is gone). Stop the work.
  case ended(GenerationState?)
}

/// What ``Store/cancel(_:account:)`` found.
public enum CancelOutcome: Sendable, Equatable {
  /// It was queued or running and is now `cancelled`. Its owner learns it from its next note or its finish.
  case cancelled(GenerationRow)
  /// It was cancelled before: the same answer again.
  case alreadyCancelled(GenerationRow)
  /// It ended otherwise: `already_finished`.
  case alreadyFinished(GenerationRow)
  /// No such generation for this account.
  case notFound
}
