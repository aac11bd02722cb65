import AtelierProtocol

/// What ``Store/start(_:)`` and ``Store/note(_:for:)`` found.
public enum NoteOutcome: Sendable, Equatable {
  /// The generation is this process's to go on with.
  case goOn
  /// It ended meanwhile, because another process cancelled or deleted it (nil: the row is gone). Stop the work.
  case ended(GenerationState?)
}
