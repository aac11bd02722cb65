import AtelierProtocol

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
  /// The number of rows read at a time.
  private static let rowsTogether = 512

  let session: any SQLSession

  /// A time range without a span, between two spans or after the last one.
  private struct Gap {
    var start: Int64
    /// Nil after the last span.
    var end: Int64?

    var range: Range<Int64> { start..<max(start, end ?? .max) }
  }

  /// Creates one span.
  /// - Returns: false when none is missing.
  func extend() throws -> Bool {
    for gap in try gaps() where try isWorthwhile(gap) {
      if gap.end != nil { return try fill(gap) }
      guard let limit = try endOfFinished(after: gap.start) else { return false }
      return try fill(Gap(start: try withoutUnfinished(gap.start), end: limit))
    }
    return false
  }

  /// The time before which all rows since `start` lie, except the newest ones.
  private func endOfFinished(after start: Int64) throws -> Int64? {
    let limit = try session.generations.acceptance(ofNewest: Self.newest, from: start)
    // When all rows have the same time, there is nothing to do yet.
    return limit.flatMap { $0 > start ? $0 : nil }
  }

  /// Deletes the last span when it is not full, so that it can be recreated with more rows.
  /// - Returns: where the next span begins.
  private func withoutUnfinished(_ end: Int64) throws -> Int64 {
    guard let first = try session.searchSpans.beginningOfUnfinished(past: end, groups: SearchSpan.mostGroups) else {
      return end
    }
    try session.searchSpans.delete(first)
    return first
  }

  private func gaps() throws -> [Gap] {
    var gaps: [Gap] = []
    var start = Int64.min
    for span in try session.searchSpans.all() {
      if start < span.first { gaps.append(Gap(start: start, end: span.first)) }
      start = span.past
    }
    return gaps + [Gap(start: start)]
  }

  private func isWorthwhile(_ gap: Gap) throws -> Bool {
    let wanted = gap.end == nil ? Self.mostUnindexed : Self.fewest
    return try session.generations.count(in: gap.range, atMost: wanted) == wanted
  }

  /// Creates the first span of a gap.
  private func fill(_ gap: Gap) throws -> Bool {
    var content = SearchSpanContent()
    // No id is empty.
    var position = HistoryCursor(created: gap.start, id: "")
    var past = gap.end
    reading: while true {
      let rows = try session.generations.texts(in: gap.range, after: position, limit: Self.rowsTogether)
      for row in rows {
        if content.add(row) { continue }
        past = row.created
        break reading
      }
      guard rows.count == Self.rowsTogether, let last = rows.last else { break }
      position = HistoryCursor(created: last.created, id: last.id)
    }
    guard let first = content.starts.first else { return false }
    try SearchSpan(first: gap.start == .min ? first : gap.start, past: past ?? content.latest + 1)
      .insert(content, into: session)
    return true
  }
}

/// The groups of a span that is being created.
struct SearchSpanContent {
  /// When each group begins.
  private(set) var starts: [Int64] = []
  /// For each run of bytes, the groups that have it.
  private(set) var bits = [UInt64](repeating: 0, count: SearchGram.slots)
  /// When the last generation was accepted.
  private(set) var latest = Int64.min
  private var inGroup = 0

  /// Adds the next generation.
  /// - Returns: false when the span is full: the generation belongs to the next one.
  mutating func add(_ texts: GenerationTable.Texts) -> Bool {
    if starts.isEmpty || inGroup >= SearchSpan.rowsPerGroup && texts.created != latest {
      if starts.count == SearchSpan.mostGroups { return false }
      starts.append(texts.created)
      inGroup = 0
    }
    let group: UInt64 = 1 << UInt64(starts.count - 1)
    for text in texts.all {
      SearchGram.forEach(in: text) { bits[$0] |= group }
    }
    inGroup += 1
    latest = texts.created
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
