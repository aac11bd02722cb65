import AtelierProtocol

extension Store {
  /// Deletes the oldest ended generations and their files until history is within `caps`. Must be called periodically;
  /// it costs next to nothing when there is nothing to delete, however long history is. While the clock is in doubt,
  /// deletes nothing because of its age.
  /// - Returns: what was deleted.
  @discardableResult
  public func enforce(_ caps: HistoryLimits) async throws(AtelierError) -> DeletionSummary {
    var summary = DeletionSummary()
    if let maximum = caps.maximumAgeMs {
      let (time, overflow) = surroundings.now().milliseconds.subtractingReportingOverflow(maximum)
      if !overflow, try await hasEnded(before: time) {
        summary = try await deleteInBatches { [self] session, _ in
          try mayExpire(in: session) ? session.generations.oldestEnded(before: time) : nil
        }
      }
    }
    if let maximum = caps.maximumBytes {
      while true {
        let excess = try await read { session in try Self.bytesOfHistory(moreThan: maximum, in: session) - maximum }
        if excess <= 0 { break }
        let some = try await deleteInBatches { session, batch in
          batch.bytesFreed < excess ? try session.generations.oldestEnded(before: .max) : nil
        }
        if some.deleted == 0 { break }
        summary.deleted += some.deleted
        summary.bytesFreed += some.bytesFreed
      }
    }
    if summary.deleted > 0 { await forgetLog() }
    return summary
  }

  private func hasEnded(before time: Int64) async throws(AtelierError) -> Bool {
    try await read { [self] session in
      try mayExpire(in: session) && session.generations.oldestEnded(before: time) != nil
    }
  }

  /// The bytes of all files of history. Prepared inputs have an expiry of their own: they are counted only when all
  /// files together exceed `maximum`.
  private static func bytesOfHistory(moreThan maximum: Int, in session: any SQLSession) throws -> Int {
    let all = try session.artifacts.totalBytes()
    guard all > maximum else { return all }
    return all - (try session.artifacts.bytesOfInputsAlone())
  }
}

/// The limits of history that an operator sets; nil means unlimited.
public struct HistoryLimits: Sendable, Equatable {
  /// Generations accepted longer ago than this are deleted, in milliseconds.
  public var maximumAgeMs: Int64?
  /// The maximum bytes of all stored files together; above it, the oldest generations are deleted first.
  public var maximumBytes: Int?

  public init(maximumAgeMs: Int64? = nil, maximumBytes: Int? = nil) {
    self.maximumAgeMs = maximumAgeMs
    self.maximumBytes = maximumBytes
  }

  /// True when nothing is ever deleted.
  public var isUnbounded: Bool { maximumAgeMs == nil && maximumBytes == nil }
}
