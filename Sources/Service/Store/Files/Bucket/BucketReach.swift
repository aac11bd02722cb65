import ObjectStorage
import Synchronization

/// When the bucket last stored something or answered, so that not every request asks it.
final class BucketReach: Sendable {
  /// How long an answer holds, in milliseconds.
  private static let lifetimeMs: Int64 = 10_000

  private let uptimeMs: @Sendable () -> Int64
  private let soundUntilMs = Atomic<Int64>(.min)

  init(uptimeMs: @escaping @Sendable () -> Int64) { self.uptimeMs = uptimeMs }

  var isKnown: Bool { uptimeMs() < soundUntilMs.load(ordering: .relaxed) }

  func noteSuccess() { soundUntilMs.store(uptimeMs() + Self.lifetimeMs, ordering: .relaxed) }
}

extension S3Files {
  /// Asks the bucket, unless it has answered a moment ago. Waits for it for seconds only: somebody waits for the answer.
  func checkReady(isThorough: Bool) async throws {
    // Before anything is stored, were it only for a trial.
    try await versions.check()
    if reach.isKnown, !isThorough { return }
    do throws(BucketError) {
      if isThorough {
        // One name for all, so that a process that dies meanwhile leaves what the next trial removes.
        try await bucket.tryStoring(as: "trial")
      } else {
        try await bucket.reach(isBrief: true)
      }
    } catch {
      throw StoreError(error)
    }
    reach.noteSuccess()
  }
}
