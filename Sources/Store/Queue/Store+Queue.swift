import AtelierProtocol
import GRDB

/// The queue that all processes share, as it stands.
extension Store {
  /// Writes what a generation needs while it waits for its provider, and puts it into the queue. Its row is there.
  func insert(_ place: QueuePlacement, for row: GenerationRow, into database: Database) throws {
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
    try enqueue("id = ?", [row.id.rawValue], in: database)
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

  /// How the queue stands; costs next to nothing while nothing waits.
  public func queueStanding() async throws(AtelierError) -> QueueState {
    try await read { [self] database in
      var standing = QueueState()
      let lines = try Row.fetchAll(
        database.cachedStatement(sql: "SELECT provider, count(*) AS count FROM queued_generation GROUP BY provider"))
      if lines.isEmpty { return standing }
      for line in lines {
        standing.waiting[ProviderID(rawValue: try line.value("provider"))] = try line.value("count")
      }
      standing.nextDeadline = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT min(deadline) FROM queued_generation INDEXED BY queued_generation_by_deadline
            WHERE deadline IS NOT NULL
            """)
      ).map(Timestamp.init(milliseconds:))
      standing.positions = try ownPositions(in: database)
      standing.outages = try outages(in: database)
      standing.cooldowns = try currentCooldowns(in: database)
      standing.isPaused =
        try Bool.fetchOne(
          database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM queue_pause WHERE account = '')")) ?? false
      return standing
    }
  }

  /// Where this process's own stand, each in the line for its provider.
  private func ownPositions(in database: Database) throws -> [GenerationID: Int] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT generation_id, position FROM (
            SELECT generation_id, owner,
              row_number() OVER (PARTITION BY provider ORDER BY turn, generation_id) AS position
            FROM queued_generation)
          WHERE owner = ?
          """), arguments: [owner.rawValue])
    var positions: [GenerationID: Int] = [:]
    while let row = try rows.next() {
      positions[GenerationID(rawValue: try row.value("generation_id"))] = try row.value("position")
    }
    return positions
  }

  /// The last pause of each provider, whichever model that is of.
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

  /// Where a generation of any process stands in the line for its provider.
  /// - Returns: 1 for the first; nil when it is not in the queue.
  public func queuePosition(of id: GenerationID) async throws(AtelierError) -> Int? {
    try await read { database in
      let place = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT provider, turn FROM queued_generation WHERE generation_id = ?"),
        arguments: [try StoredText.identifier(id.rawValue)])
      guard let place else { return nil }
      return try Int.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT count(*) FROM queued_generation
            WHERE provider = ?1 AND (turn < ?2 OR turn = ?2 AND generation_id <= ?3)
            """),
        arguments: [
          try place.value("provider", as: String.self), try place.value("turn", as: Int64.self), id.rawValue,
        ])
    }
  }

  /// What is in the queue, by provider.
  /// - Parameter account: whose; nil for everybody's.
  public func waitingLines(of account: AccountID?) async throws(AtelierError) -> [QueueLine] {
    try await read { database in
      // With the least turn SQLite gives the generation that has it.
      let lines = """
        SELECT provider, count(*) AS count, min(turn), generation_id AS first FROM queued_generation
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

  /// Holds back what waits, or no longer, in every process and until it is said otherwise. Saying it twice is fine.
  /// - Parameter account: whose; nil for everybody's.
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

  /// Whether what this account has waiting is held back; for nil, whether everybody's is.
  public func isPaused(account: AccountID?) async throws(AtelierError) -> Bool {
    try await read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM queue_pause WHERE account IN ('', ?))",
        arguments: [try account.map { try StoredText.identifier($0.rawValue) } ?? ""]) ?? false
    }
  }

  /// How long the work took on the latest generations that succeeded, newest first.
  public func paceSamples(ofLatest count: Int) async throws(AtelierError) -> [DurationSample] {
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
  /// The row as it is read back once it waits.
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
