import AtelierProtocol
import GRDB

extension Store {
  /// How the queue stands; cheap while nothing waits.
  public func queueStanding() async throws(AtelierError) -> QueueStanding {
    try await read { [self] database in
      var standing = QueueStanding()
      let lines = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT waiting.provider, count(*) AS count, sum(owner <> ?) AS others, min(deadline) AS deadline
            FROM waiting_generation AS waiting JOIN generation ON id = generation_id
            WHERE state = 'queued' GROUP BY waiting.provider
            """), arguments: [owner.rawValue])
      for line in lines {
        standing.waiting[ProviderID(rawValue: try line.value("provider"))] = try line.value("count")
        if try line.value("others", as: Int.self) > 0 { standing.othersWait = true }
        let deadline = Timestamp(milliseconds: try line.value("deadline"))
        standing.nextDeadline = min(standing.nextDeadline ?? deadline, deadline)
      }
      if lines.isEmpty { return standing }
      standing.own = try guests(in: database)
      standing.outages = try outages(in: database)
      standing.cooldowns = try currentCooldowns(in: database)
      for account in try String.fetchAll(database, sql: "SELECT account FROM queue_pause") {
        if account.isEmpty { standing.isPaused = true } else { standing.pausedAccounts.insert(AccountID(rawValue: account)) }
      }
      return standing
    }
  }

  private func guests(in database: Database) throws -> [QueueStanding.Guest] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT * FROM (
          SELECT generation_id, owner, waiting.account, waiting.provider, created, generation.rowid AS turn,
            row_number() OVER (PARTITION BY waiting.provider ORDER BY created, generation.rowid) AS position
          FROM waiting_generation AS waiting JOIN generation ON id = generation_id WHERE state = 'queued')
        WHERE owner = ? ORDER BY created, turn
        """)
    return try Array(
      Row.fetchCursor(statement, arguments: [owner.rawValue]).map { row in
        QueueStanding.Guest(
          id: GenerationID(rawValue: try row.value("generation_id")),
          account: AccountID(rawValue: try row.value("account")),
          provider: ProviderID(rawValue: try row.value("provider")), position: try row.value("position"))
      })
  }

  private func currentCooldowns(in database: Database) throws -> [ProviderID: Timestamp] {
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT provider, until FROM provider_cooldown WHERE until > ?"),
      arguments: [surroundings.now().milliseconds])
    return Dictionary(
      try rows.map {
        (ProviderID(rawValue: try $0.value("provider")), Timestamp(milliseconds: try $0.value("until")))
      }, uniquingKeysWith: max)
  }

  /// Where a generation of any process stands in the line for its provider.
  /// - Returns: 1 for the first; nil when it does not wait.
  public func queuePosition(of id: GenerationID) async throws(AtelierError) -> Int? {
    try await read { database in
      try Int.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT (
              SELECT count(*) FROM waiting_generation AS other JOIN generation ON id = other.generation_id
              WHERE state = 'queued' AND other.provider = mine.provider
                AND (created, generation.rowid) <= (SELECT created, rowid FROM generation WHERE id = ?1))
            FROM waiting_generation AS mine JOIN generation AS self ON self.id = mine.generation_id
            WHERE mine.generation_id = ?1 AND self.state = 'queued'
            """), arguments: [try StoredText.identifier(id.rawValue)])
    }
  }

  /// What waits, by provider.
  /// - Parameter account: whose; nil for everybody's.
  public func waitingLines(of account: AccountID?) async throws(AtelierError) -> [WaitingLine] {
    try await read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT waiting.provider, count(*) AS count, min(created) AS oldest
          FROM waiting_generation AS waiting JOIN generation ON id = generation_id
          WHERE state = 'queued' AND (?1 IS NULL OR waiting.account = ?1)
          GROUP BY waiting.provider ORDER BY waiting.provider
          """, arguments: [try account.map { try StoredText.identifier($0.rawValue) }]
      ).map { row in
        WaitingLine(
          provider: ProviderID(rawValue: try row.value("provider")), count: try row.value("count"),
          oldest: Timestamp(milliseconds: try row.value("oldest")))
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
}
