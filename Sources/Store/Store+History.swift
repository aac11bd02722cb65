import AtelierProtocol
import GRDB

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
  ) throws -> (HistoryLook.Found, History.Totals) {
    let look = HistoryLook(filter: filter, database: database)
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
    return try HistoryLook(filter: filter, database: database).terms()
      .reduce(into: HistorySums.Sums()) { $0 += try sums.sum($1) }.totals
  }
}

extension Store {
  /// Some entries of history, newest first, without sums.
  public func entries(
    _ filter: HistoryFilter, limit: Int, after cursor: HistoryCursor?
  ) async throws(AtelierError) -> [GenerationRow] {
    try await read { [self] database in
      try HistoryLook(filter: filter, database: database).keys(after: cursor, limit: limit).keys.compactMap {
        try generation(GenerationID(rawValue: $0.id), in: database)
      }
    }
  }
}
