import AtelierProtocol
import GRDB

/// Creates missing spans (see ``SearchSpan``), one at a time.
struct SearchIndex {
  /// This many of the newest rows are not indexed yet: a text added to one of them later would undo their span.
  private static let newest = 256
  /// This many rows after the last span justify a new span, which grows with later rows until it is full.
  private static let fewestAtEnd = 1_024
  /// A gap with fewer rows than this is read as fast without a span.
  private static let fewest = 64
  /// The maximum number of rows without a span once indexing is complete.
  static let mostUnindexed = fewestAtEnd + newest

  let database: Database

  /// A time range without a span, between two spans or after the last one.
  private struct Gap {
    var start: Int64
    /// Nil after the last span.
    var end: Int64?
  }

  /// Creates one span.
  /// - Returns: false when none is missing.
  func extend() throws -> Bool {
    for gap in try gaps() where try isWorthwhile(gap) {
      if gap.end != nil { return try fill(gap) }
      guard let limit = try endOfSettled(after: gap.start) else { return false }
      return try fill(Gap(start: try withoutUnfinished(gap.start), end: limit))
    }
    return false
  }

  /// The time before which all rows since `start` lie, except the newest ones.
  private func endOfSettled(after start: Int64) throws -> Int64? {
    let limit = try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT created FROM generation INDEXED BY generation_by_time WHERE created >= ?
          ORDER BY created DESC LIMIT 1 OFFSET \(Self.newest - 1)
          """),
      arguments: [start])
    // When all rows have the same time, there is nothing to do yet.
    return limit.flatMap { $0 > start ? $0 : nil }
  }

  /// Deletes the last span when it is not full, so that it can be recreated with more rows.
  /// - Returns: where the next span begins.
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

  /// Creates the first span of a gap.
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

/// Short runs of bytes (n-grams), hashed to numbers below ``slots``: a text that contains a needle has all runs of the
/// needle.
///
/// Uses bytes instead of letters, so that one Chinese character (three bytes) is found as quickly as three Latin
/// letters. Ignores ASCII case, like LIKE.
enum SearchGram {
  static let slots = 32_768

  /// The lengths of runs. A needle is cut into runs of the longest length that fits, because longer runs are rarer.
  private static let lengths = [5, 3, 2]
  /// About how many runs of a needle are looked up: more runs exclude hardly any more texts.
  private static let mostOfNeedle = 16

  /// Calls `body` for each run of `text`, of each length.
  static func forEach(in text: String, _ body: (Int) -> Void) {
    var text = text
    text.withUTF8 { bytes in
      var window: UInt64 = 0
      for (index, byte) in bytes.enumerated() {
        window = window << 8 | UInt64(folded(byte))
        for length in lengths where index + 1 >= length { body(slot(window, length)) }
      }
    }
  }

  /// The runs that every text containing this needle has; none for a needle of one byte.
  static func slots(of needle: String) -> [Int] {
    let bytes = Array(needle.utf8)
    guard let length = lengths.first(where: { $0 <= bytes.count }) else { return [] }
    var slots: [Int] = []
    var window: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      window = window << 8 | UInt64(folded(byte))
      if index + 1 >= length { slots.append(slot(window, length)) }
    }
    let step = max(1, slots.count / mostOfNeedle)
    return stride(from: 0, to: slots.count, by: step).map { slots[$0] }
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func slot(_ window: UInt64, _ length: Int) -> Int {
    let run = window & (1 << UInt64(length * 8) - 1) | UInt64(length) << 56
    // Multiplicative hashing: the upper bits of the product depend on all of the run.
    return Int((run &* 0x9E37_79B9_7F4A_7C15) >> 49)
  }
}

/// A time range of history, and an index of the parts in which a needle cannot occur.
///
/// Its generations are divided by time into up to 64 groups. Each run of bytes has a number with one bit per group, set
/// when a text of the group contains the run: a needle can only occur in the groups that have all its runs.
struct SearchSpan {
  static let mostGroups = 64
  /// The minimum, unless the span ends: generations accepted in the same millisecond stay in one group.
  static let rowsPerGroup = 64
  /// The numbers that fit on a database page together with their row.
  private static let slotsPerPart = 500

  var first: Int64
  var past: Int64

  /// Adjacent groups that are read together.
  struct Stretch {
    var range: Range<Int64>
    var groups: Int

    static let mostGroups = 8
  }

  /// All spans that begin before `time`, latest first.
  static func all(before time: Int64, in database: Database) throws -> [SearchSpan?] {
    let statement = try database.cachedStatement(
      sql: "SELECT first, past FROM search_span WHERE first < ? ORDER BY first DESC")
    let rows = try Row.fetchCursor(statement, arguments: [time])
    return try Array(rows.map { SearchSpan(first: try $0.value("first"), past: try $0.value("past")) })
  }

  /// The groups that have all of `slots`, newest first.
  func stretches(with slots: [Int], in database: Database) throws -> [Stretch] {
    var groups = UInt64.max
    let statement = try database.cachedStatement(
      sql: "SELECT substr(bits, ?, 8) FROM search_bits WHERE first = ? AND part = ?")
    for slot in slots where groups != 0 {
      let (part, place) = slot.quotientAndRemainder(dividingBy: Self.slotsPerPart)
      groups &= try Bytes.fetchOne(statement, arguments: [place * 8 + 1, first, part])?.numbers.first ?? 0
    }
    return groups == 0 ? [] : stretches(of: groups, starts: try starts(in: database))
  }

  /// The time when the earliest generation of each group was accepted; for the first group, that time or an earlier
  /// one.
  private func starts(in database: Database) throws -> [Int64] {
    let statement = try database.cachedStatement(sql: "SELECT starts FROM search_span WHERE first = ?")
    return try Bytes.fetchOne(statement, arguments: [first])?.numbers.map(Int64.init(bitPattern:)) ?? []
  }

  private func stretches(of groups: UInt64, starts: [Int64]) -> [Stretch] {
    var stretches: [Stretch] = []
    for group in starts.indices.reversed() where groups >> UInt64(group) & 1 == 1 {
      let end = group + 1 < starts.count ? starts[group + 1] : past
      // The first group begins with its span, which may be before its first generation.
      let start = group == 0 ? first : starts[group]
      if let last = stretches.last, last.range.lowerBound == end, last.groups < Stretch.mostGroups {
        stretches[stretches.count - 1] = Stretch(range: start..<last.range.upperBound, groups: last.groups + 1)
      } else {
        stretches.append(Stretch(range: start..<end, groups: 1))
      }
    }
    return stretches
  }

  /// Inserts the span with the start times of its groups and with `bits`, one number per slot.
  func insert(starts: [Int64], _ bits: [UInt64], into database: Database) throws {
    try database.cachedStatement(sql: "INSERT INTO search_span (first, past, starts) VALUES (?, ?, ?)")
      .execute(arguments: [first, past, Bytes(starts.map(UInt64.init(bitPattern:)))])
    let statement = try database.cachedStatement(sql: "INSERT INTO search_bits (first, part, bits) VALUES (?, ?, ?)")
    for (part, start) in stride(from: 0, to: bits.count, by: Self.slotsPerPart).enumerated() {
      let some = bits[start..<min(start + Self.slotsPerPart, bits.count)]
      try statement.execute(arguments: [first, part, Bytes(some)])
    }
  }
}
