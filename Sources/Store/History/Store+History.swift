import AtelierProtocol
import GRDB
import JSON

extension Store {
  /// The maximum page size.
  public static let maximumPage = 100

  /// One page, newest first, and sums over everything the filter matches, both read in one transaction.
  /// - Parameters:
  ///   - limit: the number of entries, 1…100; other values are clamped to this range.
  ///   - cursor: where to continue; nil starts with the newest.
  ///   - byteBudget: the page ends before the `size` of its entries would exceed this. A page contains at least one
  ///     entry, because a client could otherwise never get past a large one.
  ///   - size: the bytes an entry takes in the answer, including its separator. Called on the store's thread.
  public func history(
    _ filter: HistoryFilter, limit: Int, cursor: HistoryCursor? = nil, byteBudget: Int = .max,
    size: @escaping @Sendable (GenerationRow) -> Int = { _ in 0 }
  ) async throws(AtelierError) -> HistoryPage {
    let limit = min(max(limit, 1), Self.maximumPage)
    return try await read { [self] database in
      let (found, totals) = try find(filter, after: cursor, limit: limit + 1, in: database)
      var page = PageBuilder(limit: limit, bytes: byteBudget, size: size)
      var nextCursor = found.rest
      for key in found.keys {
        guard let entry = try generation(GenerationID(rawValue: key.id), in: database) else { continue }
        if !page.append(entry) {
          nextCursor = page.entries.last.map(HistoryCursor.init(after:))
          break
        }
      }
      return HistoryPage(
        entries: page.entries, nextCursor: nextCursor, totals: totals, wantsIndex: found.wantsIndex)
    }
  }

  private func find(
    _ filter: HistoryFilter, after cursor: HistoryCursor?, limit: Int, in database: Database
  ) throws -> (HistoryReader.Found, History.Totals) {
    let reader = HistoryReader(filter: filter, database: database)
    guard try reader.isLongSearch() else {
      return (try reader.keys(after: cursor, limit: limit), try totals(filter, in: database))
    }
    let search = HistorySearch(filter: filter, database: database)
    let first = try search.first(cursor == nil ? limit : 0)
    var totals = first.sums.totals
    if !first.isWhole { totals.atLeast = true }
    return (try cursor.map { try search.keys(after: $0, limit: limit) } ?? first.found, totals)
  }

  private func totals(_ filter: HistoryFilter, in database: Database) throws -> History.Totals {
    let sums = HistorySums(filter: filter, database: database)
    guard filter.searches || filter.parent != nil || filter.onlyFavorites else { return try sums.all().totals }
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
  /// True when a search had to read many rows one by one: ``Store/indexForSearch()`` makes the next one faster.
  public var wantsIndex = false
}

extension Store {
  /// Stores a user's feedback on an ended generation, in place of earlier feedback. For a private generation, stores
  /// only the rating.
  /// - Parameter account: the account it must belong to; nil for any account.
  /// - Returns: the stored feedback.
  /// - Throws: `not_found`, `not_finished`.
  public func keepFeedback(
    rating: Int, text: String?, of id: GenerationID, account: AccountID?
  ) async throws(AtelierError) -> Generation.Feedback {
    try await write { [self] database in
      let isPrivate = try endedGeneration(id, account: account, in: database).isPrivate
      let feedback = Generation.Feedback(
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

  /// Stores a host's metadata and favorite mark for an ended generation.
  /// - Parameters:
  ///   - metadata: replaces the metadata of the request or of an earlier call; nil leaves it unchanged.
  ///   - isFavorite: nil leaves it unchanged.
  ///   - account: the account it must belong to; nil for any account.
  /// - Returns: the generation as history shows it now.
  /// - Throws: `not_found`, `not_finished`.
  public func annotate(
    _ id: GenerationID, metadata: JSONObject?, isFavorite: Bool?, account: AccountID?
  ) async throws(AtelierError) -> GenerationRow {
    try await write { [self] database in
      _ = try endedGeneration(id, account: account, in: database)
      try database.cachedStatement(
        sql: """
          INSERT INTO generation_annotation (generation_id, metadata, is_favorite) VALUES (?1, ?2, COALESCE(?3, 0))
          ON CONFLICT DO UPDATE SET metadata = COALESCE(?2, metadata), is_favorite = COALESCE(?3, is_favorite)
          """
      ).execute(arguments: [id.rawValue, try metadata.map { try StoredText.json(JSONValue.object($0)) }, isFavorite])
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
