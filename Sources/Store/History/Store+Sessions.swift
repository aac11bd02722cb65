import AtelierProtocol
import GRDB

extension Store {
  /// A page of sessions, the most recently continued first.
  /// - Parameters:
  ///   - account: the account they belong to; nil for all accounts.
  ///   - limit: the number of sessions, 1…100; other values are clamped to this range.
  ///   - cursor: where to continue; nil starts with the newest.
  public func sessions(
    account: AccountID?, limit: Int, after cursor: HistoryCursor? = nil
  ) async throws(AtelierError) -> (sessions: [StoredSession], nextCursor: HistoryCursor?) {
    let limit = min(max(limit, 1), Self.maximumPage)
    return try await read { [self] database in
      var condition = SQLCondition()
      if let account { condition.require("account = ?", [try StoredText.identifier(account.rawValue)]) }
      if let cursor {
        condition.require("latest <= ? AND (latest, id) < (?, ?)", [cursor.created, cursor.created, cursor.id])
      }
      condition.arguments += [limit + 1]
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT * FROM session WHERE \(condition.sql) ORDER BY latest DESC, id DESC LIMIT ?"),
        arguments: condition.arguments)
      let sessions = try rows.prefix(limit).map { try session(from: $0, in: database) }
      let last = rows.count > limit ? sessions.last : nil
      return (sessions, last.map(HistoryCursor.init(after:)))
    }
  }

  private func session(from row: Row, in database: Database) throws -> StoredSession {
    let id: String = try row.value("id")
    func step(_ order: String) throws -> GenerationRow? {
      try String.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT generation_id FROM session_step WHERE session = ?
            ORDER BY created \(order), generation_id \(order) LIMIT 1
            """),
        arguments: [id]
      ).flatMap { try generation(GenerationID(rawValue: $0), in: database) }
    }
    guard let first = try step("ASC"), let last = try step("DESC") else { throw AtelierError.storeDamaged }
    return StoredSession(
      id: GenerationID(rawValue: id), account: AccountID(rawValue: try row.value("account")),
      steps: try row.value("steps"), latest: Timestamp(milliseconds: try row.value("latest")), first: first,
      last: last)
  }

  /// Steps of a session, oldest first, so that each comes after the one it refines.
  /// - Parameters:
  ///   - id: the id of the session or of any of its steps.
  ///   - account: the account it must belong to; nil for any account.
  ///   - byteBudget: the page ends before the `size` of its entries would exceed this, but contains at least one entry.
  /// - Throws: `not_found`.
  public func session(
    _ id: GenerationID, account: AccountID?, limit: Int, after cursor: HistoryCursor? = nil, byteBudget: Int = .max,
    size: @escaping @Sendable (GenerationRow) -> Int = { _ in 0 }
  ) async throws(AtelierError) -> SessionPage {
    let limit = min(max(limit, 1), Self.maximumPage)
    return try await read { [self] database in
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT * FROM session
            WHERE id = COALESCE((SELECT session FROM session_step WHERE generation_id = ?1), ?1)
            """),
        arguments: [try StoredText.identifier(id.rawValue)])
      guard let row, try account == nil || AccountID(rawValue: row.value("account")) == account else {
        throw AtelierError(.notFound)
      }
      let ids = try steps(of: row.value("id"), after: cursor, limit: limit + 1, in: database)
      var page = PageBuilder(limit: limit, bytes: byteBudget, size: size)
      var nextCursor: HistoryCursor?
      for id in ids {
        guard let entry = try generation(GenerationID(rawValue: id), in: database) else { continue }
        if !page.append(entry) {
          nextCursor = page.entries.last.map(HistoryCursor.init(after:))
          break
        }
      }
      return SessionPage(session: try session(from: row, in: database), entries: page.entries, nextCursor: nextCursor)
    }
  }

  private func steps(
    of session: String, after cursor: HistoryCursor?, limit: Int, in database: Database
  ) throws -> [String] {
    var condition = SQLCondition()
    condition.require("session = ?", [session])
    if let cursor {
      condition.require(
        "created >= ? AND (created, generation_id) > (?, ?)", [cursor.created, cursor.created, cursor.id])
    }
    condition.arguments += [limit]
    return try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT generation_id FROM session_step WHERE \(condition.sql) ORDER BY created, generation_id LIMIT ?
          """),
      arguments: condition.arguments)
  }
}

extension HistoryCursor {
  /// The position after one session.
  public init(after session: StoredSession) {
    self.init(created: session.latest.milliseconds, id: session.id.rawValue)
  }
}

/// A chain of refinements, with branches or without.
public struct StoredSession: Sendable, Equatable {
  /// The id of the generation it began with, which may be deleted.
  public var id: GenerationID
  public var account: AccountID
  /// The number of its generations that still exist.
  public var steps: Int
  /// When the newest was accepted.
  public var latest: Timestamp
  /// The earliest generation that still exists.
  public var first: GenerationRow
  public var last: GenerationRow
}

/// A session, and some of its steps.
public struct SessionPage: Sendable, Equatable {
  public var session: StoredSession
  /// Oldest first.
  public var entries: [GenerationRow]
  /// Where the next page begins; nil when this is the last.
  public var nextCursor: HistoryCursor?
}
