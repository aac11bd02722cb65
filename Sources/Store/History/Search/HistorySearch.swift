import AtelierProtocol
import GRDB

/// Looks for words in a long history, newest first: where ``SearchSpan`` does not rule it out, row by row.
///
/// What is found often is found soon, and what is rare leaves little to read. In between, and where a stretch has no
/// span yet, a look reads so much and no more: it tells where the next one goes on.
struct HistorySearch {
  /// As many rows are read in one look.
  static let budget = 6_000
  /// Rows read at a time where there is no span.
  private static let rowsTogether = 512

  let filter: HistoryFilter
  let database: Database

  /// - Returns: the entries found after `cursor`; fewer than `limit` are all there are, unless `rest` says otherwise.
  func keys(after cursor: HistoryCursor?, limit: Int) throws -> HistoryLook.Found {
    var found = HistoryLook.Found()
    let end = try walk(before: cursor.map { $0.created + 1 }) { range in
      var term = try term(for: range)
      if let cursor { term.condition.require("(created, id) < (?, ?)", [cursor.created, cursor.id]) }
      term.condition.arguments += [limit - found.keys.count]
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT created, id FROM \(term.source) WHERE \(term.condition.sql)
            ORDER BY created DESC, id DESC LIMIT ?
            """),
        arguments: term.condition.arguments)
      while let row = try rows.next() {
        found.keys.append(HistoryCursor(created: try row.value("created"), id: try row.value("id")))
      }
      return found.keys.count < limit
    }
    if found.keys.count < limit { found.rest = end.time.map(HistoryCursor.init(before:)) }
    found.wantsIndex = end.hasGap
    return found
  }

  /// - Returns: sums over what is found, and whether there may be more.
  func sums() throws -> (sums: HistorySums.Sums, isWhole: Bool) {
    var sums = HistorySums.Sums()
    let end = try walk(before: nil) { range in
      sums += try HistorySums(filter: filter, database: database).sum(try term(for: range))
      return true
    }
    return (sums, end.time == nil)
  }

  private func term(for range: Range<Int64>) throws -> HistoryLook.Term {
    var part = filter
    part.since = Timestamp(milliseconds: range.lowerBound)
    part.until = Timestamp(milliseconds: range.upperBound)
    return HistoryLook.Term(source: source, condition: try part.condition())
  }

  private var source: String {
    "generation INDEXED BY \(filter.account == nil ? "generation_by_time" : "generation_by_account")"
  }

  /// Where a walk ended.
  private struct End {
    /// Nothing earlier than this was looked at; nil when all was.
    var time: Int64?
    /// More was read row by row for want of a span than there need be.
    var hasGap = false
  }

  /// Calls `visit` with the stretches of time in which there may be something, newest first, until it returns false,
  /// all is seen, or enough is read.
  private func walk(before time: Int64?, _ visit: (Range<Int64>) throws -> Bool) throws -> End {
    let slots = SearchGram.slots(of: StoredText.readable(filter.search ?? ""))
    let earliest = filter.since?.milliseconds ?? .min
    var position = min(time ?? .max, filter.until?.milliseconds ?? .max)
    var (left, unindexed) = (Self.budget, 0)
    while position > earliest {
      guard left > 0 else { return End(time: position, hasGap: unindexed > SearchIndex.mostUnindexed) }
      let span = try SearchSpan.latest(before: position, in: database)
      let gap = max(earliest, span?.past ?? .min)
      if gap < position {
        let (start, rows) = try lastRows(from: gap, to: position)
        guard try rows == 0 || visit(start..<position) else { break }
        left -= rows
        unindexed += rows
        position = start
      } else if let span {
        let bounds = max(earliest, span.first)..<position
        for range in try span.ranges(of: slots, in: database) where range.overlaps(bounds) {
          guard left > 0 else { return End(time: min(range.upperBound, position)) }
          guard try visit(range.clamped(to: bounds)) else { return End() }
          left -= SearchSpan.rowsPerGroup
        }
        position = bounds.lowerBound
      }
    }
    return End(hasGap: unindexed > SearchIndex.mostUnindexed)
  }

  /// - Returns: where the last rows of a stretch begin, no more than can be read together, and how many they are.
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
