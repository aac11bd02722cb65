/// The SQL of the search index: the tables `search_span` and `search_bits`.
struct SearchSpanTable {
  let session: any SQLSession

  /// A number of a span, by where it is stored.
  struct Position {
    /// The row of `search_bits`, from 0.
    var part: Int
    /// Its position among the numbers of that row, from 0.
    var position: Int
  }

  /// All spans, earliest first.
  func all() throws -> [SearchSpan] {
    try session.rows("SELECT first, past FROM search_span ORDER BY first").map(SearchSpan.init)
  }

  /// The spans that begin before `time`, latest first.
  func all(before time: Int64) throws -> [SearchSpan] {
    try session.rows("SELECT first, past FROM search_span WHERE first < ? ORDER BY first DESC", [time])
      .map(SearchSpan.init)
  }

  /// Where the span begins that ends before `past` and has fewer than `most` groups; nil when there is none.
  func beginningOfUnfinished(past: Int64, groups most: Int) throws -> Int64? {
    try session.value("SELECT first FROM search_span WHERE past = ? AND length(starts) < ?", [past, most * 8])
  }

  /// When each group of the span that begins at `first` begins; nil when there is no such span.
  func starts(of first: Int64) throws -> [Int64]? {
    try session.value("SELECT starts FROM search_span WHERE first = ?", [first], as: Bytes.self)
      .map { $0.numbers.map(Int64.init(bitPattern:)) }
  }

  /// Says that the numbers at these positions are read next.
  func prefetchNumbers(at positions: [Position], of first: Int64) throws {
    try session.prefetch(positions.map { Self.number(at: $0, of: first) })
  }

  /// A number of the span that begins at `first`; nil when it is missing.
  func number(at position: Position, of first: Int64) throws -> UInt64? {
    let query = Self.number(at: position, of: first)
    return try session.value(query.text, query.values, as: Bytes.self)?.numbers.first
  }

  private static func number(at position: Position, of first: Int64) -> SQLQuery {
    SQLQuery(
      "SELECT substr(bits, ?, 8) AS bits FROM search_bits WHERE first = ? AND part = ?",
      [position.position * 8 + 1, first, position.part])
  }

  /// - Parameters:
  ///   - starts: when each of its groups begins.
  ///   - parts: its numbers, by the rows that they are stored in.
  func insert(_ span: SearchSpan, starts: [Int64], parts: [[UInt64]]) throws {
    try session.run(
      "INSERT INTO search_span (first, past, starts) VALUES (?, ?, ?)",
      [span.first, span.past, Bytes(starts.map(UInt64.init(bitPattern:)))])
    for (part, numbers) in parts.enumerated() {
      try session.run(
        "INSERT INTO search_bits (first, part, bits) VALUES (?, ?, ?)", [span.first, part, Bytes(numbers)])
    }
  }

  /// Deletes the span that begins at `first`.
  func delete(_ first: Int64) throws {
    try session.run("DELETE FROM search_span WHERE first = ?", [first])
  }
}

extension SearchSpan {
  fileprivate init(_ row: SQLRow) throws {
    self.init(first: try row.value("first"), past: try row.value("past"))
  }
}

extension SQLSession {
  var searchSpans: SearchSpanTable { SearchSpanTable(session: self) }
}
