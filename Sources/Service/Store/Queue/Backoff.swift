/// The pauses between two probes of an unreachable provider: doubling up to a limit, half of each random.
public struct Backoff: Sendable, Equatable {
  /// The first pause, in milliseconds.
  public var firstMs: Int
  /// The longest, in milliseconds.
  public var longestMs: Int

  public init(firstMs: Int, longestMs: Int) {
    self.firstMs = firstMs
    self.longestMs = longestMs
  }

  /// The pause after this many failures in a row, in milliseconds: between half of its full length and all of it.
  /// - Parameter random: spreads the probes of many machines over time.
  public func pauseMs(afterFailures failures: Int, random: UInt64) -> Int {
    let full = fullMs(afterFailures: failures)
    let half = full / 2
    return full - half + Int(random % UInt64(half + 1))
  }

  /// The full length of the pause after this many failures in a row, in milliseconds.
  public func fullMs(afterFailures failures: Int) -> Int {
    var full = min(max(1, firstMs), max(1, longestMs))
    var rest = failures
    while rest > 1, full < longestMs {
      full = full > longestMs / 2 ? longestMs : full * 2
      rest -= 1
    }
    return full
  }
}
