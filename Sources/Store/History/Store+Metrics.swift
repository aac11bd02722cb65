import AtelierProtocol
import GRDB

extension Store {
  /// The numbers that monitoring systems collect; costs next to nothing, however long history is.
  public func metrics() async throws(AtelierError) -> StoredMetrics {
    let cooldowns = try await cooldowns()
    return try await read { database in
      func number(_ sql: String) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: sql)) ?? 0
      }
      return StoredMetrics(
        schemaVersion: Schema.version,
        tallies: try Row.fetchAll(
          database.cachedStatement(
            sql: """
              SELECT recipe, provider, state, bucket, generations, milliseconds FROM generation_tally
              ORDER BY recipe, provider, state, bucket
              """)
        ).map { try StoredMetrics.Tally($0) },
        open: Dictionary(
          try Row.fetchAll(
            database.cachedStatement(
              sql: "SELECT state, count(*) AS count FROM generation WHERE state IN ('queued', 'running') GROUP BY state")
          ).map { (try $0.value("state"), try $0.value("count")) }, uniquingKeysWith: +),
        waiting: Dictionary(
          try Row.fetchAll(
            database.cachedStatement(sql: "SELECT provider, count(*) AS count FROM queued_generation GROUP BY provider")
          ).map { (try $0.value("provider"), try $0.value("count")) }, uniquingKeysWith: +),
        creditsHeld: try number(
          """
          SELECT COALESCE(sum(hold.amount), 0) FROM generation CROSS JOIN hold ON hold.generation_id = generation.id
          WHERE state IN ('queued', 'running')
          """),
        databaseBytes: try number("PRAGMA page_count") * number("PRAGMA page_size"),
        artifactBytes: try number("SELECT bytes FROM artifact_sum"), cooldowns: cooldowns)
    }
  }
}

/// What the data directory knows about the work of all its processes.
public struct StoredMetrics: Sendable, Equatable {
  /// The upper bounds of the durations that are told apart, in milliseconds; the last stands for all longer ones.
  public static let durationBounds = Schema.tallyBounds

  /// Generations of one kind that have ended, since the data directory was made; deleted ones count.
  public struct Tally: Sendable, Equatable {
    public var recipe: String
    /// Empty if none was chosen.
    public var provider: String
    public var state: String
    /// One of ``durationBounds``; 0 for those that are not timed: without a picture, or answered from the cache.
    public var bucket: Int64
    public var generations: Int
    /// How long they took together, from acceptance to end.
    public var milliseconds: Int64
  }

  public var schemaVersion: Int
  public var tallies: [Tally]
  /// Generations that have not ended, by state.
  public var open: [String: Int]
  /// Generations that wait in the offline queue, by provider.
  public var waiting: [String: Int]
  /// Credits held for generations that have not ended.
  public var creditsHeld: Int
  public var databaseBytes: Int
  public var artifactBytes: Int
  public var cooldowns: [Cooldown]
}

extension StoredMetrics.Tally {
  init(_ row: Row) throws {
    self.init(
      recipe: try row.value("recipe"), provider: try row.value("provider"), state: try row.value("state"),
      bucket: try row.value("bucket"), generations: try row.value("generations"),
      milliseconds: try row.value("milliseconds"))
  }
}
