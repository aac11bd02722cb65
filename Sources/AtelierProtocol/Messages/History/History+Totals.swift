extension History {
  /// Sums over records.
  public struct Totals: Codable, Sendable, Equatable {
    public var generations: Int
    public var creditsUsed: Int
    /// What providers charged, in US dollars, as far as it is known.
    public var costUsd: Double
    /// True where a search found so much that it was not counted to the end: there are at least so many.
    public var atLeast: Bool?

    public init(generations: Int = 0, creditsUsed: Int = 0, costUsd: Double = 0, atLeast: Bool? = nil) {
      self.generations = generations
      self.creditsUsed = creditsUsed
      self.costUsd = costUsd
      self.atLeast = atLeast
    }
  }
}

extension History.Totals: SchemaDescribed {
  public static let summary = "Sums over records."

  public static let members = [
    "costUsd": "What providers charged, in US dollars, as far as it is known.",
    "atLeast": "True where a search found so much that it was not counted to the end: there are at least so many.",
  ]
}
