import AtelierProtocol
import GRDB

/// The offline queue that all processes share.
extension Store {
  /// Stores the data that a generation needs while it waits for its provider, and adds it to the queue. Its row exists.
  func insert(_ place: QueuePlacement, for row: GenerationRow, into database: Database) throws {
    for input in place.inputs { _ = try insert(input, neededBy: row.id, into: database) }
    try database.cachedStatement(
      sql: """
        INSERT INTO waiting_generation (generation_id, account, provider, deadline, attempts)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (generation_id) DO UPDATE SET provider = excluded.provider, attempts = excluded.attempts
        """
    ).execute(arguments: [
      row.id.rawValue, row.account.rawValue, try StoredText.identifier(place.provider.rawValue),
      place.deadline.milliseconds, place.attempts,
    ])
    try enqueue("id = ?", [row.id.rawValue], in: database)
  }

  /// The deadline of a waiting generation and how often it was refused; nil for a generation that never had to wait.
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

  /// The state of the queue; costs next to nothing while no generation waits.
  public func queueState() async throws(AtelierError) -> QueueState {
    try await read { [self] database in
      var queueState = QueueState()
      let lines = try Row.fetchAll(
        database.cachedStatement(sql: "SELECT provider, count(*) AS count FROM queued_generation GROUP BY provider"))
      if lines.isEmpty { return queueState }
      for line in lines {
        queueState.waiting[ProviderID(rawValue: try line.value("provider"))] = try line.value("count")
      }
      queueState.nextDeadline = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT min(deadline) FROM queued_generation INDEXED BY queued_generation_by_deadline
            WHERE deadline IS NOT NULL
            """)
      ).map(Timestamp.init(milliseconds:))
      queueState.positions = try ownPositions(in: database)
      queueState.outages = try outages(in: database)
      queueState.cooldowns = try currentCooldowns(in: database)
      queueState.isPaused =
        try Bool.fetchOne(
          database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM queue_pause WHERE account = '')")) ?? false
      return queueState
    }
  }

  /// The positions of this process's generations, each among those that wait for the same provider.
  private func ownPositions(in database: Database) throws -> [GenerationID: Int] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT generation_id, position FROM (
            SELECT generation_id, owner,
              row_number() OVER (PARTITION BY provider ORDER BY ordinal, generation_id) AS position
            FROM queued_generation)
          WHERE owner = ?
          """), arguments: [owner.rawValue])
    var positions: [GenerationID: Int] = [:]
    while let row = try rows.next() {
      positions[GenerationID(rawValue: try row.value("generation_id"))] = try row.value("position")
    }
    return positions
  }

  /// The cooldown of each provider that ends last, of whichever model.
  private func currentCooldowns(in database: Database) throws -> [ProviderID: Timestamp] {
    let now = surroundings.now().milliseconds
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT provider, until FROM provider_cooldown WHERE set_at <= ? AND until > ?"),
      arguments: [now, now])
    return Dictionary(
      try rows.map {
        (ProviderID(rawValue: try $0.value("provider")), Timestamp(milliseconds: try $0.value("until")))
      }, uniquingKeysWith: max)
  }

  /// The position of a generation of any process among those that wait for the same provider.
  /// - Returns: 1 for the first; nil when it is not in the queue.
  public func queuePosition(of id: GenerationID) async throws(AtelierError) -> Int? {
    try await read { database in
      let place = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT provider, ordinal FROM queued_generation WHERE generation_id = ?"),
        arguments: [try StoredText.identifier(id.rawValue)])
      guard let place else { return nil }
      return try Int.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT count(*) FROM queued_generation
            WHERE provider = ?1 AND (ordinal < ?2 OR ordinal = ?2 AND generation_id <= ?3)
            """),
        arguments: [
          try place.value("provider", as: String.self), try place.value("ordinal", as: Int64.self), id.rawValue,
        ])
    }
  }

  /// The generations in the queue, by provider.
  /// - Parameter account: the account they belong to; nil for all accounts.
  public func waitingLines(of account: AccountID?) async throws(AtelierError) -> [QueueLine] {
    try await read { database in
      // With min(ordinal), SQLite returns the generation_id of the row that has the minimum.
      let lines = """
        SELECT provider, count(*) AS count, min(ordinal), generation_id AS first FROM queued_generation
        \(account == nil ? "" : "WHERE account = ?") GROUP BY provider ORDER BY provider
        """
      let created = try database.cachedStatement(sql: "SELECT created FROM generation WHERE id = ?")
      return try Row.fetchAll(
        database.cachedStatement(sql: lines),
        arguments: try account.map { [try StoredText.identifier($0.rawValue)] } ?? []
      ).map { row in
        let first: String = try row.value("first")
        return QueueLine(
          provider: ProviderID(rawValue: try row.value("provider")), count: try row.value("count"),
          oldest: Timestamp(milliseconds: try Int64.fetchOne(created, arguments: [first]) ?? 0))
      }
    }
  }

  /// Pauses or resumes waiting generations in every process, until changed again. Repeating a call has no effect.
  /// - Parameter account: the account to pause; nil for all accounts.
  public func setPaused(_ isPaused: Bool, account: AccountID?) async throws(AtelierError) {
    try await write { [self] database in
      let name = try account.map { try StoredText.identifier($0.rawValue) } ?? ""
      if isPaused {
        try database.execute(
          sql: "INSERT INTO queue_pause (account, since) VALUES (?, ?) ON CONFLICT DO NOTHING",
          arguments: [name, surroundings.now().milliseconds])
      } else {
        try database.execute(sql: "DELETE FROM queue_pause WHERE account = ?", arguments: [name])
      }
    }
  }

  /// Whether the queue of this account is paused; for nil, whether it is paused for all accounts.
  public func isPaused(account: AccountID?) async throws(AtelierError) -> Bool {
    try await read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM queue_pause WHERE account IN ('', ?))",
        arguments: [try account.map { try StoredText.identifier($0.rawValue) } ?? ""]) ?? false
    }
  }

  /// The durations of the latest successful generations, newest first.
  public func durationSamples(ofLatest count: Int) async throws(AtelierError) -> [DurationSample] {
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
          DurationSample(
            provider: ProviderID(rawValue: try row.value("provider")), recipe: try row.coded("recipe"),
            milliseconds: try row.value("took"))
        })
    }
  }
}

extension GenerationRow {
  /// The row as it reads once it waits.
  mutating func wait(at place: QueuePlacement) {
    state = .queued
    phase = .queued
    message = StoredText.readable(place.message)
    fraction = nil
    started = nil
    request = place.request
    isRequeueable = true
  }
}
