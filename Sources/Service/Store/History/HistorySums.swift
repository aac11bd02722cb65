import AtelierProtocol

/// Totals of history: whole days come from sums that triggers maintain, partial first and last days from the index, and
/// generations that have not ended from their few rows.
struct HistorySums {
  let filter: HistoryFilter
  let session: any SQLSession

  struct Sums {
    var generations = 0
    var credits = 0
    /// Millionths of a US dollar.
    var cost: Int64 = 0

    static func += (left: inout Sums, right: Sums) {
      left.generations += right.generations
      left.credits += right.credits
      left.cost += right.cost
    }

    var totals: History.Totals {
      History.Totals(generations: generations, creditsUsed: credits, costUsd: Double(cost) / 1_000_000)
    }
  }

  /// The sums over everything that matches the filter, which must have no search, parent or favorites.
  func all() throws -> Sums {
    var sums = try days(whole)
    let parts = filter.finalStates.isEmpty ? [] : edges.filter { !$0.isEmpty }
    var terms = try parts.map { try HistoryTerm.ended(filter.within($0)) }
    if filter.admitsOpen { terms.append(try HistoryTerm.open(filter)) }
    sums += try session.generations.sums(in: terms)
    return sums
  }

  /// An upper bound of the number of ended generations that match the filter without its search.
  func atMost() throws -> Int {
    let first = filter.since.map { Self.day($0.milliseconds) } ?? Self.firstDay
    let last = filter.until.map { Self.day($0.milliseconds) } ?? Self.lastDay
    return try first <= last ? days(first...last).generations : 0
  }

  private func days(_ days: ClosedRange<Int64>?) throws -> Sums {
    guard let days else { return Sums() }
    return try session.generationSums.sums(
      account: filter.account, days: days, recipe: filter.recipe, state: filter.state)
  }

  /// The days that lie entirely within the filter's times.
  private var whole: ClosedRange<Int64>? {
    let first = filter.since.map { Self.day(max($0.milliseconds, .min + 1) - 1) + 1 } ?? Self.firstDay
    let last = filter.until.map { Self.day($0.milliseconds) - 1 } ?? Self.lastDay
    return first <= last ? first...last : nil
  }

  /// The parts of the filter's times outside of ``whole``.
  private var edges: [Range<Int64>] {
    let (since, until) = (filter.since?.milliseconds, filter.until?.milliseconds)
    guard let whole else {
      let start = since ?? 0
      return [start..<max(start, until ?? start)]
    }
    return [
      since.map { $0..<max($0, whole.lowerBound * Self.dayMs) },
      until.map { min($0, (whole.upperBound + 1) * Self.dayMs)..<$0 },
    ].compactMap { $0 }
  }

  private static let dayMs: Int64 = 86_400_000
  /// Outside of all times that can be written.
  private static let firstDay: Int64 = -1_000_000
  private static let lastDay: Int64 = 4_000_000

  /// The day of a time, counted from 1970-01-01.
  private static func day(_ milliseconds: Int64) -> Int64 {
    let clamped = min(max(milliseconds, firstDay * dayMs), lastDay * dayMs)
    let (day, rest) = clamped.quotientAndRemainder(dividingBy: dayMs)
    return rest < 0 ? day - 1 : day
  }
}
