import AtelierProtocol

/// The SQL of chains of refinements: the tables `session` and `session_step`, which triggers keep.
struct SessionTable {
  let session: any SQLSession

  /// A session as it is stored.
  struct Record {
    var id: GenerationID
    var account: AccountID
    var steps: Int
    var latest: Timestamp
    /// Its earliest and its latest generation; empty where they are missing, which is damage.
    var ends: [GenerationID]
  }

  /// Some sessions, the most recently continued first.
  /// - Parameter account: nil for all accounts.
  func page(of account: AccountID?, after cursor: HistoryCursor?, limit: Int) throws -> [Record] {
    var condition = SQLCondition()
    if let account { condition.require("account = ?", [try StoredText.identifier(account.rawValue)]) }
    if let cursor {
      condition.require("latest <= ? AND (latest, id) < (?, ?)", [cursor.created, cursor.created, cursor.id])
    }
    return try session.rows(
      "\(Self.selection) WHERE \(condition.sql) ORDER BY latest DESC, id DESC LIMIT ?", condition.arguments + [limit]
    ).map(Record.init)
  }

  /// The session with this id, or with a step of this id.
  func record(of id: GenerationID) throws -> Record? {
    try session.row(
      """
      \(Self.selection)
      WHERE id = COALESCE((SELECT session FROM session_step WHERE generation_id = ?1), ?1)
      """, [try StoredText.identifier(id.rawValue)]
    ).map(Record.init)
  }

  private static let selection = """
    SELECT id, account, steps, latest,
      (
        SELECT generation_id FROM session_step WHERE session_step.session = session.id
        ORDER BY created, generation_id LIMIT 1
      ) AS first_step,
      (
        SELECT generation_id FROM session_step WHERE session_step.session = session.id
        ORDER BY created DESC, generation_id DESC LIMIT 1
      ) AS last_step
    FROM session
    """

  /// The ids of some steps of a session, oldest first.
  func steps(of id: GenerationID, after cursor: HistoryCursor?, limit: Int) throws -> [GenerationID] {
    var condition = SQLCondition()
    condition.require("session = ?", [id.rawValue])
    if let cursor {
      condition.require(
        "created >= ? AND (created, generation_id) > (?, ?)", [cursor.created, cursor.created, cursor.id])
    }
    return try session.values(
      "SELECT generation_id FROM session_step WHERE \(condition.sql) ORDER BY created, generation_id LIMIT ?",
      condition.arguments + [limit], as: String.self
    ).map { GenerationID(rawValue: $0) }
  }
}

extension SessionTable.Record {
  fileprivate init(_ row: SQLRow) throws {
    id = GenerationID(rawValue: try row.value("id"))
    account = AccountID(rawValue: try row.value("account"))
    steps = try row.value("steps")
    latest = Timestamp(milliseconds: try row.value("latest"))
    let (first, last): (GenerationID?, GenerationID?) =
      (try row.identifier("first_step"), try row.identifier("last_step"))
    ends = [first, last].compactMap(\.self)
  }
}

extension SQLSession {
  var sessions: SessionTable { SessionTable(session: self) }
}
