import AtelierProtocol

/// The SQL of the sums over generations: the tables `generation_sum`, `generation_count` and `generation_tally`, which
/// triggers keep.
struct GenerationSumTable {
  let session: any SQLSession

  /// The sums over whole days.
  /// - Parameters:
  ///   - account: nil for all accounts.
  ///   - days: days since 1970-01-01.
  func sums(
    account: AccountID?, days: ClosedRange<Int64>, recipe: Recipe?, state: GenerationState?
  ) throws -> HistorySums.Sums {
    var condition = try condition(account: account, days: days)
    if let recipe { condition.require("recipe = ?", [recipe.rawValue]) }
    if let state { condition.require("state = ?", [state.rawValue]) }
    let row = try session.row(
      """
      SELECT COALESCE(sum(generations), 0) AS generations, COALESCE(sum(credits), 0) AS credits,
        COALESCE(sum(cost), 0) AS cost
      FROM generation_sum WHERE \(condition.sql)
      """, condition.arguments)
    return try row.map(HistorySums.Sums.init) ?? HistorySums.Sums()
  }

  /// The sums of each kind of generation and end, in order.
  func counts(account: AccountID?, days: ClosedRange<Int64>?) throws -> [StoredStatistics.Count] {
    let condition = try condition(account: account, days: days)
    return try session.rows(
      """
      SELECT recipe, state, provider, failure, \(Self.totals) FROM generation_sum WHERE \(condition.sql)
      GROUP BY recipe, state, provider, failure ORDER BY recipe, state, provider, failure
      """, condition.arguments
    ).map(StoredStatistics.Count.init)
  }

  /// The sums of each day, latest first.
  /// - Parameter most: the number of days.
  func days(account: AccountID?, days: ClosedRange<Int64>?, atMost most: Int) throws -> [StoredStatistics.Day] {
    let condition = try condition(account: account, days: days)
    return try session.rows(
      "SELECT day, \(Self.totals) FROM generation_sum WHERE \(condition.sql) GROUP BY day ORDER BY day DESC LIMIT ?",
      condition.arguments + [most]
    ).map(StoredStatistics.Day.init)
  }

  private static let totals = "sum(generations) AS generations, sum(credits) AS credits, sum(cost) AS cost"

  private func condition(account: AccountID?, days: ClosedRange<Int64>?) throws -> SQLCondition {
    var condition = SQLCondition()
    condition.require("account = ?", [try account.map { try StoredText.identifier($0.rawValue) } ?? ""])
    if let days { condition.require("day BETWEEN ? AND ?", [days.lowerBound, days.upperBound]) }
    return condition
  }

  /// How many generations there are in each state, those included that have not ended.
  func countByState() throws -> [GenerationState: Int] {
    Dictionary(
      try session.rows(
        """
        SELECT state, generations AS count FROM generation_count WHERE generations > 0
        UNION ALL
        SELECT state, count(*) AS count FROM generation WHERE state IN ('queued', 'running') GROUP BY state
        """
      ).map { (try $0.coded("state"), try $0.value("count")) }, uniquingKeysWith: +)
  }

  /// All counts that only grow, in order.
  func tallies() throws -> [StoredMetrics.Tally] {
    try session.rows(
      """
      SELECT recipe, provider, state, bucket, generations, milliseconds FROM generation_tally
      ORDER BY recipe, provider, state, bucket
      """
    ).map(StoredMetrics.Tally.init)
  }
}

extension HistorySums.Sums {
  /// - Parameter row: has `generations`, `credits` and `cost`.
  init(_ row: SQLRow) throws {
    self.init(
      generations: try row.value("generations"), credits: try row.value("credits"), cost: try row.value("cost"))
  }
}

extension StoredStatistics.Count {
  fileprivate init(_ row: SQLRow) throws {
    let (provider, failure): (String, String) = (try row.value("provider"), try row.value("failure"))
    self.init(
      recipe: try row.value("recipe"), state: try row.value("state"), provider: provider.isEmpty ? nil : provider,
      failure: failure.isEmpty ? nil : failure, generations: try row.value("generations"),
      credits: try row.value("credits"), cost: try row.value("cost"))
  }
}

extension StoredStatistics.Day {
  fileprivate init(_ row: SQLRow) throws {
    self.init(
      day: try row.value("day"), generations: try row.value("generations"), credits: try row.value("credits"),
      cost: try row.value("cost"))
  }
}

extension StoredMetrics.Tally {
  fileprivate init(_ row: SQLRow) throws {
    self.init(
      recipe: try row.value("recipe"), provider: try row.value("provider"), state: try row.value("state"),
      bucket: try row.value("bucket"), generations: try row.value("generations"),
      milliseconds: try row.value("milliseconds"))
  }
}

extension SQLSession {
  var generationSums: GenerationSumTable { GenerationSumTable(session: self) }
}
