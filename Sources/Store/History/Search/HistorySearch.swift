import AtelierProtocol
import GRDB

/// Searches a long history for text, newest first: reads row by row where ``SearchSpan`` does not exclude a match.
///
/// Frequent text is found soon, and rare text leaves few rows to read. In between, and in ranges without a span, one
/// pass reads a limited number of rows and returns where the next pass continues.
struct HistorySearch {
  /// The number of rows read in one pass.
  static let budget = 3_000
  /// The number of rows read at a time.
  private static let rowsTogether = 512

  let filter: HistoryFilter
  let database: Database

  /// The result of one pass.
  struct Outcome {
    var found = HistoryReader.Found()
    /// The sums over everything that was read.
    var sums = HistorySums.Sums()
    /// False when there may be more matches.
    var isWhole = true
  }

  /// The first entries, and the sums over one pass.
  func first(_ limit: Int) throws -> Outcome {
    var outcome = Outcome()
    // When the page is full, later matches are only counted.
    var isFull = false
    let end = try walk(before: nil) { range in
      outcome.sums += try sums(in: range)
      if !isFull { outcome.found.keys += try keys(in: range, after: nil, limit: limit - outcome.found.keys.count) }
      isFull = outcome.found.keys.count == limit
      return true
    }
    outcome.isWhole = end.time == nil
    if !isFull { outcome.found.rest = end.time.map(HistoryCursor.init(before:)) }
    outcome.found.wantsIndex = end.hasGap
    return outcome
  }

  /// - Returns: the entries found after `cursor`; fewer than `limit` are all there are, unless `rest` says otherwise.
  func keys(after cursor: HistoryCursor, limit: Int) throws -> HistoryReader.Found {
    var found = HistoryReader.Found()
    let end = try walk(before: cursor.created + 1) { range in
      found.keys += try keys(in: range, after: cursor, limit: limit - found.keys.count)
      return found.keys.count < limit
    }
    if found.keys.count < limit { found.rest = end.time.map(HistoryCursor.init(before:)) }
    found.wantsIndex = end.hasGap
    return found
  }

  private func keys(in range: Range<Int64>, after cursor: HistoryCursor?, limit: Int) throws -> [HistoryCursor] {
    var term = try term(for: range)
    if let cursor { term.condition.require("(created, id) < (?, ?)", [cursor.created, cursor.id]) }
    term.condition.arguments += [limit]
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: "SELECT created, id FROM \(term.source) WHERE \(term.condition.sql) ORDER BY created DESC, id DESC LIMIT ?"
      ),
      arguments: term.condition.arguments)
    return try Array(rows.map { HistoryCursor(created: try $0.value("created"), id: try $0.value("id")) })
  }

  private func sums(in range: Range<Int64>) throws -> HistorySums.Sums {
    try HistorySums(filter: filter, database: database).sum(try term(for: range))
  }

  private func term(for range: Range<Int64>) throws -> HistoryReader.Term {
    var part = filter
    part.since = Timestamp(milliseconds: range.lowerBound)
    part.until = Timestamp(milliseconds: range.upperBound)
    return HistoryReader.Term(source: source, condition: try part.condition())
  }

  private var source: String {
    "generation INDEXED BY \(filter.account == nil ? "generation_by_time" : "generation_by_account")"
  }

  /// Where a walk ended.
  private struct End {
    /// Nothing earlier than this was read; nil when everything was.
    var time: Int64?
    /// True when missing spans made the search read more rows than necessary.
    var hasGap = false
  }

  /// Calls `visit` with the time ranges that may contain matches, newest first, until it returns false, all ranges are
  /// visited, or enough rows are read.
  private func walk(before time: Int64?, _ visit: (Range<Int64>) throws -> Bool) throws -> End {
    let slots = SearchGram.slots(of: StoredText.readable(filter.search ?? ""))
    let earliest = filter.since?.milliseconds ?? .min
    var position = min(time ?? .max, filter.until?.milliseconds ?? .max)
    var (left, unindexed) = (Self.budget, 0)
    var hasGap: Bool { unindexed > min(SearchIndex.mostUnindexed, Self.budget / 2) }
    for span in try SearchSpan.all(before: position, in: database) + [nil] {
      while position > max(earliest, span?.past ?? .min) {
        guard left > 0 else { return End(time: position, hasGap: hasGap) }
        let (start, rows) = try lastRows(from: max(earliest, span?.past ?? .min), to: position)
        guard try rows == 0 || visit(start..<position) else { return End(hasGap: hasGap) }
        left -= rows
        unindexed += rows
        position = start
      }
      guard let span, position > earliest else { break }
      let bounds = max(earliest, span.first)..<max(position, span.first)
      for stretch in try span.stretches(with: slots, in: database) where stretch.range.overlaps(bounds) {
        guard left > 0 else { return End(time: min(stretch.range.upperBound, position), hasGap: hasGap) }
        guard try visit(stretch.range.clamped(to: bounds)) else { return End(hasGap: hasGap) }
        left -= stretch.groups * SearchSpan.rowsPerGroup
      }
      position = bounds.lowerBound
    }
    return End(hasGap: hasGap)
  }

  /// - Returns: where the last rows of a range begin, at most as many as are read together, and their number.
  private func lastRows(from start: Int64, to end: Int64) throws -> (start: Int64, rows: Int) {
    var condition = SQLCondition()
    if let account = filter.account { condition.require("account = ?", [try StoredText.identifier(account.rawValue)]) }
    condition.require("created >= ? AND created < ?", [start, end])
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) AS count, min(created) AS earliest FROM (
            SELECT created FROM \(source) WHERE \(condition.sql) ORDER BY created DESC LIMIT \(Self.rowsTogether))
          """),
      arguments: condition.arguments)
    let count: Int = try row?.value("count") ?? 0
    if count < Self.rowsTogether { return (start, count) }
    return (try row?.value("earliest") ?? start, count)
  }
}

extension Store {
  /// Indexes a part of history for search; this only affects speed. Call it until it returns false, periodically or
  /// when a page wants it.
  /// - Returns: whether something was indexed.
  public func indexForSearch() async throws(AtelierError) -> Bool {
    try await write(isDurable: false) { try SearchIndex(database: $0).extend() }
  }
}
