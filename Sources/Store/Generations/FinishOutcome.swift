/// What became of a ``Settlement``.
public enum FinishOutcome: Sendable, Equatable {
  /// The generation ended as asked.
  case finished(GenerationRow)
  /// Another process ended it first. Nothing of the settlement was stored and its staged files are gone.
  case alreadyFinal(GenerationRow)
  /// Another process deleted it after cancelling it. Nothing was stored and its staged files are gone.
  case deleted
}
