/// The pauses between two looks at a provider that cannot be reached: doubling up to a limit, half of each by chance.
public struct ProbeBackoff: Sendable, Equatable {
  /// The first pause, in milliseconds.
  public var firstMs: Int
  /// The longest, in milliseconds.
  public var longestMs: Int

  public init(firstMs: Int, longestMs: Int) {
    self.firstMs = firstMs
    self.longestMs = longestMs
  }

  /// The pause after so many failures in a row, in milliseconds: from half of its full length to all of it.
  /// - Parameter random: spreads the looks of many machines over time.
  public func pauseMs(afterFailures failures: Int, random: UInt64) -> Int {
    var full = min(max(1, firstMs), max(1, longestMs))
    var rest = failures
    while rest > 1, full < longestMs {
      full = min(full * 2, longestMs)
      rest -= 1
    }
    let half = full / 2
    return full - half + Int(random % UInt64(half + 1))
  }
}
