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
      let totals = try totals(filter, in: database)
      var entries: [GenerationRow] = []
      var bytes = 0
      let rows = try rows(filter, after: cursor, limit: limit + 1, in: database)
      var next: HistoryCursor?
      while let row = try rows.next() {
        let entry = try generation(from: row, in: database)
        bytes += size(entry)
        if entries.count == limit || bytes > byteBudget && !entries.isEmpty {
          next = entries.last.map(HistoryCursor.init(after:))
          break
        }
        entries.append(entry)
      }
      return HistoryPage(entries: entries, nextCursor: next, totals: totals)
    }
  }

  private func rows(
    _ filter: HistoryFilter, after cursor: HistoryCursor?, limit: Int, in database: Database
  ) throws -> RowCursor {
    var (condition, arguments) = try filter.condition()
    if let cursor {
      condition += " AND (created, id) < (?, ?)"
      arguments += [cursor.created, cursor.id]
    }
    arguments += [limit]
    return try Row.fetchCursor(
      database.cachedStatement(
        sql: "SELECT * FROM generation WHERE \(condition) ORDER BY created DESC, id DESC LIMIT ?"),
      arguments: arguments)
  }

  private func totals(_ filter: HistoryFilter, in database: Database) throws -> History.Totals {
    let (condition, arguments) = try filter.condition()
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) AS generations, total(credits_charged) AS credits, total(cost_usd) AS cost
          FROM generation WHERE \(condition)
          """),
      arguments: arguments)
    guard let row else { return History.Totals() }
    return History.Totals(
      generations: try row.value("generations"), creditsUsed: Int(try row.value("credits", as: Double.self)),
      costUsd: try row.value("cost"))
  }
}
