import AtelierProtocol

/// A part of history, from an index that has its rows in the order of pages.
struct HistoryTerm {
  var source: String
  var condition: SQLCondition
}

extension HistoryTerm {
  /// Everything that the filter matches; it must have no parent and no favorites.
  static func byTime(_ filter: HistoryFilter) throws -> HistoryTerm {
    HistoryTerm(
      source: indexed(filter, "generation_by_time", "generation_by_account"), condition: try filter.condition())
  }

  /// The ended generations of one kind.
  static func ended(_ filter: HistoryFilter, of kind: HistoryKind) throws -> HistoryTerm {
    var term = HistoryTerm(source: byKind(filter), condition: try filter.condition(kind: kind))
    term.condition.require(hasEnded)
    return term
  }

  /// All ended generations, in no order: for sums.
  static func ended(_ filter: HistoryFilter) throws -> HistoryTerm {
    var term = HistoryTerm(source: byKind(filter), condition: try filter.condition())
    if filter.recipe == nil {
      let recipes = filter.recipes.map(\.rawValue)
      term.condition.require("recipe IN (SELECT value FROM json_each(?))", [try StoredText.json(recipes)])
    }
    if filter.state == nil {
      let states = filter.finalStates.map(\.rawValue)
      term.condition.require("state IN (SELECT value FROM json_each(?))", [try StoredText.json(states)])
    }
    term.condition.require(hasEnded)
    return term
  }

  /// The generations that have not ended: never many.
  static func open(_ filter: HistoryFilter) throws -> HistoryTerm {
    var term = HistoryTerm(
      source: indexed(filter, "generation_open", "generation_open_by_account"), condition: try filter.condition())
    term.condition.require("state IN ('queued', 'running')")
    return term
  }

  /// The favorites, of which there may be a parent.
  static func favorites(_ filter: HistoryFilter) throws -> HistoryTerm {
    var term = HistoryTerm(
      source: "generation_annotation CROSS JOIN generation ON id = generation_id", condition: try filter.condition())
    term.condition.require("is_favorite = 1")
    if let parent = filter.parent { term.condition.require("parent = ?", [try StoredText.identifier(parent.rawValue)]) }
    return term
  }

  /// The refinements of the parent.
  static func children(_ filter: HistoryFilter) throws -> HistoryTerm {
    var term = HistoryTerm(source: "generation INDEXED BY generation_by_parent", condition: try filter.condition())
    term.condition.require("parent = ?", [try StoredText.identifier(filter.parent?.rawValue ?? "")])
    return term
  }

  private static let hasEnded = "state NOT IN ('queued', 'running')"

  private static func byKind(_ filter: HistoryFilter) -> String {
    indexed(filter, "generation_by_kind", "generation_by_account_kind")
  }

  private static func indexed(_ filter: HistoryFilter, _ forAll: String, _ forAccount: String) -> String {
    "generation INDEXED BY \(filter.account == nil ? forAll : forAccount)"
  }
}

extension HistoryFilter {
  /// The filter as a condition on `generation`, except parent and favorites, which choose the table to read.
  /// - Parameter kind: replaces the filter's own recipe and state; nil keeps them.
  func condition(kind: HistoryKind? = nil) throws -> SQLCondition {
    var condition = SQLCondition()
    if let account { condition.require("account = ?", [try StoredText.identifier(account.rawValue)]) }
    if let kind {
      condition.require("recipe = ? AND state = ?", [kind.recipe.rawValue, kind.state.rawValue])
    } else {
      if let recipe { condition.require("recipe = ?", [recipe.rawValue]) }
      if let state { condition.require("state = ?", [state.rawValue]) }
    }
    if let since { condition.require("created >= ?", [since.milliseconds]) }
    if let until { condition.require("created < ?", [until.milliseconds]) }
    if let search, !search.isEmpty {
      let pattern = Self.pattern(search)
      let columns = ["prompt", "text"] + GenerationTable.names.map(\.sql)
      condition.require(
        "(" + columns.map { "\($0) LIKE ? ESCAPE '\\'" }.joined(separator: " OR ") + ")",
        SQLValues(columns.map { _ in .text(pattern) }))
    }
    return condition
  }

  /// The LIKE pattern for texts that contain `search`, with `%` and `_` escaped.
  static func pattern(_ search: String) -> String {
    var pattern = "%"
    for character in StoredText.readable(search).unicodeScalars {
      if ["%", "_", "\\"].contains(character) { pattern += "\\" }
      pattern.unicodeScalars.append(character)
    }
    return pattern + "%"
  }
}

/// Pages of history and their sums.
extension GenerationTable {
  /// Where some entries stand, newest first.
  func keys(in terms: [HistoryTerm], after cursor: HistoryCursor?, limit: Int) throws -> [HistoryCursor] {
    var terms = terms
    if let cursor {
      for index in terms.indices {
        terms[index].condition.require(
          "created <= ? AND (created, id) < (?, ?)", [cursor.created, cursor.created, cursor.id])
      }
    }
    if terms.isEmpty { return [] }
    // Each term returns its rows in order; the query merges them.
    let union = Self.union(of: terms, selecting: "created, id")
    return try session.rows("\(union.text) ORDER BY created DESC, id DESC LIMIT ?", union.values + [limit])
      .map { HistoryCursor(created: try $0.value("created"), id: try $0.value("id")) }
  }

  /// The sums over all rows of some terms, computed from these rows.
  func sums(in terms: [HistoryTerm]) throws -> HistorySums.Sums {
    if terms.isEmpty { return HistorySums.Sums() }
    let union = Self.union(
      of: terms,
      selecting: """
        count(*) AS generations, COALESCE(sum(credits_charged), 0) AS credits,
          COALESCE(sum(CAST(round(CAST(COALESCE(cost_usd, 0) * 1000000 AS NUMERIC)) AS BIGINT)), 0) AS cost
        """)
    let row = try session.row(
      """
      SELECT COALESCE(sum(generations), 0) AS generations, COALESCE(sum(credits), 0) AS credits,
        COALESCE(sum(cost), 0) AS cost
      FROM (\(union.text)) AS found
      """, union.values)
    return try row.map(HistorySums.Sums.init) ?? HistorySums.Sums()
  }

  private static func union(of terms: [HistoryTerm], selecting columns: String) -> SQLQuery {
    SQLQuery(
      terms.map { "SELECT \(columns) FROM \($0.source) WHERE \($0.condition.sql)" }.joined(separator: " UNION ALL "),
      terms.reduce(into: []) { $0 += $1.condition.arguments })
  }

  /// How many have not ended, by state.
  func countOfOpenByState() throws -> [String: Int] {
    Dictionary(
      try session.rows(
        "SELECT state, count(*) AS count FROM generation WHERE state IN ('queued', 'running') GROUP BY state"
      ).map { (try $0.value("state"), try $0.value("count")) }, uniquingKeysWith: +)
  }
}

/// How long the work on generations took.
extension GenerationTable {
  /// The timings of those among the newest that were worked on, newest first.
  /// - Parameter count: the number of newest that are looked at.
  func timings(ofNewest count: Int, in terms: [HistoryTerm]) throws -> [Timings] {
    if terms.isEmpty { return [] }
    let union = Self.union(of: terms, selecting: "created, id")
    return try session.rows(
      """
      SELECT \(Self.phases) FROM (
        \(union.text) ORDER BY created DESC, id DESC LIMIT ?
      ) AS newest JOIN generation USING (id)
      WHERE timings IS NOT NULL AND is_cached = 0 ORDER BY newest.created DESC, newest.id DESC
      """, union.values + [count]
    ).map { row in
      func phase(_ name: String) throws -> Int64 { try row.optional(name) ?? 0 }
      return Timings(
        queuedMs: try phase("queued"), preparingMs: try phase("preparing"), uploadingMs: try phase("uploading"),
        processingMs: try phase("processing"), savingMs: try phase("saving"), totalMs: try phase("total"))
    }
  }

  /// The columns are lower case: not every engine keeps capitals in a name.
  private static let phases = ["queued", "preparing", "uploading", "processing", "saving", "total"]
    .map { "CAST(json_extract(timings, '$.\($0)Ms') AS BIGINT) AS \($0)" }.joined(separator: ", ")
}

/// Deletion from history.
extension GenerationTable {
  /// When the newest of an account was accepted; nil when it has none.
  func latestAcceptance(of account: AccountID) throws -> Int64? {
    try session.value(
      "SELECT max(created) AS created FROM generation WHERE account = ?",
      [try StoredText.identifier(account.rawValue)])
  }

  /// The newest ended generation of an account that was accepted until `time`.
  func newestEnded(of account: AccountID, until time: Int64) throws -> GenerationID? {
    try session.value(
      """
      SELECT id FROM generation INDEXED BY generation_by_account
      WHERE account = ? AND created <= ? AND state NOT IN ('queued', 'running')
      ORDER BY created DESC, id DESC LIMIT 1
      """, [account.rawValue, time], as: String.self
    ).map(GenerationID.init(rawValue:))
  }

  /// The oldest ended generation that was accepted before `time`.
  func oldestEnded(before time: Int64) throws -> GenerationID? {
    try session.value(
      """
      SELECT id FROM generation INDEXED BY generation_by_time
      WHERE created < ? AND state NOT IN ('queued', 'running') ORDER BY created, id LIMIT 1
      """, [time], as: String.self
    ).map(GenerationID.init(rawValue:))
  }

  /// Deletes a generation that is there, with everything that belongs to it alone.
  func delete(_ id: GenerationID) throws {
    try session.change("DELETE FROM generation WHERE id = ?", [id.rawValue], expecting: 1)
  }
}
