extension CreditBalance {
  /// How much of an allocation is left, as a traffic light (REQUIREMENTS 6.6).
  public enum Level: String, Codable, Sendable, CaseIterable {
    /// More than 50 %.
    case green
    /// 20 % to 50 %.
    case yellow
    /// Less than 20 %.
    case red

    /// - Parameters:
    ///   - available: credits that can be spent; may be more than the allocation, when others were bought.
    ///   - allocation: credits that were given.
    /// - Returns: nil when nothing was given: there is no part of nothing.
    public init?(available: Int, allocation: Int) {
      guard allocation > 0 else { return nil }
      // Divided rather than multiplied: exact for whole numbers, and no number of credits overflows.
      if available > allocation / 2 {
        self = .green
      } else if available > (allocation - 1) / 5 {
        self = .yellow
      } else {
        self = .red
      }
    }
  }
}

extension CreditBalance.Level: SchemaDescribed {
  public static let summary = "How much of the allocation is left: green > 50 %, yellow 20 to 50 %, red < 20 %."
}
