import AtelierProtocol

/// Reads a page of history within one read transaction. It takes about the same time however long history is: each
/// filter has an index that gives its pages in order, and maintained sums for its totals.
struct HistoryReader {
  let filter: HistoryFilter
  let session: any SQLSession

  /// The result, newest first.
  struct Found {
    var keys: [HistoryCursor] = []
    /// Where to continue a search that stopped before it found all the entries wanted.
    var rest: HistoryCursor?
    var wantsIndex = false
  }

  func keys(after cursor: HistoryCursor?, limit: Int) throws -> Found {
    Found(keys: try session.generations.keys(in: try terms(), after: cursor, limit: limit))
  }

  /// Whether the filter searches so many rows that not all may be read.
  func isLongSearch() throws -> Bool {
    guard filter.searches, filter.parent == nil, !filter.onlyFavorites else { return false }
    return try HistorySums(filter: filter, session: session).atMost() > HistorySearch.budget
  }

  /// The filter as the fewest terms that can each be read in order.
  func terms() throws -> [HistoryTerm] {
    if filter.onlyFavorites { return [try HistoryTerm.favorites(filter)] }
    if filter.parent != nil { return [try HistoryTerm.children(filter)] }
    if filter.recipe == nil, filter.state == nil { return [try HistoryTerm.byTime(filter)] }
    return try endedTerms() + (filter.admitsOpen ? [HistoryTerm.open(filter)] : [])
  }

  func endedTerms() throws -> [HistoryTerm] { try filter.kinds.map { try HistoryTerm.ended(filter, of: $0) } }
}
