import AtelierProtocol

/// What ``Store/settle()`` found of processes that are gone.
public struct Recovery: Sendable, Equatable {
  /// Ended as `interrupted`: whatever they held is released.
  public var interrupted: [GenerationRow] = []
  /// Generations that any process may begin now.
  public var requeued = 0
  /// What had waited too long, of any process: ended as `expired`, what was held for it is released.
  public var expired: [GenerationRow] = []

  public init() {}
}
