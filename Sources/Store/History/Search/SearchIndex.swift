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

/// Short runs of bytes, as numbers below ``slots``: a text that contains a needle has all the needle's runs.
///
/// Bytes and not letters, so that one Chinese character, which has three, is found as quickly as three Latin letters.
/// Without regard to ASCII case, as LIKE.
enum SearchGram {
  static let slots = 32_768

  /// What a needle of so many bytes is cut into: the longer the runs, the rarer they are.
  private static let lengths = [5, 3, 2]
  /// More of them hardly rule out more.
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

  /// The runs that every text with this needle in it has; none for a needle of one byte.
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

/// A stretch of history and where in it a needle cannot be.
///
/// Its generations are in up to 64 groups by time. For each run of bytes there is a number with a bit for each group
/// that has the run in one of its texts: a needle can only be in the groups that have all its runs.
struct SearchSpan {
  static let mostGroups = 64
  /// At least, unless the span ends: what was accepted in the same millisecond stays together.
  static let rowsPerGroup = 64
  /// As many numbers as fit onto a page of the database with their row.
  private static let slotsPerPart = 500

  var first: Int64
  var past: Int64

  /// Some neighbouring groups, as many as are read together.
  struct Stretch {
    var range: Range<Int64>
    var groups: Int

    static let mostGroups = 8
  }

  /// All that begin before `time`, the latest first.
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

  /// When the earliest generation of each group was accepted, that of the first group no later than that.
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

  /// Writes the span with the starts of its groups, and `bits`, a number for each slot.
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
