import AtelierProtocol

/// What the search of history and its index read.
extension GenerationTable {
  /// The texts of one generation.
  struct Texts {
    var created: Int64
    var id: String
    /// What a search looks in: the prompt, the text of the result, and ``GenerationTable/names``.
    var all: [String]
  }

  /// The strings of the request's metadata that a search looks in, by the name of their column.
  static let names = ["source", "target"].map { name in
    (name: name, sql: "CAST(json_extract(generation.metadata, '$.\(name)') AS TEXT)")
  }

  /// The texts of some generations accepted in a range of time, oldest first.
  /// - Parameter position: they come after this.
  func texts(in range: Range<Int64>, after position: HistoryCursor, limit: Int) throws -> [Texts] {
    let names = Self.names.map { "\($0.sql) AS \($0.name)" }.joined(separator: ", ")
    return try session.rows(
      """
      SELECT created, id, prompt, text, \(names) FROM generation INDEXED BY generation_by_time
      WHERE created >= ? AND created < ? AND (created, id) > (?, ?) ORDER BY created, id LIMIT ?
      """, [max(range.lowerBound, position.created), range.upperBound, position.created, position.id, limit]
    ).map { row in
      let columns = ["prompt", "text"] + Self.names.map(\.name)
      return Texts(
        created: try row.value("created"), id: try row.value("id"),
        all: try columns.compactMap { try row.optional($0, as: String.self) })
    }
  }

  /// How many of the newest generations accepted in a range of time there are, and when the earliest of them was.
  /// - Parameters:
  ///   - most: not more are counted.
  ///   - account: nil for all accounts.
  func latest(
    _ most: Int, of account: AccountID?, in range: Range<Int64>
  ) throws -> (count: Int, earliest: Int64?) {
    let term = try HistoryTerm.byTime(HistoryFilter(account: account).within(range))
    let row = try session.row(
      """
      SELECT count(*) AS count, min(created) AS earliest FROM (
        SELECT created FROM \(term.source) WHERE \(term.condition.sql) ORDER BY created DESC LIMIT ?
      ) AS found
      """, term.condition.arguments + [most])
    return (try row?.value("count") ?? 0, try row?.optional("earliest"))
  }

  /// How many generations were accepted in a range of time.
  /// - Parameter most: not more are counted.
  func count(in range: Range<Int64>, atMost most: Int) throws -> Int {
    try session.value(
      """
      SELECT count(*) AS count FROM (
        SELECT created FROM generation WHERE created >= ? AND created < ? LIMIT ?
      ) AS found
      """, [range.lowerBound, range.upperBound, most]) ?? 0
  }

  /// When one of the newest generations was accepted; nil when that was before `start`.
  /// - Parameter position: 1 for the newest.
  func acceptance(ofNewest position: Int, from start: Int64) throws -> Int64? {
    try session.value(
      """
      SELECT created FROM generation INDEXED BY generation_by_time WHERE created >= ?
      ORDER BY created DESC LIMIT 1 OFFSET ?
      """, [start, position - 1])
  }
}
