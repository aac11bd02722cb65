import AtelierProtocol

/// What was deleted.
public struct DeletionSummary: Sendable, Equatable {
  /// Generations gone from history.
  public var deleted: Int
  /// Bytes of the files removed because nothing else refers to them.
  public var bytesFreed: Int
  /// Left alone because they have not ended: cancel them first. Only with ``Deletion/all(account:)``.
  public var stillRunning: [GenerationID]
}
