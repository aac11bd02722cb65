import AtelierProtocol

/// What was deleted.
public struct DeletionSummary: Sendable, Equatable {
  /// Generations deleted from history.
  public var deleted: Int
  /// Bytes of the files removed because nothing else refers to them.
  public var bytesFreed: Int
  /// Kept because they have not ended: cancel them first.
  public var stillRunning: [GenerationID]

  public init(deleted: Int = 0, bytesFreed: Int = 0, stillRunning: [GenerationID] = []) {
    self.deleted = deleted
    self.bytesFreed = bytesFreed
    self.stillRunning = stillRunning
  }
}
