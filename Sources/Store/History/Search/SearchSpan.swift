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
  /// When the earliest generation of each group was accepted, that of the first group no later than that.
  var starts: [Int64]

  /// The times of the groups that have all of `slots`, newest first, neighbours joined.
  func ranges(of slots: [Int], in database: Database) throws -> [Range<Int64>] {
    var groups = starts.count == Self.mostGroups ? UInt64.max : (1 << UInt64(starts.count)) - 1
    let statement = try database.cachedStatement(
      sql: "SELECT substr(bits, ?, 8) FROM search_bits WHERE first = ? AND part = ?")
    for slot in slots where groups != 0 {
      let (part, place) = slot.quotientAndRemainder(dividingBy: Self.slotsPerPart)
      groups &= try Bytes.fetchOne(statement, arguments: [place * 8 + 1, first, part])?.numbers.first ?? 0
    }
    return ranges(of: groups)
  }

  private func ranges(of groups: UInt64) -> [Range<Int64>] {
    var ranges: [Range<Int64>] = []
    for group in starts.indices.reversed() where groups >> UInt64(group) & 1 == 1 {
      let end = group + 1 < starts.count ? starts[group + 1] : past
      if let last = ranges.last, last.lowerBound == end {
        ranges[ranges.count - 1] = starts[group]..<last.upperBound
      } else {
        ranges.append(starts[group]..<end)
      }
    }
    return ranges
  }

  /// The latest span that begins before `time`.
  static func latest(before time: Int64, in database: Database) throws -> SearchSpan? {
    let statement = try database.cachedStatement(
      sql: "SELECT first, past, starts FROM search_span WHERE first < ? ORDER BY first DESC LIMIT 1")
    return try Row.fetchOne(statement, arguments: [time]).map { row in
      SearchSpan(
        first: try row.value("first"), past: try row.value("past"),
        starts: try row.value("starts", as: Bytes.self).numbers.map(Int64.init(bitPattern:)))
    }
  }

  /// Writes the span with `bits`, a number for each slot.
  func insert(_ bits: [UInt64], into database: Database) throws {
    try database.cachedStatement(sql: "INSERT INTO search_span (first, past, starts) VALUES (?, ?, ?)")
      .execute(arguments: [first, past, Bytes(starts.map(UInt64.init(bitPattern:)))])
    let statement = try database.cachedStatement(sql: "INSERT INTO search_bits (first, part, bits) VALUES (?, ?, ?)")
    for (part, start) in stride(from: 0, to: bits.count, by: Self.slotsPerPart).enumerated() {
      let some = bits[start..<min(start + Self.slotsPerPart, bits.count)]
      try statement.execute(arguments: [first, part, Bytes(some)])
    }
  }
}
