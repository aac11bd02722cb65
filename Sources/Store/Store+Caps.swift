import AtelierProtocol
import GRDB

extension Store {
  /// Forgets the oldest generations that have ended, files too, until history keeps to `caps`. To be called now and
  /// then.
  /// - Returns: what was deleted.
  @discardableResult
  public func enforce(_ caps: HistoryCaps) async throws(AtelierError) -> DeletionSummary {
    var summary = DeletionSummary(deleted: 0, bytesFreed: 0, stillRunning: [])
    while let id = try await oldestBeyond(caps) {
      do {
        let one = try await delete(.one(id, account: nil))
        summary.deleted += one.deleted
        summary.bytesFreed += one.bytesFreed
      } catch where error.kind == .notFound {
        // Another process was quicker; the next look decides what is left to do.
        continue
      }
    }
    return summary
  }

  /// The oldest generation that has ended, when the caps want it forgotten.
  private func oldestBeyond(_ caps: HistoryCaps) async throws(AtelierError) -> GenerationID? {
    let now = surroundings.now().milliseconds
    return try await read { database in
      guard
        let oldest = try Row.fetchOne(
          database,
          sql: """
            SELECT id, created FROM generation WHERE state NOT IN ('queued', 'running') ORDER BY created, id LIMIT 1
            """)
      else { return nil }
      let id = GenerationID(rawValue: try oldest.value("id"))
      let age = now.subtractingReportingOverflow(try oldest.value("created", as: Int64.self))
      if let maximum = caps.maximumAgeMs, !age.overflow, age.partialValue > maximum { return id }
      guard let maximum = caps.maximumBytes else { return nil }
      // Prepared inputs have an expiry of their own; only what history can give back counts.
      let bytes = try Int.fetchOne(
        database,
        sql: """
          SELECT COALESCE(SUM(bytes), 0) FROM artifact
          WHERE name IN (SELECT artifact FROM generation_image)
            OR name IN (SELECT artifact FROM generation_thumbnail)
          """)
      return (bytes ?? 0) > maximum ? id : nil
    }
  }
}
