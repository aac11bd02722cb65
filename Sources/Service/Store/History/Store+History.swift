import AtelierProtocol
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
    return try await read { [self] session in
      let (found, totals) = try find(filter, after: cursor, limit: limit + 1, in: session)
      var page = PageBuilder(limit: limit, bytes: byteBudget, size: size)
      var nextCursor = found.rest
      for entry in try entries(at: found.keys, in: session) {
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
    _ filter: HistoryFilter, after cursor: HistoryCursor?, limit: Int, in session: any SQLSession
  ) throws -> (HistoryReader.Found, History.Totals) {
    let reader = HistoryReader(filter: filter, session: session)
    guard try reader.isLongSearch() else {
      return (try reader.keys(after: cursor, limit: limit), try totals(filter, in: session))
    }
    let search = HistorySearch(filter: filter, session: session)
    let first = try search.first(cursor == nil ? limit : 0)
    var totals = first.sums.totals
    if !first.isWhole { totals.atLeast = true }
    return (try cursor.map { try search.keys(after: $0, limit: limit) } ?? first.found, totals)
  }

  private func totals(_ filter: HistoryFilter, in session: any SQLSession) throws -> History.Totals {
    guard filter.searches || filter.parent != nil || filter.onlyFavorites else {
      return try HistorySums(filter: filter, session: session).all().totals
    }
    return try session.generations.sums(in: HistoryReader(filter: filter, session: session).terms()).totals
  }

  /// The generations at these positions, in their order.
  private func entries(at keys: [HistoryCursor], in session: any SQLSession) throws -> [GenerationRow] {
    let ids = keys.map { GenerationID(rawValue: $0.id) }
    let found = try generations(withIDs: ids, in: session)
    return ids.compactMap { found[$0] }
  }
}

extension Store {
  /// Some entries of history, newest first, without sums.
  public func entries(
    _ filter: HistoryFilter, limit: Int, after cursor: HistoryCursor?
  ) async throws(AtelierError) -> [GenerationRow] {
    try await read { [self] session in
      let found = try HistoryReader(filter: filter, session: session).keys(after: cursor, limit: limit)
      return try entries(at: found.keys, in: session)
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
    try await write { [self] session in
      let isPrivate = try endedGeneration(id, account: account, in: session).isPrivate
      let feedback = Generation.Feedback(
        rating: rating, text: isPrivate || text?.isEmpty == true ? nil : text.map(StoredText.readable))
      try session.remarks.keep(feedback, of: id, at: surroundings.now())
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
    try await write { [self] session in
      _ = try endedGeneration(id, account: account, in: session)
      try session.remarks.annotate(id, metadata: metadata, isFavorite: isFavorite)
      return try endedGeneration(id, account: account, in: session)
    }
  }

  private func endedGeneration(
    _ id: GenerationID, account: AccountID?, in session: any SQLSession
  ) throws -> GenerationRow {
    guard let row = try generation(id, in: session), account == nil || row.account == account else {
      throw AtelierError(.notFound, generationId: id)
    }
    guard row.state.isFinal else { throw AtelierError(.notFinished, generationId: id) }
    return row
  }
}
