import AtelierProtocol
import Store

extension Engine {
  /// Counts, costs and times of the generations in history.
  /// - Throws: `permission_denied`.
  public func statistics(_ request: UsageStatistics, for caller: Caller) async throws -> UsageStatistics.Result {
    let account = try caller.accountOrEverybody(naming: request.account)
    let first = request.since?.day ?? -1_000_000
    // A day counts if it began before `until`.
    let last = request.until.map { Timestamp(milliseconds: $0.milliseconds - 1).day } ?? 4_000_000
    let isBounded = request.since != nil || request.until != nil
    guard first <= last else { return StoredStatistics().result }
    return try await lazyStore.store().statistics(account: account, days: isBounded ? first...last : nil).result
  }
}

extension StoredStatistics {
  fileprivate var result: UsageStatistics.Result {
    UsageStatistics.Result(
      total: sum, byRecipe: groups(\.recipe), byState: groups(\.state), byProvider: groups(\.provider),
      byFailure: groups(\.failure),
      byDay: costByDay.map { day in
        UsageStatistics.Day(
          day: Timestamp(day: day.day).date, generations: day.generations, creditsUsed: day.credits,
          costUsd: Self.dollars(day.cost))
      },
      latency: latency)
  }

  private var sum: UsageStatistics.Sum {
    UsageStatistics.Sum(
      generations: counts.reduce(0) { $0 + $1.generations }, creditsUsed: counts.reduce(0) { $0 + $1.credits },
      costUsd: Self.dollars(counts.reduce(0) { $0 + $1.cost }))
  }

  /// Grouped by `name`, the most frequent first.
  private func groups(_ name: (Count) -> String?) -> [UsageStatistics.Group] {
    let named = Dictionary(grouping: counts.filter { name($0) != nil }) { name($0) ?? "" }
    return named.map { name, counts in
      UsageStatistics.Group(
        name: name, generations: counts.reduce(0) { $0 + $1.generations },
        creditsUsed: counts.reduce(0) { $0 + $1.credits }, costUsd: Self.dollars(counts.reduce(0) { $0 + $1.cost }))
    }.sorted { ($1.generations, $0.name) < ($0.generations, $1.name) }
  }

  private var latency: UsageStatistics.Latency {
    func percentiles(_ phase: (Timings) -> Int64) -> UsageStatistics.Percentiles {
      UsageStatistics.Percentiles(of: timings.map(phase))
    }
    return UsageStatistics.Latency(
      generations: timings.count, queuedMs: percentiles(\.queuedMs), preparingMs: percentiles(\.preparingMs),
      uploadingMs: percentiles(\.uploadingMs), processingMs: percentiles(\.processingMs),
      savingMs: percentiles(\.savingMs), totalMs: percentiles(\.totalMs))
  }

  private static func dollars(_ millionths: Int64) -> Double { Double(millionths) / 1_000_000 }
}
