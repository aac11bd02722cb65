import AtelierProtocol
import Store
import Synchronization

/// Records the outcome of every try at the pictures of one generation: whether a provider may have begun paid work.
final class SendingRecord: Sendable {
  /// The number of sent tries without an answer, and whether an answered one may have led to work.
  private let tries = Mutex((unanswered: 0, mayHaveBegun: false))
  private let hasNote = Atomic(false)

  /// True while no sent try is unanswered and every sent try provably led to no work.
  var isUnsent: Bool { tries.withLock { $0.unanswered == 0 && !$0.mayHaveBegun } }

  /// Whether the store knows that something may have been sent.
  var isNoted: Bool { hasNote.load(ordering: .acquiring) }

  func noted() { hasNote.store(true, ordering: .releasing) }

  /// One try at one picture.
  final class Try: Sendable {
    private let record: SendingRecord
    private let isSent = Mutex(false)

    init(_ record: SendingRecord) { self.record = record }

    /// Call this before the first byte is sent; repeated calls have no effect.
    func isBeingSent() {
      let wasSent = isSent.withLock { isSent in
        defer { isSent = true }
        return isSent
      }
      if !wasSent { record.tries.withLock { $0.unanswered += 1 } }
    }

    /// - Parameter failure: nil for a try that succeeded.
    func end(with failure: (any Error)?) {
      let wasSent = isSent.withLock(\.self)
      // A try cancelled before sending led to no work; for any other end the provider must prove that.
      let mayHaveBegun =
        failure is CancellationError ? wasSent : failure.map { !AtelierError(wrapping: $0).isWorthWaitingFor } ?? true
      record.tries.withLock {
        if wasSent { $0.unanswered -= 1 }
        if mayHaveBegun { $0.mayHaveBegun = true }
      }
    }
  }
}
