import Store

/// When something that has failed is tried again: after pauses that double until it succeeds, however often somebody
/// asks for it. Whatever repeats a step because its effect is missing must ask here first, for only the step itself
/// could bring about that effect.
struct RetryPauses: Sendable {
  /// The pauses while the disk is full or the database cannot be written. Paid pictures wait for the end of the last one.
  static let ofTheStore = Backoff(firstMs: 500, longestMs: 8_000)

  private let backoff: Backoff
  private var failures = 0
  private var dueAtMs = Int64.min

  init(_ backoff: Backoff = ofTheStore) { self.backoff = backoff }

  func isDue(atMs now: Int64) -> Bool { dueAtMs <= now }

  mutating func failed(atMs now: Int64) {
    if failures < .max { failures += 1 }
    dueAtMs = now + Int64(backoff.fullMs(afterFailures: failures))
  }

  mutating func succeeded() {
    failures = 0
    dueAtMs = .min
  }
}
