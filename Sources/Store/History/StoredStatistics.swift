import AtelierProtocol

/// Sums of history, and how long the newest took.
public struct StoredStatistics: Sendable, Equatable {
  /// As many of the newest that delivered are asked how long they took: percentiles of all would have to be read one
  /// by one.
  public static let mostTimed = 2_000

  public struct Count: Sendable, Equatable {
    public var recipe: String
    public var state: String
    /// Nil where none was chosen.
    public var provider: String?
    /// The kind of the error, of those that have one.
    public var failure: String?
    public var generations: Int
    public var credits: Int
    /// Millionths of a US dollar.
    public var cost: Int64
  }

  public struct Day: Sendable, Equatable {
    /// Since 1970-01-01.
    public var day: Int64
    public var generations: Int
    public var credits: Int
    public var cost: Int64
  }

  public var counts: [Count]
  /// The latest first.
  public var costByDay: [Day]
  /// The latest first, of those that delivered and were not answered from the cache.
  public var timings: [Timings]

  public init(counts: [Count] = [], costByDay: [Day] = [], timings: [Timings] = []) {
    self.counts = counts
    self.costByDay = costByDay
    self.timings = timings
  }
}
