/// What ``Store/cancel(_:account:)`` found.
public enum CancelOutcome: Sendable, Equatable {
  /// It was queued or running and is now `cancelled`. Its owner learns it from its next note or its finish.
  case cancelled(GenerationRow)
  /// It was cancelled before: the same answer again.
  case alreadyCancelled(GenerationRow)
  /// It ended otherwise: `already_finished`.
  case alreadyFinished(GenerationRow)
  /// No such generation for this account.
  case notFound
}
