import AtelierProtocol

extension Store {
  /// How many generations there were of each kind, how they ended, what they cost and how long they took. Covers ended
  /// generations in history; counts are of whole days in UTC, and cost next to nothing, however many there are.
  /// - Parameters:
  ///   - account: the account to cover; nil for all accounts.
  ///   - days: days since 1970-01-01; nil for all.
  public func statistics(
    account: AccountID?, days: ClosedRange<Int64>?
  ) async throws(AtelierError) -> StoredStatistics {
    try await read { session in
      StoredStatistics(
        counts: try session.generationSums.counts(account: account, days: days),
        costByDay: try session.generationSums.days(account: account, days: days, atMost: Self.mostDays),
        timings: try Self.timings(account: account, days: days, in: session))
    }
  }

  /// The maximum number of days reported one by one.
  private static let mostDays = 366

  private static func timings(
    account: AccountID?, days: ClosedRange<Int64>?, in session: any SQLSession
  ) throws -> [Timings] {
    let dayMs: Int64 = 86_400_000
    let terms = try [GenerationState.succeeded, .partial].flatMap { state in
      let filter = HistoryFilter(
        account: account, state: state, since: days.map { Timestamp(milliseconds: $0.lowerBound * dayMs) },
        until: days.map { Timestamp(milliseconds: ($0.upperBound + 1) * dayMs) })
      return try HistoryReader(filter: filter, session: session).endedTerms()
    }
    return try session.generations.timings(ofNewest: StoredStatistics.mostTimed, in: terms)
  }
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
    try await read { session in
      let uses = try session.templateUses.counts(upTo: last ?? .max)
      let counts = Dictionary(uses.map { ($0.template, $0.uses) }, uniquingKeysWith: +)
      return (counts, last ?? uses.reduce(0) { max($0, $1.latest) })
    }
  }

  /// Counts the use of a template whose generation delivered pictures.
  func countTemplateUse(of row: GenerationRow, endedBy settlement: Settlement, in session: any SQLSession) throws {
    guard !settlement.files.with(.image).isEmpty, settlement.state == .succeeded || settlement.state == .partial,
      let template = row.request["templateId"]?.string, !template.isEmpty
    else { return }
    try session.templateUses.insert(template)
  }
}
