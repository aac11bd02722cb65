import AtelierProtocol
import JSON

/// The SQL of the table `generation`: rows, states and processes. `GenerationTable+Changes.swift` has what changes them, and
/// `GenerationTable+History.swift` the pages and sums of history.
struct GenerationTable {
  let session: any SQLSession

  /// All columns of a generation; nil when there is none.
  func row(of id: GenerationID) throws -> SQLRow? { try session.row(Self.row(of: id)) }

  static func row(of id: GenerationID) throws -> SQLQuery {
    SQLQuery("SELECT * FROM generation WHERE id = ?", [try StoredText.identifier(id.rawValue)])
  }

  /// All columns of these generations, oldest first. Those that are missing have been deleted.
  func rows(of ids: [GenerationID]) throws -> [SQLRow] {
    try session.rows(
      "SELECT * FROM generation WHERE id IN (SELECT value FROM json_each(?)) ORDER BY created, id",
      [try StoredText.json(ids)])
  }

  /// All columns of the generations that have not ended, oldest first, from the index that has only these: without
  /// statistics SQLite uses the index that gives the order, and reads all of it.
  /// - Parameter account: the account they belong to; nil for all accounts.
  func openRows(of account: AccountID?) throws -> [SQLRow] {
    guard let account else {
      return try session.rows(
        """
        SELECT * FROM generation INDEXED BY generation_open
        WHERE state IN ('queued', 'running') ORDER BY created, id
        """)
    }
    return try session.rows(
      """
      SELECT * FROM generation INDEXED BY generation_open_by_account
      WHERE account = ? AND state IN ('queued', 'running') ORDER BY created, id
      """,
      [try StoredText.identifier(account.rawValue)])
  }

  /// All columns of some generations of a process that have not ended.
  func openRows(ofProcess process: ProcessID, atMost count: Int) throws -> [SQLRow] {
    try session.rows(
      "SELECT * FROM generation WHERE process = ? AND state IN ('queued', 'running') LIMIT ?", [process.rawValue, count])
  }

  /// All columns of the generations that a process did not bring to their end.
  func interruptedRows(ofProcess process: ProcessID) throws -> [SQLRow] {
    try session.rows(
      "SELECT * FROM generation INDEXED BY generation_interrupted WHERE state = 'interrupted' AND process = ?",
      [process.rawValue])
  }

  /// All columns of the newest generation of an account that answers requests with a cache key.
  /// - Parameter key: 64 hexadecimal digits.
  func row(answering key: String, account: AccountID) throws -> SQLRow? {
    try session.row(
      """
      SELECT generation.* FROM generation_cache_key CROSS JOIN generation ON id = generation_id
      WHERE key = ? AND account = ? AND state = 'succeeded' AND is_private = 0 ORDER BY created DESC, id DESC LIMIT 1
      """,
      [key, try StoredText.identifier(account.rawValue)])
  }
}

extension GenerationTable {
  /// How many generations there are.
  func count() throws -> Int { try session.value("SELECT count(*) AS count FROM generation") ?? 0 }

  /// How many generations of an account have not ended, without those that wait in the queue.
  /// - Parameter recipe: nil for all recipes.
  func unqueuedCount(of account: AccountID, recipe: Recipe?) throws -> Int {
    try session.value(Self.unqueuedCount(of: account, recipe: recipe)) ?? 0
  }

  static func unqueuedCount(of account: AccountID, recipe: Recipe?) -> SQLQuery {
    let values: SQLValues = [account.rawValue]
    return SQLQuery(
      """
      SELECT count(*) AS count FROM generation INDEXED BY generation_open_by_account
      WHERE account = ? AND state IN ('queued', 'running')\(recipe == nil ? "" : " AND recipe = ?")
        AND NOT EXISTS (SELECT 1 FROM queued_generation WHERE generation_id = generation.id)
      """,
      recipe.map { values + [$0.rawValue] } ?? values)
  }
}

extension GenerationTable {
  /// - Returns: nil when there is no such generation.
  func life(of id: GenerationID) throws -> StoredLife? {
    try session.row(Self.life(of: id)).map { row in
      StoredLife(
        generation: GenerationLifecycle(state: try row.coded("state")),
        process: ProcessID(rawValue: try row.value("process")))
    }
  }

  static func life(of id: GenerationID) throws -> SQLQuery {
    SQLQuery("SELECT process, state FROM generation WHERE id = ?", [try StoredText.identifier(id.rawValue)])
  }

  /// The processes of generations that have not ended.
  func processesAtWork() throws -> [ProcessID] {
    // One index lookup per process, however many generations each has.
    try session.values(
      """
      WITH RECURSIVE at_work (process) AS (
        \(Self.firstOwner)
        UNION ALL
        SELECT (\(Self.firstOwner) AND generation.process > at_work.process) FROM at_work WHERE at_work.process IS NOT NULL
      )
      SELECT process FROM at_work WHERE process IS NOT NULL
      """, as: String.self
    ).map { ProcessID(rawValue: $0) }
  }

  private static let firstOwner = """
    SELECT min(generation.process) FROM generation INDEXED BY generation_open WHERE state IN ('queued', 'running')
    """

  /// Some generations of a process that have not ended, that any process can run, and for which nothing was sent.
  /// - Parameter most: as many processes may not have died while they worked on one.
  func repeatable(ofProcess process: ProcessID, lostProcessesBelow most: Int, atMost count: Int) throws -> [GenerationID] {
    try session.values(
      """
      SELECT id FROM generation INDEXED BY generation_open
      WHERE process = ? AND state IN ('queued', 'running') AND is_requeueable = 1 AND provider IS NOT NULL
        AND (state = 'queued' OR is_sent = 0 AND lost_processes < ?) LIMIT ?
      """,
      [process.rawValue, most, count], as: String.self
    ).map { GenerationID(rawValue: $0) }
  }

  /// The generations of a process that have not ended.
  func open(ofProcess process: ProcessID) throws -> Set<GenerationID> {
    let ids = try session.values(
      "SELECT id FROM generation INDEXED BY generation_open WHERE process = ? AND state IN ('queued', 'running')",
      [process.rawValue], as: String.self)
    return Set(ids.map { GenerationID(rawValue: $0) })
  }

  /// Generations as watchers see them. Those that are missing have been deleted.
  func watched(_ ids: [GenerationID]) throws -> [GenerationID: WatchedGeneration] {
    let rows = try session.rows(
      """
      SELECT id, account, process, state, created, until, progress
      FROM generation LEFT JOIN generation_watch ON generation_id = id
      WHERE id IN (SELECT value FROM json_each(?))
      """,
      [try StoredText.json(ids)])
    var seen: [GenerationID: WatchedGeneration] = [:]
    for row in rows { seen[GenerationID(rawValue: try row.value("id"))] = try WatchedGeneration(row) }
    return seen
  }

  /// The requests of the generations that have this one as their parent, only those that regenerate something.
  func requestsThatRegenerate(ofParent id: GenerationID) throws -> [JSONObject] {
    try session.rows(
      """
      SELECT request FROM generation WHERE parent = ? AND request LIKE '%"regenerates"%'
      """,
      [try StoredText.identifier(id.rawValue)]
    ).map { try $0.json("request") }
  }

  /// How long those of the latest generations took that were made and not answered from the cache, newest first.
  func durations(ofLatest count: Int) throws -> [DurationSample] {
    try session.rows(
      """
      SELECT provider, recipe, finished - started AS took FROM (
        SELECT * FROM generation ORDER BY created DESC, id DESC LIMIT ?) AS newest
      WHERE state IN ('succeeded', 'partial') AND is_cached = 0 AND started IS NOT NULL AND provider IS NOT NULL
      ORDER BY created DESC, id DESC
      """,
      [count]
    ).map { row in
      DurationSample(
        provider: ProviderID(rawValue: try row.value("provider")), recipe: try row.coded("recipe"),
        milliseconds: try row.value("took"))
    }
  }
}

extension WatchedGeneration {
  /// - Parameter row: columns of `generation` and `generation_watch`.
  fileprivate init(_ row: SQLRow) throws {
    account = AccountID(rawValue: try row.value("account"))
    process = ProcessID(rawValue: try row.value("process"))
    state = try row.coded("state")
    created = Timestamp(milliseconds: try row.value("created"))
    watchedUntil = try row.optional("until")
    progress = try row.optionalJSON("progress")
  }
}

extension SQLSession {
  var generations: GenerationTable { GenerationTable(session: self) }
}
