/// The progress of one call as MCP wants it: strictly rising, and below the total until the answer comes.
struct RisingProgress: Sendable, Equatable {
  static let total = 100

  /// In thousandths.
  private var last = 0

  /// The number to report; nil when it cannot rise any more.
  /// - Parameter overall: the part that is done, from 0 to 1. It may repeat, and falls when the work starts again.
  mutating func next(_ overall: Double) -> Double? {
    // The last hundredth is left for numbers that rise although nothing is known to have been done.
    let told = Int(min(max(overall, 0), 1) * Double((Self.total - 1) * 1_000))
    guard max(told, last + 1) < Self.total * 1_000 else { return nil }
    last = max(told, last + 1)
    return Double(last) / 1_000
  }
}
