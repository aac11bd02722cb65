import AtelierProtocol
import GRDB

extension Store {
  /// How many generations there were of each kind, how they ended, what they cost and how long they took. Covers ended
  /// generations in history; counts are of whole days in UTC, and cost next to nothing, however many there are.
  /// - Parameters:
  ///   - account: the account to cover; nil for all accounts.
  ///   - days: days since 1970-01-01; nil for all.
  public func statistics(
    account: AccountID?, days: ClosedRange<Int64>?
  ) async throws(AtelierError) -> StoredStatistics {
    try await read { database in
      let reader = StatisticsReader(account: account, days: days, database: database)
      return StoredStatistics(
        counts: try reader.counts(), costByDay: try reader.costByDay(), timings: try reader.timings())
    }
  }
}

/// Reads the sums within one read transaction.
struct StatisticsReader {
  /// The maximum number of days reported one by one.
  static let mostDays = 366

  let account: AccountID?
  let days: ClosedRange<Int64>?
  let database: Database

  private func condition() throws -> SQLCondition {
    var condition = SQLCondition()
    condition.require("account = ?", [try account.map { try StoredText.identifier($0.rawValue) } ?? ""])
    if let days { condition.require("day BETWEEN ? AND ?", [days.lowerBound, days.upperBound]) }
    return condition
  }

  private static let sums = "sum(generations) AS generations, sum(credits) AS credits, sum(cost) AS cost"

  func counts() throws -> [StoredStatistics.Count] {
    let condition = try condition()
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT recipe, state, NULLIF(provider, '') AS provider, NULLIF(failure, '') AS failure, \(Self.sums)
          FROM generation_sum WHERE \(condition.sql) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
          """),
      arguments: condition.arguments
    ).map { row in
      StoredStatistics.Count(
        recipe: try row.value("recipe"), state: try row.value("state"), provider: try row.optional("provider"),
        failure: try row.optional("failure"), generations: try row.value("generations"),
        credits: try row.value("credits"), cost: try row.value("cost"))
    }
  }

  func costByDay() throws -> [StoredStatistics.Day] {
    let condition = try condition()
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT day, \(Self.sums) FROM generation_sum WHERE \(condition.sql)
          GROUP BY day ORDER BY day DESC LIMIT \(Self.mostDays)
          """),
      arguments: condition.arguments
    ).map { row in
      StoredStatistics.Day(
        day: try row.value("day"), generations: try row.value("generations"), credits: try row.value("credits"),
        cost: try row.value("cost"))
    }
  }

  func timings() throws -> [Timings] {
    let dayMs: Int64 = 86_400_000
    var sql: [String] = []
    var arguments = StatementArguments()
    for state in [GenerationState.succeeded, .partial] {
      let filter = HistoryFilter(
        account: account, state: state, since: days.map { Timestamp(milliseconds: $0.lowerBound * dayMs) },
        until: days.map { Timestamp(milliseconds: ($0.upperBound + 1) * dayMs) })
      for term in try HistoryReader(filter: filter, database: database).endedTerms() {
        sql.append("SELECT created, id FROM \(term.source) WHERE \(term.condition.sql)")
        arguments += term.condition.arguments
      }
    }
    arguments += [StoredStatistics.mostTimed]
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT \(Self.phases) FROM (
            \(sql.joined(separator: " UNION ALL ")) ORDER BY created DESC, id DESC LIMIT ?
          ) AS newest JOIN generation USING (id)
          WHERE timings IS NOT NULL AND NOT is_cached
          """),
      arguments: arguments)
    return try Array(
      rows.map { row in
        func phase(_ name: String) throws -> Int64 { try row.optional(name) ?? 0 }
        return Timings(
          queuedMs: try phase("queuedMs"), preparingMs: try phase("preparingMs"),
          uploadingMs: try phase("uploadingMs"), processingMs: try phase("processingMs"),
          savingMs: try phase("savingMs"), totalMs: try phase("totalMs"))
      })
  }

  private static let phases = ["queuedMs", "preparingMs", "uploadingMs", "processingMs", "savingMs", "totalMs"]
    .map { "CAST(json_extract(timings, '$.\($0)') AS INTEGER) AS \($0)" }.joined(separator: ", ")
}

/// Sums of history, and the timings of the newest generations.
public struct StoredStatistics: Sendable, Equatable {
  /// The number of newest successful generations whose timings are read: percentiles of all would need every row.
  public static let mostTimed = 2_000

  public struct Count: Sendable, Equatable {
    public var recipe: String
    public var state: String
    /// Nil when none was chosen.
    public var provider: String?
    /// The kind of the error; nil without one.
    public var failure: String?
    public var generations: Int
    public var credits: Int
    /// Millionths of a US dollar.
    public var cost: Int64
  }

  public struct Day: Sendable, Equatable {
    /// Days since 1970-01-01.
    public var day: Int64
    public var generations: Int
    public var credits: Int
    public var cost: Int64
  }

  public var counts: [Count]
  /// Latest first.
  public var costByDay: [Day]
  /// Latest first; only of generations that delivered and were not answered from the cache.
  public var timings: [Timings]

  public init(counts: [Count] = [], costByDay: [Day] = [], timings: [Timings] = []) {
    self.counts = counts
    self.costByDay = costByDay
    self.timings = timings
  }
}

extension Store {
  /// How often each template was used.
  /// - Parameter last: the number of the last use to count; nil counts all.
  /// - Returns: the uses by template, and the number of the last one counted.
  public func templateUses(upTo last: Int64? = nil) async throws(AtelierError) -> (counts: [String: Int], last: Int64) {
    try await read { database in
      var counts: [String: Int] = [:]
      var seen = last ?? 0
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: "SELECT template, count(*), max(seq) FROM template_use WHERE seq <= ? GROUP BY template"),
        arguments: [last ?? Int64.max])
      while let row = try rows.next() {
        counts[row[0]] = row[1]
        if last == nil { seen = max(seen, row[2]) }
      }
      return (counts, seen)
    }
  }

  /// Counts the use of a template whose generation delivered pictures.
  func countTemplateUse(of row: GenerationRow, endedBy settlement: Settlement, in database: Database) throws {
    guard !settlement.files.with(.image).isEmpty, settlement.state == .succeeded || settlement.state == .partial,
      let template = row.request["templateId"]?.string, !template.isEmpty
    else { return }
    try database.cachedStatement(sql: "INSERT INTO template_use (template) VALUES (?)")
      .execute(arguments: [try StoredText.identifier(template)])
  }
}
