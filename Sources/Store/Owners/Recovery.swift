import AtelierProtocol

/// What ``Store/recover()`` settled for processes that are gone.
public struct Recovery: Sendable, Equatable {
  /// Still queued and provably never begun: now this process's own, to be run, oldest first.
  public var adopted: [GenerationRow]
  /// Ended as `interrupted`: whatever they held is released.
  public var interrupted: [GenerationRow]
  /// Those of `adopted` that wait for their provider.
  public var waiting: Set<GenerationID> = []
  /// What had waited too long, of any process: ended as `expired`, what was held for it is released.
  public var expired: [GenerationRow] = []
  /// Files no row refers to, removed.
  public var sweptFiles: Int
}
