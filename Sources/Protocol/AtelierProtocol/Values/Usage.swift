/// What the provider counted and charged.
public struct Usage: Codable, Sendable, Equatable {
  /// Tokens sent; 0 if the provider counts none.
  public var inputTokens: Int
  /// Tokens received; 0 if the provider counts none.
  public var outputTokens: Int
  /// What the provider charges, in US dollars; absent if unknown.
  public var costUsd: Double?

  public init(inputTokens: Int = 0, outputTokens: Int = 0, costUsd: Double? = nil) {
    self.inputTokens = inputTokens
    self.outputTokens = outputTokens
    // To a millionth: sums of fractions otherwise end in nines.
    self.costUsd = costUsd.map { ($0 * 1_000_000).rounded() / 1_000_000 }
  }

  /// The sum of both; the cost is known if either is.
  public static func + (left: Usage, right: Usage) -> Usage {
    let costs = [left.costUsd, right.costUsd].compactMap { $0 }
    return Usage(
      inputTokens: left.inputTokens + right.inputTokens, outputTokens: left.outputTokens + right.outputTokens,
      costUsd: costs.isEmpty ? nil : costs.reduce(0, +))
  }
}
