import AtelierProtocol

/// The SQL of the tables `generation_watch`, who wants to see the progress of a generation of another process, and
/// `generation_interest`, which processes have clients that want a generation.
struct WatchTable {
  let session: any SQLSession

  /// Notes that somebody watches those of these generations that have not ended.
  /// - Parameter until: how long the note lasts, in milliseconds since 1970.
  func note(_ ids: [GenerationID], until: Int64) throws {
    try session.run(
      """
      INSERT INTO generation_watch (generation_id, until)
      SELECT id, ? FROM generation
      WHERE id IN (SELECT value FROM json_each(?)) AND state IN ('queued', 'running')
      ON CONFLICT (generation_id) DO UPDATE SET until = excluded.until
      """,
      [until, try StoredText.json(ids)])
  }

  /// Shares progress with those who watch, unless the generation belongs to another process.
  func share(_ progress: GenerationProgress, owner: OwnerID) throws {
    try session.run(
      """
      UPDATE generation_watch SET progress = ?
      WHERE generation_id = ? AND EXISTS (SELECT 1 FROM generation WHERE id = generation_id AND owner = ?)
      """,
      [
        try StoredText.json(progress), try StoredText.identifier(progress.generationId.rawValue), owner.rawValue,
      ])
  }
}

extension WatchTable {
  /// Whether a process has noted its interest in a generation.
  func isInterested(_ owner: OwnerID, in id: GenerationID) throws -> Bool {
    try session.finds(
      "SELECT 1 FROM generation_interest WHERE generation_id = ? AND owner = ?",
      [try StoredText.identifier(id.rawValue), owner.rawValue])
  }

  /// The processes that have noted their interest in a generation, but for one.
  func interested(in id: GenerationID, besides owner: OwnerID) throws -> [OwnerID] {
    try session.values(
      "SELECT owner FROM generation_interest WHERE generation_id = ? AND owner <> ?",
      [try StoredText.identifier(id.rawValue), owner.rawValue], as: String.self
    ).map { OwnerID(rawValue: $0) }
  }

  /// Notes the interest of a process in a generation that has not ended.
  func noteInterest(of owner: OwnerID, in id: GenerationID) throws {
    try session.run(
      """
      INSERT INTO generation_interest (generation_id, owner)
      SELECT id, ?2 FROM generation WHERE id = ?1 AND state IN ('queued', 'running')
      ON CONFLICT DO NOTHING
      """,
      [try StoredText.identifier(id.rawValue), owner.rawValue])
  }

  func withdrawInterest(of owner: OwnerID, in id: GenerationID) throws {
    try session.run(
      "DELETE FROM generation_interest WHERE generation_id = ? AND owner = ?",
      [try StoredText.identifier(id.rawValue), owner.rawValue])
  }
}

extension SQLSession {
  var watches: WatchTable { WatchTable(session: self) }
}
