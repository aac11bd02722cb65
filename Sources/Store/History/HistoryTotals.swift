/// Sums over all generations that match a filter.
public struct HistoryTotals: Sendable, Equatable {
  public var generations: Int
  /// Credits spent: none before there is a ledger.
  public var creditsUsed: Int
  public var costUsd: Double
}
