/// What became of an ``Acceptance``.
public enum AcceptOutcome: Sendable, Equatable {
  /// A new row, `queued` or `running` as was asked, owned by this process.
  case accepted(GenerationRow)
  /// The account used this idempotency key before, with the same params: this is that generation, perhaps ended.
  case existing(GenerationRow)
}
