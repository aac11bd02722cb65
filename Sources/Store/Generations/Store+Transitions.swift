import AtelierProtocol
import GRDB
import JSON

/// State changes of a generation in the store. ``GenerationLifecycle`` alone decides which transitions are allowed, inside the
/// transaction that writes the result.
extension Store {
  /// The stored state of a generation, and the process that owns it.
  struct StoredLife {
    var generation: GenerationLifecycle
    var owner: OwnerID
  }

  func life(of id: GenerationID, in database: Database) throws -> StoredLife? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT owner, state FROM generation WHERE id = ?"),
      arguments: [try StoredText.identifier(id.rawValue)])
    return try row.map {
      StoredLife(
        generation: GenerationLifecycle(state: try $0.coded("state")), owner: OwnerID(rawValue: try $0.value("owner")))
    }
  }

  /// Whether this process must continue the generation.
  func standing(_ id: GenerationID, in database: Database) throws -> NoteOutcome {
    guard let life = try life(of: id, in: database) else { return .ended(nil) }
    return life.generation.state.isFinal || life.owner != owner ? .ended(life.generation.state) : .goOn
  }

  /// Moves a queued generation of this process to `running`.
  /// - Throws: what ``checkReady()`` throws; the generation is then unchanged.
  public func start(_ id: GenerationID) async throws(AtelierError) -> NoteOutcome {
    try await checkReady()
    return try await write { [self] database in
      guard var life = try life(of: id, in: database), life.owner == owner,
        (try? life.generation.apply(.started)) != nil
      else { return try standing(id, in: database) }
      try begin(id, as: life.generation, in: database)
      return .goOn
    }
  }

  /// Records that something of a generation of this process is about to be sent to a provider. From then on, the death
  /// of this process interrupts it; until then, any process may start it anew.
  public func noteSending(_ id: GenerationID) async throws(AtelierError) -> NoteOutcome {
    try await write { [self] database in
      let outcome = try standing(id, in: database)
      if outcome == .goOn {
        try database.cachedStatement(sql: "UPDATE generation SET is_sent = 1 WHERE id = ?")
          .execute(arguments: [try StoredText.identifier(id.rawValue)])
      }
      return outcome
    }
  }

  private func begin(_ id: GenerationID, as generation: GenerationLifecycle, in database: Database) throws {
    try database.cachedStatement(
      sql: "UPDATE generation SET state = ?, phase = 'preparing', message = '', started = ?, owner = ? WHERE id = ?"
    ).execute(arguments: [generation.state.rawValue, surroundings.now().milliseconds, owner.rawValue, id.rawValue])
  }

  /// Starts the generation that has waited longest for a provider and may start now: this process then owns it, and it
  /// is `running`.
  ///
  /// Takes only generations that have no owner or that this process owns. Skips generations whose model has a cooldown,
  /// whose account has a paused queue, or whose account already has its maximum number running. After a cooldown one
  /// generation at a time tries the model, until it succeeds.
  /// - Parameters:
  ///   - includingUnowned: false to take only generations that this process owns.
  ///   - standardModel: the model that the provider uses for a request for pictures that names none.
  ///   - standardTextModel: the same for places.
  ///   - perAccount: the maximum number of running generations of a metered account.
  /// - Returns: the row of the generation; nil when there is none.
  public func claimNext(
    for provider: ProviderID, includingUnowned: Bool, standardModel: String = "", standardTextModel: String = "",
    perAccount: Int = .max
  ) async throws(AtelierError) -> GenerationRow? {
    let candidate = """
      SELECT generation_id, \(Self.modelOfCandidate) AS asked FROM queued_generation AS candidate
      WHERE provider = ?1 AND owner IN (?2, ?3)
        AND NOT EXISTS (SELECT 1 FROM queue_pause WHERE queue_pause.account IN ('', candidate.account))
        AND NOT EXISTS (
          SELECT 1 FROM provider_cooldown AS cooldown
          WHERE cooldown.provider = candidate.provider AND cooldown.model IN ('', \(Self.modelOfCandidate))
            AND set_at <= ?5 AND (until > ?5 OR until > ?8 AND EXISTS (
              SELECT 1 FROM generation WHERE id = cooldown.trial AND state = 'running')))
        AND (candidate.account = 'owner' OR EXISTS (
          SELECT 1 FROM account WHERE id = candidate.account AND is_unlimited) OR (
          SELECT count(*) FROM generation INDEXED BY generation_open_by_account
          WHERE generation.account = candidate.account AND state IN ('queued', 'running') AND state = 'running') < ?4)
      ORDER BY ordinal, generation_id LIMIT 1
      """
    let now = surroundings.now().milliseconds
    let arguments: StatementArguments = [
      try StoredText.identifier(provider.rawValue), owner.rawValue,
      includingUnowned ? OwnerID.nobody.rawValue : owner.rawValue, perAccount,
      now, standardModel, standardTextModel, now.subtractingReportingOverflow(RefusalBackoff.rememberedMs).partialValue,
    ]
    // Without a candidate, the write lock is not needed.
    let isThere = try await read { database in
      try String.fetchOne(database.cachedStatement(sql: candidate), arguments: arguments) != nil
    }
    guard isThere else { return nil }
    try await checkReady()
    return try await write { [self] database in
      guard let found = try Row.fetchOne(database.cachedStatement(sql: candidate), arguments: arguments) else { return nil }
      let id = GenerationID(rawValue: try found.value("generation_id"))
      guard var life = try life(of: id, in: database), (try? life.generation.apply(.started)) != nil else { return nil }
      try database.cachedStatement(
        sql: "UPDATE provider_cooldown SET trial = ? WHERE provider = ? AND model IN ('', ?)"
      ).execute(arguments: [id.rawValue, provider.rawValue, try found.value("asked", as: String.self)])
      try begin(id, as: life.generation, in: database)
      return try generation(id, in: database)
    }
  }

  /// The model that the provider of a queued generation is asked for.
  private static let modelOfCandidate = """
    CASE WHEN candidate.model <> '' THEN candidate.model
      WHEN (SELECT recipe FROM generation WHERE id = candidate.generation_id) = 'places' THEN ?7 ELSE ?6 END
    """

  /// Releases generations of this process for which nothing was sent: any process may start them, now or later.
  /// - Returns: the generations that are in the queue now; the others have ended, or only this process could run them.
  public func release(_ ids: Set<GenerationID>) async throws(AtelierError) -> Set<GenerationID> {
    if ids.isEmpty { return [] }
    return try await write { [self] database in
      try ids.filter { id in
        guard var life = try life(of: id, in: database), life.owner == owner,
          (try? life.generation.apply(.returnedToQueue)) != nil
        else { return false }
        try database.cachedStatement(
          sql: """
            UPDATE generation SET state = ?, phase = 'queued', fraction = NULL, started = NULL, owner = ?, is_sent = 0
            WHERE id = ? AND is_requeueable
            """
        ).execute(arguments: [life.generation.state.rawValue, OwnerID.nobody.rawValue, id.rawValue])
        guard database.changesCount > 0 else { return false }
        try enqueue("id = ?", [id.rawValue], in: database)
        return true
      }
    }
  }

  /// Makes a generation of this process wait for its provider: the generation is `queued` again, and any process may
  /// take it over if this one dies.
  ///
  /// The store owns the staged pictures from here on, unless this throws.
  /// - Parameter outage: how long no process may probe the provider; nil when the provider was reached and asked for a
  ///   pause.
  /// - Returns: the row; nil when the generation ended meanwhile.
  /// - Throws: `storage_full`, `overloaded`; the generation is then unchanged.
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
              request = ?, is_requeueable = 1, is_sent = 0
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

  /// Cancels a generation of any process, unless it has ended.
  /// - Parameter account: the account it must belong to; nil for any account.
  public func cancel(_ id: GenerationID, account: AccountID?) async throws(AtelierError) -> CancelOutcome {
    try await write { [self] in try cancel(id, account: account, in: $0) }
  }

  func cancel(_ id: GenerationID, account: AccountID?, in database: Database) throws -> CancelOutcome {
    guard let row = try generation(id, in: database), account == nil || row.account == account else { return .notFound }
    if row.state == .cancelled { return .alreadyCancelled(row) }
    var life = GenerationLifecycle(state: row.state)
    guard (try? life.apply(.cancelRequested)) != nil else { return .alreadyFinished(row) }
    if row.credits != nil { try ledger(in: database).endHold(for: id, capturing: 0, because: life.state.rawValue) }
    try database.cachedStatement(sql: "UPDATE generation SET state = ?, finished = ? WHERE id = ?")
      .execute(arguments: [life.state.rawValue, surroundings.now().milliseconds, id.rawValue])
    guard let cancelled = try generation(id, in: database) else { throw AtelierError.storeUnusable }
    return .cancelled(cancelled)
  }

  /// Expires the generations of any process that have waited too long, and releases their holds.
  /// - Returns: the rows of the generations that expired now.
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

  /// Writes the end of a generation that delivered nothing, and releases its hold.
  func end(_ id: String, as state: GenerationState, because error: AtelierError?, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE generation SET state = ?, finished = ?, error = ? WHERE id = ?")
      .execute(arguments: [
        state.rawValue, surroundings.now().milliseconds, try error.map { try StoredText.json(StoredError($0)) }, id,
      ])
    try database.requireChanged(1)
    try ledger(in: database).endHold(
      for: GenerationID(rawValue: id), capturing: 0, because: state.rawValue)
  }

  /// Adds generations to the queue that all processes share; generations already in it keep their position.
  /// - Parameter condition: selects the rows of `generation`.
  func enqueue(_ condition: String, _ arguments: StatementArguments, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO queued_generation (provider, ordinal, generation_id, account, model, owner, deadline)
        SELECT COALESCE(waiting.provider, generation.provider), generation.ordinal, id, generation.account,
          COALESCE(model, ''), owner, deadline
        FROM generation LEFT JOIN waiting_generation AS waiting ON waiting.generation_id = generation.id
        WHERE generation.provider IS NOT NULL AND \(condition)
        ON CONFLICT (generation_id) DO UPDATE SET owner = excluded.owner
        """
    ).execute(arguments: arguments)
  }
}

/// The progress of a running generation, for other processes that request its `status`.
public struct ProgressNote: Sendable, Equatable {
  public var phase: Phase
  /// One human-readable sentence.
  public var message: String
  /// 0…1; nil when unknown.
  public var fraction: Double?
  /// Strictly increasing; a note older than the stored one changes nothing.
  public var sequence: Int64

  public init(phase: Phase, message: String, fraction: Double? = nil, sequence: Int64) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
    self.sequence = sequence
  }

  /// The fraction as its column stores it.
  var storedFraction: Double? { fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) } }
}

/// The result of ``Store/start(_:)`` and ``Store/note(_:for:)``.
public enum NoteOutcome: Sendable, Equatable {
  /// This process must continue the generation.
  case goOn
  /// The generation ended meanwhile because another process cancelled or deleted it (nil: the row is gone). Stop the
  /// work.
  case ended(GenerationState?)
}

/// The result of ``Store/cancel(_:account:)``.
public enum CancelOutcome: Sendable, Equatable {
  /// It was queued or running and is now `cancelled`. Its owner learns this from its next note or its finish.
  case cancelled(GenerationRow)
  /// It was already cancelled: the answer is the same as before.
  case alreadyCancelled(GenerationRow)
  /// It ended in another state: `already_finished`.
  case alreadyFinished(GenerationRow)
  /// No such generation for this account.
  case notFound
}
