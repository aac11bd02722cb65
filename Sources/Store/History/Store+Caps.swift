import AtelierProtocol
import GRDB

extension Store {
  /// Forgets the oldest generations that have ended, files too, until history keeps to `caps`. To be called now and
  /// then; where there is nothing to forget it costs next to nothing, however long history is. While the clock is in
  /// doubt nothing is forgotten for its age.
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

  /// The oldest generation that has ended, accepted before a time.
  private static func oldest(before time: Int64, in database: Database) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id FROM generation INDEXED BY generation_by_time
          WHERE created < ? AND state NOT IN ('queued', 'running') ORDER BY created, id LIMIT 1
          """),
      arguments: [time])
  }

  /// The bytes of all files of history. Prepared inputs have an expiry of their own: they are looked for only where all
  /// files together are more than `maximum`.
  private static func bytesOfHistory(moreThan maximum: Int, in database: Database) throws -> Int {
    let all = try Int.fetchOne(database.cachedStatement(sql: "SELECT bytes FROM artifact_sum")) ?? 0
    guard all > maximum else { return all }
    let inputs = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT COALESCE(sum(bytes), 0) FROM artifact
          WHERE name IN (SELECT artifact FROM prepared WHERE artifact IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM generation_image WHERE generation_image.artifact = artifact.name)
            AND NOT EXISTS (SELECT 1 FROM generation_thumbnail WHERE generation_thumbnail.artifact = artifact.name)
          """))
    return all - (inputs ?? 0)
  }
}

/// How much history an operator wants kept; nil means without bound (REQUIREMENTS 7.3).
public struct HistoryLimits: Sendable, Equatable {
  /// Generations that were accepted longer ago are forgotten, in milliseconds.
  public var maximumAgeMs: Int64?
  /// The bytes all stored files may have together; beyond them the oldest generations are forgotten first.
  public var maximumBytes: Int?

  public init(maximumAgeMs: Int64? = nil, maximumBytes: Int? = nil) {
    self.maximumAgeMs = maximumAgeMs
    self.maximumBytes = maximumBytes
  }

  /// True when nothing is ever forgotten.
  public var isUnbounded: Bool { maximumAgeMs == nil && maximumBytes == nil }
}
