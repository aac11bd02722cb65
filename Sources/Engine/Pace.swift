import AtelierProtocol

/// How long generations have been taking, by provider: what estimates come from.
struct Pace: Sendable {
  private var typicalMs: [ProviderID: Double] = [:]

  /// Learns from one that succeeded. Recent ones weigh more: a third of the newest, two of what was known.
  mutating func note(_ milliseconds: Int64, for provider: ProviderID) {
    let sample = Double(milliseconds)
    typicalMs[provider] = typicalMs[provider].map { $0 + (sample - $0) / 3 } ?? sample
  }

  /// Milliseconds until the end of a generation with `ahead` others before it; nil before anything was learnt.
  func remainingMs(for provider: ProviderID, elapsedMs: Int64, ahead: Int) -> Int64? {
    typicalMs[provider].map { max(0, Int64($0) * Int64(ahead + 1) - elapsedMs) }
  }
}
