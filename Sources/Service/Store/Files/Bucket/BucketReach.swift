import ObjectStorage
import POSIX
import Synchronization

/// What is known of a bucket, so that not every request asks it: whether all that storing needs was tried, and when it last
/// stored something or answered.
final class BucketReach: Sendable {
  /// How long an answer holds, in milliseconds.
  private static let lifetimeMs: Int64 = 10_000

  private let uptimeMs: @Sendable () -> Int64
  private let soundUntilMs = Atomic<Int64>(.min)
  private let isTried = Atomic(false)
  /// The question that is being asked, whose answer concurrent callers share.
  private let question = SharedTask<Result<Void, any Error>>()

  init(uptimeMs: @escaping @Sendable () -> Int64) { self.uptimeMs = uptimeMs }

  /// Whether it can store, as far as it has shown a moment ago.
  var isKnown: Bool { isTried.load(ordering: .relaxed) && uptimeMs() < soundUntilMs.load(ordering: .relaxed) }

  /// Whether all that storing needs has had success since its last refusal.
  var wasTried: Bool { isTried.load(ordering: .relaxed) }

  func noteTrial() {
    isTried.store(true, ordering: .relaxed)
    noteSuccess()
  }

  func noteSuccess() { soundUntilMs.store(uptimeMs() + Self.lifetimeMs, ordering: .relaxed) }

  /// Asks, or waits for the answer to the question that is being asked.
  func share(_ ask: @escaping @Sendable () async throws -> Void) async throws {
    try await question.value {
      do {
        return .success(try await ask())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// What was refused once may be refused in another way next time.
  func noteFailure() {
    isTried.store(false, ordering: .relaxed)
    soundUntilMs.store(.min, ordering: .relaxed)
  }
}

extension S3Files {
  /// One of a few names, so that processes that die meanwhile leave few objects, which later trials remove, and those of
  /// several processes at once are seldom in each other's way.
  private var trialName: String { "trial-\(process.rawValue.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xF })" }

  /// Asks the bucket, unless it has answered a moment ago. Waits for it for seconds only: somebody waits for the answer.
  func checkReady(trying trial: FileTrial?) async throws {
    if reach.isKnown, trial == nil { return }
    try await reach.share { try await ask(trying: trial) }
  }

  private func ask(trying trial: FileTrial?) async throws {
    // Before anything is stored, were it only for a trial.
    try await versions.check()
    do throws(BucketError) {
      if trial != nil || !reach.wasTried {
        let trial = trial ?? FileTrial()
        try await bucket.tryStoring(as: trialName, bytes: trial.bytes, mimeType: trial.mimeType)
        reach.noteTrial()
      } else {
        try await bucket.reach()
        reach.noteSuccess()
      }
    } catch {
      reach.noteFailure()
      throw StoreError(error)
    }
  }
}
