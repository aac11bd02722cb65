import AtelierProtocol

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
  let session: any SQLSession

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
    try session.generations.keys(in: [HistoryTerm.byTime(filter.within(range))], after: cursor, limit: limit)
  }

  private func sums(in range: Range<Int64>) throws -> HistorySums.Sums {
    try session.generations.sums(in: [HistoryTerm.byTime(filter.within(range))])
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
    let spans: [SearchSpan?] = try session.searchSpans.all(before: position)
    for span in spans + [nil] {
      while position > max(earliest, span?.past ?? .min) {
        guard left > 0 else { return End(time: position, hasGap: hasGap) }
        let (start, rows) = try lastRows(in: max(earliest, span?.past ?? .min)..<position)
        guard try rows == 0 || visit(start..<position) else { return End(hasGap: hasGap) }
        left -= rows
        unindexed += rows
        position = start
      }
      guard let span, position > earliest else { break }
      let bounds = max(earliest, span.first)..<max(position, span.first)
      for stretch in try span.stretches(with: slots, in: session) where stretch.range.overlaps(bounds) {
        guard left > 0 else { return End(time: min(stretch.range.upperBound, position), hasGap: hasGap) }
        guard try visit(stretch.range.clamped(to: bounds)) else { return End(hasGap: hasGap) }
        left -= stretch.groups * SearchSpan.rowsPerGroup
      }
      position = bounds.lowerBound
    }
    return End(hasGap: hasGap)
  }

  /// - Returns: where the last rows of a range begin, at most as many as are read together, and their number.
  private func lastRows(in range: Range<Int64>) throws -> (start: Int64, rows: Int) {
    let last = try session.generations.latest(Self.rowsTogether, of: filter.account, in: range)
    return (last.count < Self.rowsTogether ? range.lowerBound : last.earliest ?? range.lowerBound, last.count)
  }
}

extension Store {
  /// Indexes a part of history for search; this only affects speed. Call it until it returns false, periodically or
  /// when a page wants it.
  /// - Returns: whether something was indexed.
  public func indexForSearch() async throws(AtelierError) -> Bool {
    try await write(isDurable: false) { try SearchIndex(session: $0).extend() }
  }
}
