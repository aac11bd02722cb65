import AtelierProtocol

/// The SQL of the tables `generation_watch`, who wants to see the progress of a generation of another process,
/// `generation_loss`, which generations another process has ended or taken, or have waited too long, and
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
  /// What others want of a process's generations, or have done with them. As many rows are read as there are of these,
  /// however many generations the process has.
  /// - Parameters:
  ///   - now: a watcher's note that has ended by then counts no more…
  ///   - latest: …nor does one that lasts longer than this, which a wrong clock has written.
  func news(for process: ProcessID, watchedAfter now: Int64, until latest: Int64) throws -> GenerationNews {
    let rows = try session.rows(
      """
      SELECT generation_id, 1 AS is_watched
      FROM generation_watch INDEXED BY generation_watch_by_end CROSS JOIN generation ON id = generation_id
      WHERE until > ?1 AND until <= ?2 AND process = ?3 AND state IN ('queued', 'running')
      UNION ALL
      SELECT generation_id, 0 AS is_watched FROM generation_loss
      WHERE generation_loss.process = ?3 AND NOT EXISTS (
        SELECT 1 FROM generation
        WHERE id = generation_id AND generation.process = ?3 AND state IN ('queued', 'running'))
      """,
      [now, latest, process.rawValue])
    var news = GenerationNews()
    for row in rows {
      let id = GenerationID(rawValue: try row.value("generation_id"))
      if try row.value("is_watched", as: Bool.self) { news.watched.insert(id) } else { news.lost.insert(id) }
    }
    return news
  }

  /// Notes that a process no longer has these generations.
  func noteLoss(of ids: [GenerationID], by process: ProcessID, at now: Timestamp) throws {
    try session.run(
      """
      INSERT INTO generation_loss (process, generation_id, noted)
      SELECT ?, id, ? FROM generation WHERE id IN (SELECT value FROM json_each(?))
      ON CONFLICT (process, generation_id) DO UPDATE SET noted = excluded.noted
      """,
      [process.rawValue, now.milliseconds, try StoredText.json(ids)])
  }

  /// The process has heard of these.
  func forgetLoss(of ids: [GenerationID], by process: ProcessID) throws {
    try session.run(
      "DELETE FROM generation_loss WHERE process = ? AND generation_id IN (SELECT value FROM json_each(?))",
      [process.rawValue, try StoredText.json(ids)])
  }

  /// Whether there are notes of losses that are as old as this.
  func hasLosses(notedUntil time: Int64) throws -> Bool {
    try session.finds("SELECT 1 FROM generation_loss WHERE noted <= ? LIMIT 1", [time])
  }

  func forgetLosses(notedUntil time: Int64) throws {
    try session.run("DELETE FROM generation_loss WHERE noted <= ?", [time])
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
