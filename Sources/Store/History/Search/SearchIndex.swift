import AtelierProtocol
import GRDB

/// Makes the spans of ``SearchSpan`` where they are missing, one at a time.
struct SearchIndex {
  /// So many of the newest rows are left for later: a text may still come to them, and would undo their span.
  private static let newest = 256
  /// After the last span so many more rows are worth one, which grows with the next ones until it is full.
  private static let fewestAtEnd = 1_024
  /// A stretch with fewer rows than this is as quickly read.
  private static let fewest = 64
  /// As many rows may be without a span when all has been done.
  static let mostUnindexed = fewestAtEnd + newest

  let database: Database

  /// A stretch without a span, between two of them or after the last.
  private struct Gap {
    var start: Int64
    /// Nil after the last span.
    var end: Int64?
  }

  /// Makes one span.
  /// - Returns: false when none is missing.
  func extend() throws -> Bool {
    for gap in try gaps() where try isWorthwhile(gap) {
      if gap.end != nil { return try fill(gap) }
      guard let limit = try endOfSettled(after: gap.start) else { return false }
      return try fill(Gap(start: try withoutUnfinished(gap.start), end: limit))
    }
    return false
  }

  /// Before which time there are all rows after `start` but the newest.
  private func endOfSettled(after start: Int64) throws -> Int64? {
    let limit = try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT created FROM generation INDEXED BY generation_by_time WHERE created >= ?
          ORDER BY created DESC LIMIT 1 OFFSET \(Self.newest - 1)
          """),
      arguments: [start])
    // Where all came at one moment there is nothing to do yet.
    return limit.flatMap { $0 > start ? $0 : nil }
  }

  /// Drops the last span when it is not full, to be made anew with more.
  /// - Returns: where the next one begins.
  private func withoutUnfinished(_ end: Int64) throws -> Int64 {
    let first = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT first FROM search_span WHERE past = ? AND length(starts) < ?"),
      arguments: [end, SearchSpan.mostGroups * 8])
    guard let first else { return end }
    try database.cachedStatement(sql: "DELETE FROM search_span WHERE first = ?").execute(arguments: [first])
    return first
  }

  private func gaps() throws -> [Gap] {
    let spans = try Row.fetchAll(database, sql: "SELECT first, past FROM search_span ORDER BY first")
    var gaps: [Gap] = []
    var start = Int64.min
    for span in spans {
      let first: Int64 = try span.value("first")
      if start < first { gaps.append(Gap(start: start, end: first)) }
      start = try span.value("past")
    }
    return gaps + [Gap(start: start)]
  }

  private func isWorthwhile(_ gap: Gap) throws -> Bool {
    let wanted = gap.end == nil ? Self.mostUnindexed : Self.fewest
    let count = try Int.fetchOne(
      database.cachedStatement(
        sql: "SELECT count(*) FROM (SELECT 1 FROM generation WHERE created >= ? AND created < ? LIMIT ?)"),
      arguments: [gap.start, gap.end ?? .max, wanted])
    return count == wanted
  }

  /// Makes the first span of a gap.
  private func fill(_ gap: Gap) throws -> Bool {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT created, prompt, text FROM generation INDEXED BY generation_by_time
          WHERE created >= ? AND created < ? ORDER BY created, id
          """),
      arguments: [gap.start, gap.end ?? .max])
    var bits = [UInt64](repeating: 0, count: SearchGram.slots)
    var starts: [Int64] = []
    var (inGroup, latest, past) = (0, Int64.min, gap.end)
    while let row = try rows.next() {
      let created: Int64 = try row.value("created")
      if starts.isEmpty || inGroup >= SearchSpan.rowsPerGroup && created != latest {
        if starts.count == SearchSpan.mostGroups {
          past = created
          break
        }
        starts.append(created)
        inGroup = 0
      }
      let group: UInt64 = 1 << UInt64(starts.count - 1)
      for column in ["prompt", "text"] {
        guard let text = try row.optional(column, as: String.self) else { continue }
        SearchGram.forEach(in: text) { bits[$0] |= group }
      }
      inGroup += 1
      latest = created
    }
    guard let first = starts.first else { return false }
    try SearchSpan(first: gap.start == .min ? first : gap.start, past: past ?? latest + 1)
      .insert(starts: starts, bits, into: database)
    return true
  }
}
