import AtelierProtocol
import GRDB
import JSON

extension Store {
  /// The longest page (PROTOCOL 3).
  public static let maximumPage = 100

  /// One page, newest first, and sums over everything the filter matches, both as of one moment.
  /// - Parameters:
  ///   - limit: entries wanted, 1…100; other values are taken as the nearest of these.
  ///   - cursor: where to go on; nil begins with the newest.
  ///   - byteBudget: the page ends before `size` over its entries would pass this. One entry it has in any case, or
  ///     a client could never get past it.
  ///   - size: the bytes an entry takes in the answer, its separator included. Called on the store's thread.
  public func history(
    _ filter: HistoryFilter, limit: Int, cursor: HistoryCursor? = nil, byteBudget: Int = .max,
    size: @escaping @Sendable (GenerationRow) -> Int = { _ in 0 }
  ) async throws(AtelierError) -> HistoryPage {
    let limit = min(max(limit, 1), Self.maximumPage)
    return try await read { [self] database in
      let (found, totals) = try find(filter, after: cursor, limit: limit + 1, in: database)
      var page = HistoryPage(entries: [], nextCursor: found.rest, totals: totals, wantsIndex: found.wantsIndex)
      var bytes = 0
      for key in found.keys {
        guard let entry = try generation(GenerationID(rawValue: key.id), in: database) else { continue }
        bytes += size(entry)
        if page.entries.count == limit || bytes > byteBudget && !page.entries.isEmpty {
          page.nextCursor = page.entries.last.map(HistoryCursor.init(after:))
          break
        }
        page.entries.append(entry)
      }
      return page
    }
  }

  private func find(
    _ filter: HistoryFilter, after cursor: HistoryCursor?, limit: Int, in database: Database
  ) throws -> (HistoryReader.Found, History.Totals) {
    let look = HistoryReader(filter: filter, database: database)
    guard try look.isLongSearch() else {
      return (try look.keys(after: cursor, limit: limit), try totals(filter, in: database))
    }
    let search = HistorySearch(filter: filter, database: database)
    let first = try search.first(cursor == nil ? limit : 0)
    var totals = first.sums.totals
    if !first.isWhole { totals.atLeast = true }
    return (try cursor.map { try search.keys(after: $0, limit: limit) } ?? first.found, totals)
  }

  private func totals(_ filter: HistoryFilter, in database: Database) throws -> History.Totals {
    let sums = HistorySums(filter: filter, database: database)
    guard filter.searches || filter.parent != nil || filter.onlyFavourites else { return try sums.all().totals }
    return try HistoryReader(filter: filter, database: database).terms()
      .reduce(into: HistorySums.Sums()) { $0 += try sums.sum($1) }.totals
  }
}

extension Store {
  /// Some entries of history, newest first, without sums.
  public func entries(
    _ filter: HistoryFilter, limit: Int, after cursor: HistoryCursor?
  ) async throws(AtelierError) -> [GenerationRow] {
    try await read { [self] database in
      try HistoryReader(filter: filter, database: database).keys(after: cursor, limit: limit).keys.compactMap {
        try generation(GenerationID(rawValue: $0.id), in: database)
      }
    }
  }
}

/// A page of history, newest first.
public struct HistoryPage: Sendable, Equatable {
  public var entries: [GenerationRow]
  /// Where the next page begins; nil when this is the last.
  public var nextCursor: HistoryCursor?
  /// Over everything the filter matches, not over this page.
  public var totals: History.Totals
  /// A search had to read much row by row: ``Store/indexForSearch()`` makes the next one quicker.
  public var wantsIndex = false
}

extension Store {
  /// Keeps what a person thought of a generation that has ended, in place of what was kept before. Of a private one
  /// only the rating is kept (REQUIREMENTS 7.2, 7.4).
  /// - Parameter account: whose it must be; nil for anybody's.
  /// - Returns: what is kept.
  /// - Throws: `not_found`, `not_finished`.
  public func keepFeedback(
    rating: Int, text: String?, of id: GenerationID, account: AccountID?
  ) async throws(AtelierError) -> History.Entry.Feedback {
    try await write { [self] database in
      let isPrivate = try endedGeneration(id, account: account, in: database).isPrivate
      let feedback = History.Entry.Feedback(
        rating: rating, text: isPrivate || text?.isEmpty == true ? nil : text.map(StoredText.readable))
      try database.cachedStatement(
        sql: """
          INSERT INTO generation_feedback (generation_id, rating, text, created) VALUES (?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET rating = excluded.rating, text = excluded.text, created = excluded.created
          """
      ).execute(arguments: [id.rawValue, feedback.rating, feedback.text, surroundings.now().milliseconds])
      return feedback
    }
  }

  /// Notes what a host wants to find again in history, at a generation that has ended.
  /// - Parameters:
  ///   - metadata: in place of what came with the request or an earlier note; nil leaves it.
  ///   - isFavourite: nil leaves it.
  ///   - account: whose it must be; nil for anybody's.
  /// - Returns: the generation as history has it now.
  /// - Throws: `not_found`, `not_finished`.
  public func annotate(
    _ id: GenerationID, metadata: JSONObject?, isFavourite: Bool?, account: AccountID?
  ) async throws(AtelierError) -> GenerationRow {
    try await write { [self] database in
      _ = try endedGeneration(id, account: account, in: database)
      try database.cachedStatement(
        sql: """
          INSERT INTO generation_annotation (generation_id, metadata, is_favourite) VALUES (?1, ?2, COALESCE(?3, 0))
          ON CONFLICT DO UPDATE SET metadata = COALESCE(?2, metadata), is_favourite = COALESCE(?3, is_favourite)
          """
      ).execute(arguments: [id.rawValue, try metadata.map { try StoredText.json(JSONValue.object($0)) }, isFavourite])
      return try endedGeneration(id, account: account, in: database)
    }
  }

  private func endedGeneration(
    _ id: GenerationID, account: AccountID?, in database: Database
  ) throws -> GenerationRow {
    guard let row = try generation(id, in: database), account == nil || row.account == account else {
      throw AtelierError(.notFound, generationId: id)
    }
    guard row.state.isFinal else { throw AtelierError(.notFinished, generationId: id) }
    return row
  }
}
