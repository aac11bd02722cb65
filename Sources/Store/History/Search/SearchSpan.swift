import AtelierProtocol
import GRDB

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
