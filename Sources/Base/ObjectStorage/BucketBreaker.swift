import Synchronization

/// Keeps requests from waiting for a storage that leaves them without an answer: after one time-out the others are refused
/// at once, until a trial after a while finds that it answers again.
final class BucketBreaker: Sendable {
  /// How long requests are refused after a time-out, in milliseconds.
  static let pauseMs: Int64 = 10_000

  enum Admission: Equatable {
    case go
    /// This caller finds out for all whether the storage answers; ``noteAnswer()`` or ``note(_:)`` must follow.
    case trial
  }

  private enum State {
    /// As far as is known, it answers.
    case closed
    case open(BucketError, untilMs: Int64)
    /// Somebody finds out.
    case trying(BucketError)
  }

  private let uptimeMs: @Sendable () -> Int64
  private let state = Mutex(State.closed)

  init(uptimeMs: @escaping @Sendable () -> Int64) { self.uptimeMs = uptimeMs }

  /// - Throws: the time-out because of which nobody is let through now.
  func admit() throws(BucketError) -> Admission {
    let now = uptimeMs()
    let refusal: BucketError? = try state.withLock { state throws(BucketError) in
      switch state {
      case .closed: return nil
      case .open(let error, let end) where now >= end:
        state = .trying(error)
        return error
      case .open(let error, _), .trying(let error): throw error
      }
    }
    return refusal == nil ? .go : .trial
  }

  func noteAnswer() { state.withLock { $0 = .closed } }

  func note(_ error: BucketError) {
    let now = uptimeMs()
    state.withLock { state in
      switch (state, error.isTimeout, error.kind) {
      case (_, true, _):
        // What is told to the others was not sent for them.
        state = .open(BucketError(error.kind), untilMs: now + Self.pauseMs)
      // A trial that was broken off has found out nothing: the next one may.
      case (.trying(let before), false, .cancelled), (.trying(let before), false, .noKey):
        state = .open(before, untilMs: now)
      case (_, false, .cancelled), (_, false, .noKey), (_, false, .badName): break
      case (_, false, _): state = .closed
      }
    }
  }
}
