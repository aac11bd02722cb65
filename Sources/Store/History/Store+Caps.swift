import AtelierProtocol
import GRDB

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
        summary = try await deleteInTurns { [self] database, _ in
          try mayExpire(in: database) ? Self.oldest(before: time, in: database) : nil
        }
      }
    }
    if let maximum = caps.maximumBytes {
      while true {
        let excess = try await read { database in try Self.bytesOfHistory(moreThan: maximum, in: database) - maximum }
        if excess <= 0 { break }
        let some = try await deleteInTurns { database, turn in
          turn.bytesFreed < excess ? try Self.oldest(before: .max, in: database) : nil
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
    try await read { [self] database in
      try mayExpire(in: database) && Self.oldest(before: time, in: database) != nil
    }
  }

  /// The oldest ended generation accepted before a time.
  private static func oldest(before time: Int64, in database: Database) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id FROM generation INDEXED BY generation_by_time
          WHERE created < ? AND state NOT IN ('queued', 'running') ORDER BY created, id LIMIT 1
          """),
      arguments: [time])
  }

  /// The bytes of all files of history. Prepared inputs have an expiry of their own: they are counted only when all
  /// files together exceed `maximum`.
  private static func bytesOfHistory(moreThan maximum: Int, in database: Database) throws -> Int {
    let all = try Int.fetchOne(database.cachedStatement(sql: "SELECT bytes FROM artifact_sum")) ?? 0
    guard all > maximum else { return all }
    let inputs = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT COALESCE(sum(bytes), 0) FROM artifact
          WHERE name IN (SELECT artifact FROM prepared WHERE artifact IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM generation_file WHERE generation_file.artifact = artifact.name)
          """))
    return all - (inputs ?? 0)
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
