import AtelierProtocol

extension Store {
  /// The numbers that monitoring systems collect; costs next to nothing, however long history is.
  public func metrics() async throws(AtelierError) -> StoredMetrics {
    let cooldowns = try await cooldowns()
    return try await read { [self] session in
      let waiting = try session.queue.countByProvider()
      return StoredMetrics(
        schemaVersion: Schema.version, tallies: try session.generationSums.tallies(),
        open: try session.generations.countOfOpenByState(),
        waiting: Dictionary(waiting.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +),
        creditsHeld: try session.holds.heldForOpenGenerations(), databaseBytes: try engine.bytes(in: session),
        artifactBytes: try session.artifacts.totalBytes(), cooldowns: cooldowns)
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
