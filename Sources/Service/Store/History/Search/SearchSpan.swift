import AtelierProtocol

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

  /// The groups that have all of `slots`, newest first.
  func stretches(with slots: [Int], in session: any SQLSession) throws -> [Stretch] {
    var groups = UInt64.max
    let positions = slots.map { slot in
      let (part, position) = slot.quotientAndRemainder(dividingBy: Self.slotsPerPart)
      return SearchSpanTable.Position(part: part, position: position)
    }
    try session.searchSpans.prefetchNumbers(at: positions, of: first)
    for position in positions where groups != 0 {
      groups &= try session.searchSpans.number(at: position, of: first) ?? 0
    }
    return groups == 0 ? [] : stretches(of: groups, starts: try session.searchSpans.starts(of: first) ?? [])
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

  /// Inserts the span with the content of its groups.
  func insert(_ content: SearchSpanContent, into session: any SQLSession) throws {
    let bits = content.bits
    let parts = stride(from: 0, to: bits.count, by: Self.slotsPerPart).map { start in
      Array(bits[start..<min(start + Self.slotsPerPart, bits.count)])
    }
    try session.searchSpans.insert(self, starts: content.starts, parts: parts)
  }
}
