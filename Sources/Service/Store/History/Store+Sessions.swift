import AtelierProtocol

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
    return try await read { [self] session in
      let records = try session.sessions.page(of: account, after: cursor, limit: limit + 1)
      let entries = try generations(withIDs: records.prefix(limit).flatMap(\.ends), in: session)
      let sessions = try records.prefix(limit).map { try StoredSession($0, entries) }
      let last = records.count > limit ? sessions.last : nil
      return (sessions, last.map(HistoryCursor.init(after:)))
    }
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
    return try await read { [self] session in
      guard let record = try session.sessions.record(of: id), account == nil || record.account == account else {
        throw AtelierError(.notFound)
      }
      let steps = try session.sessions.steps(of: record.id, after: cursor, limit: limit + 1)
      let entries = try generations(withIDs: steps + record.ends, in: session)
      var page = PageBuilder(limit: limit, bytes: byteBudget, size: size)
      var nextCursor: HistoryCursor?
      for entry in steps.compactMap({ entries[$0] }) {
        if !page.append(entry) {
          nextCursor = page.entries.last.map(HistoryCursor.init(after:))
          break
        }
      }
      return SessionPage(session: try StoredSession(record, entries), entries: page.entries, nextCursor: nextCursor)
    }
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

extension StoredSession {
  /// - Parameter entries: generations, among them the first and the last of the session.
  /// - Throws: ``AtelierError/storeDamaged`` when one of these is not there.
  fileprivate init(_ record: SessionTable.Record, _ entries: [GenerationID: GenerationRow]) throws {
    let ends = record.ends.compactMap { entries[$0] }
    guard ends.count == record.ends.count, let first = ends.first, let last = ends.last else {
      throw AtelierError.storeDamaged
    }
    self.init(
      id: record.id, account: record.account, steps: record.steps, latest: record.latest, first: first, last: last)
  }
}

/// A session, and some of its steps.
public struct SessionPage: Sendable, Equatable {
  public var session: StoredSession
  /// Oldest first.
  public var entries: [GenerationRow]
  /// Where the next page begins; nil when this is the last.
  public var nextCursor: HistoryCursor?
}
