/// What ``Store/claim(_:)`` found.
public enum ClaimOutcome: Sendable, Equatable {
  /// It is running now, and this process's to do.
  case begun
  /// It goes on waiting: the queue is paused, or its time is over and it is about to expire.
  case heldBack
  /// It ended meanwhile, or belongs to another process.
  case ended
}
