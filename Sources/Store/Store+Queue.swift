import AtelierProtocol
import GRDB
import JSONRPC

extension Store {
  /// Has a generation of this process wait for its provider: it is `queued` again, and any process may take it over
  /// should this one be gone.
  ///
  /// The staged pictures belong to the store from here on, unless this throws.
  /// - Parameter outage: how long nobody is to look for the provider; nil where it was reached and asked for a pause.
  /// - Returns: the row; nil when it ended meanwhile.
  /// - Throws: `storage_full`, `overloaded`; the generation is as it was then.
  public func park(
    _ id: GenerationID, at place: WaitingPlace, outage: ProbeBackoff?
  ) async throws(AtelierError) -> GenerationRow? {
    let row: GenerationRow?
    do {
      row = try await write { [self] database in
        guard try standing(id, in: database) == .goOn, var row = try generation(id, in: database) else { return nil }
        try insert(place, for: row, into: database)
        row.wait(at: place)
        try database.cachedStatement(
          sql: """
            UPDATE generation SET state = 'queued', phase = 'queued', message = ?, fraction = NULL, started = NULL,
              request = ?, is_requeueable = 1
            WHERE id = ?
            """
        ).execute(arguments: [row.message, try StoredText.json(JSONValue.object(row.request)), row.id.rawValue])
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

  /// Writes the place of a generation, whose row is there.
  func insert(_ place: WaitingPlace, for row: GenerationRow, into database: Database) throws {
    for input in place.inputs { _ = try insert(input, into: database) }
    try database.cachedStatement(
      sql: """
        INSERT INTO waiting_generation (generation_id, account, provider, deadline, attempts, inputs)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (generation_id) DO UPDATE SET provider = excluded.provider, attempts = excluded.attempts
        """
    ).execute(arguments: [
      row.id.rawValue, row.account.rawValue, try StoredText.identifier(place.provider.rawValue),
      place.deadline.milliseconds, place.attempts, try StoredText.json(place.inputs.map(\.id)),
    ])
  }

  /// Begins a generation of this process that waits, unless its queue is paused or its time is over.
  public func claim(_ id: GenerationID) async throws(AtelierError) -> ClaimOutcome {
    try await write { [self] database in
      let now = surroundings.now().milliseconds
      try database.cachedStatement(
        sql: """
          UPDATE generation SET state = 'running', phase = 'preparing', started = ?1
          WHERE id = ?2 AND owner = ?3 AND state = 'queued' AND EXISTS (
            SELECT 1 FROM waiting_generation AS waiting
            WHERE generation_id = ?2 AND deadline > ?1
              AND NOT EXISTS (SELECT 1 FROM queue_pause WHERE queue_pause.account IN ('', waiting.account)))
          """
      ).execute(arguments: [now, try StoredText.identifier(id.rawValue), owner.rawValue])
      if database.changesCount > 0 { return .begun }
      return try standing(id, in: database) == .goOn ? .heldBack : .ended
    }
  }

  /// How long a generation may wait and how often it has been refused; nil for one that never had to wait.
  public func waitingPlace(
    of id: GenerationID
  ) async throws(AtelierError) -> (deadline: Timestamp, attempts: Int)? {
    try await read { database in
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT deadline, attempts FROM waiting_generation WHERE generation_id = ?"),
        arguments: [try StoredText.identifier(id.rawValue)]
      ).map { (Timestamp(milliseconds: try $0.value("deadline")), try $0.value("attempts")) }
    }
  }

  /// Ends what has waited too long, of any process, and gives back what was held for it.
  /// - Returns: the rows of those that expired now.
  @discardableResult
  public func expireWaiting() async throws(AtelierError) -> [GenerationRow] {
    let due = "SELECT generation_id FROM waiting_generation WHERE deadline <= ?"
    let isDue = try await read { [self] database in
      try String.fetchOne(
        database.cachedStatement(sql: "\(due) LIMIT 1"), arguments: [surroundings.now().milliseconds]) != nil
    }
    guard isDue else { return [] }
    return try await write { [self] database in
      let now = surroundings.now().milliseconds
      let ids = try String.fetchAll(
        database,
        sql: """
          UPDATE generation SET state = 'expired', finished = ? WHERE state = 'queued' AND id IN (\(due)) RETURNING id
          """, arguments: [now, now])
      let ledger = try ledger(in: database)
      for id in ids { try ledger.endHold(for: GenerationID(rawValue: id), capturing: 0, because: "expired") }
      return try generations(ids, in: database)
    }
  }

  /// How long the work took on the latest generations that succeeded, newest first.
  public func paceSamples(ofLatest count: Int) async throws(AtelierError) -> [PaceSample] {
    try await read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT provider, recipe, finished - started AS took FROM (
            SELECT * FROM generation ORDER BY created DESC, id DESC LIMIT ?)
          WHERE state IN ('succeeded', 'partial') AND NOT is_cached AND started IS NOT NULL AND provider IS NOT NULL
          """, arguments: [count])
      return try Array(
        rows.map { row in
          PaceSample(
            provider: ProviderID(rawValue: try row.value("provider")), recipe: try row.coded("recipe"),
            milliseconds: try row.value("took"))
        })
    }
  }
}

extension GenerationRow {
  /// The row as it is read back once it waits.
  mutating func wait(at place: WaitingPlace) {
    state = .queued
    phase = .queued
    message = StoredText.readable(place.message)
    fraction = nil
    started = nil
    request = place.request
    isRequeueable = true
  }
}
