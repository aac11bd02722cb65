/// What ``Store/recover()`` settled for processes that are gone.
public struct Recovery: Sendable, Equatable {
  /// Still queued and provably never begun: now this process's own, to be run, oldest first.
  public var adopted: [GenerationRow]
  /// Ended as `interrupted`: whatever they held is released.
  public var interrupted: [GenerationRow]
  /// Files no row refers to, removed.
  public var sweptFiles: Int
}
