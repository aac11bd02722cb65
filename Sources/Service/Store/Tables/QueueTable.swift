import AtelierProtocol

/// The SQL of the tables `queued_generation`, the queue that all processes share, `waiting_generation`, what waits for its
/// provider, and `queue_pause`.
struct QueueTable {
  let session: any SQLSession

  /// Which generations a process may begin.
  struct Claim: Sendable {
    var provider: ProviderID
    /// The process that asks.
    var process: ProcessID
    /// Whether it takes generations that nobody owns, too.
    var includesUnclaimed: Bool
    var now: Timestamp
    /// A model that has refused since is tried by one generation at a time, in milliseconds since 1970.
    var remembersSince: Int64
    /// The models of requests that name none: for pictures, and for places.
    var standardModel: String
    var standardTextModel: String
    /// The maximum number of running generations of a metered account.
    var perAccount: Int
  }

  /// A generation that may be begun.
  struct Candidate {
    var generation: GenerationID
    /// The model that its provider is asked for.
    var model: String
  }

  /// The generation that has waited longest of those that may be begun: its queue is not paused, its model has no
  /// cooldown, and its account does not have its maximum number running.
  func first(for claim: Claim) throws -> Candidate? {
    let row = try session.row(
      """
      SELECT generation_id, asked FROM (
        SELECT * FROM (\(Self.first(of: "?2"))) AS found_own
        UNION ALL SELECT * FROM (\(Self.first(of: "?3"))) AS found_unclaimed
      ) AS found ORDER BY ordinal, generation_id LIMIT 1
      """,
      [
        try StoredText.identifier(claim.provider.rawValue), claim.process.rawValue,
        claim.includesUnclaimed ? ProcessID.nobody.rawValue : claim.process.rawValue, claim.perAccount,
        claim.now.milliseconds, claim.standardModel, claim.standardTextModel, claim.remembersSince,
      ])
    return try row.map { row in
      Candidate(generation: GenerationID(rawValue: try row.value("generation_id")), model: try row.value("asked"))
    }
  }

  /// The first that may be begun of those that one process owns, or nobody: what others own is not looked at.
  private static func first(of process: String) -> String {
    """
    SELECT ordinal, generation_id, \(modelOfCandidate) AS asked
    FROM queued_generation AS candidate INDEXED BY queued_generation_by_process
    WHERE provider = ?1 AND process = \(process)
      AND NOT EXISTS (SELECT 1 FROM queue_pause WHERE queue_pause.account IN ('', candidate.account))
      AND NOT EXISTS (
        SELECT 1 FROM provider_cooldown AS cooldown
        WHERE cooldown.provider = candidate.provider AND cooldown.model IN ('', \(modelOfCandidate))
          AND set_at <= ?5 AND (until > ?5 OR until > ?8 AND EXISTS (
            SELECT 1 FROM generation WHERE id = cooldown.trial AND state = 'running')))
      AND (candidate.account = 'owner' OR EXISTS (
        SELECT 1 FROM account WHERE id = candidate.account AND is_unlimited = 1) OR (
        SELECT count(*) FROM generation INDEXED BY generation_open_by_account
        WHERE generation.account = candidate.account AND state IN ('queued', 'running') AND state = 'running') < ?4)
    ORDER BY ordinal, generation_id LIMIT 1
    """
  }

  /// The model that the provider of a queued generation is asked for.
  private static let modelOfCandidate = """
    CASE WHEN candidate.model <> '' THEN candidate.model
      WHEN (SELECT recipe FROM generation WHERE id = candidate.generation_id) = 'places' THEN ?7 ELSE ?6 END
    """

  /// Whether a generation has waited until its deadline.
  func isAnyDue(at now: Timestamp) throws -> Bool {
    try session.finds("\(Self.due) LIMIT 1", [now.milliseconds])
  }

  /// The generations that have waited until their deadline.
  func due(at now: Timestamp) throws -> [GenerationID] {
    try session.values(Self.due, [now.milliseconds], as: String.self).map { GenerationID(rawValue: $0) }
  }

  private static let due = """
    SELECT generation_id FROM queued_generation INDEXED BY queued_generation_by_deadline
    WHERE deadline IS NOT NULL AND deadline <= ? ORDER BY deadline
    """

  /// The earliest deadline in the queue.
  func firstDeadline() throws -> Timestamp? {
    try session.value(
      """
      SELECT min(deadline) FROM queued_generation INDEXED BY queued_generation_by_deadline
      WHERE deadline IS NOT NULL
      """, as: Int64.self
    ).map(Timestamp.init(milliseconds:))
  }

  /// The providers that generations wait for.
  func providers() throws -> [ProviderID] {
    // One index lookup per provider, however many generations wait for each.
    try session.values(
      """
      WITH RECURSIVE awaited (provider) AS (
        SELECT min(provider) FROM queued_generation
        UNION ALL
        SELECT (SELECT min(queued_generation.provider) FROM queued_generation
          WHERE queued_generation.provider > awaited.provider) FROM awaited WHERE awaited.provider IS NOT NULL
      )
      SELECT provider FROM awaited WHERE provider IS NOT NULL
      """, as: String.self
    ).map { ProviderID(rawValue: $0) }
  }

  /// How many generations wait for each provider. Reads all of them.
  func countByProvider() throws -> [ProviderID: Int] {
    let rows = try session.rows("SELECT provider, count(*) AS count FROM queued_generation GROUP BY provider")
    var counts: [ProviderID: Int] = [:]
    for row in rows { counts[ProviderID(rawValue: try row.value("provider"))] = try row.value("count") }
    return counts
  }

  /// The generations in the queue, by provider.
  /// - Parameter account: the account they belong to; nil for all accounts.
  func lines(of account: AccountID?) throws -> [QueueLine] {
    try session.rows(
      """
      SELECT line.provider AS provider, line.count AS count, generation.created AS created FROM (
        SELECT provider, count(*) AS count, min(ordinal) AS oldest FROM queued_generation
        \(account == nil ? "" : "WHERE account = ?") GROUP BY provider) AS line
        LEFT JOIN generation ON generation.ordinal = line.oldest
      ORDER BY line.provider
      """,
      try account.map { [try StoredText.identifier($0.rawValue)] } ?? []
    ).map { row in
      QueueLine(
        provider: ProviderID(rawValue: try row.value("provider")), count: try row.value("count"),
        oldest: try row.time("created") ?? Timestamp(milliseconds: 0))
    }
  }

  /// The positions of the generations of a process, each among those that wait for the same provider.
  func positions(ofProcess process: ProcessID) throws -> [GenerationID: Int] {
    let rows = try session.rows(
      """
      SELECT generation_id, position FROM (
        SELECT generation_id, process,
          row_number() OVER (PARTITION BY provider ORDER BY ordinal, generation_id) AS position
        FROM queued_generation) AS placed
      WHERE process = ?
      """,
      [process.rawValue])
    var positions: [GenerationID: Int] = [:]
    for row in rows { positions[GenerationID(rawValue: try row.value("generation_id"))] = try row.value("position") }
    return positions
  }

  /// The position of a generation among those that wait for the same provider.
  /// - Returns: 1 for the first; nil when it is not in the queue.
  func position(of id: GenerationID) throws -> Int? {
    let entry = try session.row(
      "SELECT provider, ordinal FROM queued_generation WHERE generation_id = ?",
      [try StoredText.identifier(id.rawValue)])
    guard let entry else { return nil }
    return try session.value(
      """
      SELECT count(*) FROM queued_generation
      WHERE provider = ?1 AND (ordinal < ?2 OR ordinal = ?2 AND generation_id <= ?3)
      """,
      [try entry.value("provider", as: String.self), try entry.value("ordinal", as: Int64.self), id.rawValue])
  }

  /// The deadline of a generation that waits for its provider, and how often it was refused.
  /// - Returns: nil for one that does not have to wait.
  func entry(of id: GenerationID) throws -> (deadline: Timestamp, attempts: Int)? {
    try session.row(
      "SELECT deadline, attempts FROM waiting_generation WHERE generation_id = ?",
      [try StoredText.identifier(id.rawValue)]
    ).map { (deadline: Timestamp(milliseconds: try $0.value("deadline")), attempts: try $0.value("attempts")) }
  }
}

extension QueueTable {
  /// Adds a generation, which keeps its position when it is there. Only one that names its provider is added.
  func add(_ id: GenerationID) throws {
    try session.run(Self.adding(those: "id = ?"), [id.rawValue])
  }

  /// Adds several, as with one.
  func add(_ ids: [GenerationID]) throws {
    try session.run(Self.adding(those: "id IN (SELECT value FROM json_each(?))"), [try StoredText.json(ids)])
  }

  /// - Parameter condition: selects the rows of `generation`.
  private static func adding(those condition: String) -> String {
    """
    INSERT INTO queued_generation (provider, ordinal, generation_id, account, model, process, deadline)
    SELECT COALESCE(waiting.provider, generation.provider), generation.ordinal, id, generation.account,
      COALESCE(model, ''), process, deadline
    FROM generation LEFT JOIN waiting_generation AS waiting ON waiting.generation_id = generation.id
    WHERE generation.provider IS NOT NULL AND \(condition)
    ON CONFLICT (generation_id) DO UPDATE SET process = excluded.process
    """
  }

  /// Keeps when a generation has waited too long. A deadline that it has already stays.
  func keep(_ entry: QueueEntry, of row: GenerationRow) throws {
    try session.run(
      """
      INSERT INTO waiting_generation (generation_id, account, provider, deadline, attempts)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (generation_id) DO UPDATE SET provider = excluded.provider, attempts = excluded.attempts
      """,
      [
        row.id.rawValue, row.account.rawValue, try StoredText.identifier(entry.provider.rawValue),
        entry.deadline.milliseconds, entry.attempts,
      ])
  }
}

/// Pauses: of one account, or of all.
extension QueueTable {
  /// Whether the queue of this account is paused; for nil, whether it is paused for all accounts.
  func isPaused(account: AccountID?) throws -> Bool {
    try session.finds("SELECT 1 FROM queue_pause WHERE account IN ('', ?) LIMIT 1", [try Self.name(of: account)])
  }

  func pause(account: AccountID?, since now: Timestamp) throws {
    try session.run(
      "INSERT INTO queue_pause (account, since) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [try Self.name(of: account), now.milliseconds])
  }

  func resume(account: AccountID?) throws {
    try session.run("DELETE FROM queue_pause WHERE account = ?", [try Self.name(of: account)])
  }

  private static func name(of account: AccountID?) throws -> String {
    try account.map { try StoredText.identifier($0.rawValue) } ?? ""
  }
}

extension SQLSession {
  var queue: QueueTable { QueueTable(session: self) }
}
