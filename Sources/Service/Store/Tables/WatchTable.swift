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
  func share(_ progress: GenerationProgress, process: ProcessID) throws {
    try session.run(
      """
      UPDATE generation_watch SET progress = ?
      WHERE generation_id = ? AND EXISTS (SELECT 1 FROM generation WHERE id = generation_id AND process = ?)
      """,
      [
        try StoredText.json(progress), try StoredText.identifier(progress.generationId.rawValue), process.rawValue,
      ])
  }
}

extension WatchTable {
  /// Whether a process has noted its interest in a generation.
  func isInterested(_ process: ProcessID, in id: GenerationID) throws -> Bool {
    try session.finds(
      "SELECT 1 FROM generation_interest WHERE generation_id = ? AND process = ?",
      [try StoredText.identifier(id.rawValue), process.rawValue])
  }

  /// The processes that have noted their interest in a generation, but for one.
  func interested(in id: GenerationID, besides process: ProcessID) throws -> [ProcessID] {
    try session.values(
      "SELECT process FROM generation_interest WHERE generation_id = ? AND process <> ?",
      [try StoredText.identifier(id.rawValue), process.rawValue], as: String.self
    ).map { ProcessID(rawValue: $0) }
  }

  /// Notes the interest of a process in a generation that has not ended.
  func noteInterest(of process: ProcessID, in id: GenerationID) throws {
    try session.run(
      """
      INSERT INTO generation_interest (generation_id, process)
      SELECT id, ?2 FROM generation WHERE id = ?1 AND state IN ('queued', 'running')
      ON CONFLICT DO NOTHING
      """,
      [try StoredText.identifier(id.rawValue), process.rawValue])
  }

  func withdrawInterest(of process: ProcessID, in id: GenerationID) throws {
    try session.run(
      "DELETE FROM generation_interest WHERE generation_id = ? AND process = ?",
      [try StoredText.identifier(id.rawValue), process.rawValue])
  }
}

extension SQLSession {
  var watches: WatchTable { WatchTable(session: self) }
}
