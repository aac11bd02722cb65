import AtelierProtocol
import Encodings
import JSON

/// The changes of the table `generation`: one for each transition, and what is noted between them. ``GenerationLifecycle``
/// decides on the state before.
extension GenerationTable {
  /// Inserts an accepted request.
  func insert(_ row: GenerationRow) throws {
    try session.run(
      """
      INSERT INTO generation (
        id, account, process, recipe, state, phase, message, sequence, created, request, prompt, params_hash,
        idempotency_key, provider, model, prompt_version, metadata, parent, parent_index, is_private, is_detached,
        is_requeueable, started, time_limit)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        row.id.rawValue, row.account.rawValue, row.process.rawValue, row.recipe.rawValue, row.state.rawValue,
        row.phase.rawValue, StoredText.readable(row.message), row.sequence, row.created.milliseconds,
        try StoredText.json(JSONValue.object(row.request)), row.prompt, Hexadecimal.text(row.paramsHash),
        row.idempotencyKey, row.provider?.rawValue, row.model, row.promptVersion,
        try row.metadata.map { try StoredText.json(JSONValue.object($0)) }, row.parent?.rawValue, row.parentIndex,
        row.isPrivate, row.isDetached, row.isRequeueable, row.started?.milliseconds, row.timeLimitMs,
      ])
  }

  /// Begins the work on a queued generation, which belongs to this process from then on.
  func begin(_ id: GenerationID, as state: GenerationState, process: ProcessID, at now: Timestamp) throws {
    try session.run(
      "UPDATE generation SET state = ?, phase = 'preparing', message = '', started = ?, process = ? WHERE id = ?",
      [state.rawValue, now.milliseconds, process.rawValue, id.rawValue])
  }

  /// Notes the progress of a generation that has not ended, unless it belongs to another process or has a later note.
  func note(_ note: ProgressNote, of id: GenerationID, process: ProcessID) throws {
    try session.run(
      """
      UPDATE generation SET phase = ?, message = ?, fraction = ?, sequence = ?
      WHERE id = ? AND process = ? AND state IN ('queued', 'running') AND sequence < ?
      """,
      [
        note.phase.rawValue, StoredText.readable(note.message), note.storedFraction, note.sequence,
        try StoredText.identifier(id.rawValue), process.rawValue, note.sequence,
      ])
  }

  /// Notes that something may have been sent for a generation.
  func noteSent(_ id: GenerationID) throws {
    try session.run("UPDATE generation SET is_sent = 1 WHERE id = ?", [try StoredText.identifier(id.rawValue)])
  }

  /// Puts a generation back that any process may begin.
  /// - Returns: false when only its own process can run it; it is then unchanged.
  func release(_ id: GenerationID, as state: GenerationState) throws -> Bool {
    let count = try session.change(
      """
      UPDATE generation SET state = ?, phase = 'queued', fraction = NULL, started = NULL, process = ?, is_sent = 0
      WHERE id = ? AND is_requeueable = 1
      """,
      [state.rawValue, ProcessID.nobody.rawValue, id.rawValue])
    return count > 0
  }

  /// Lets a generation wait for its provider.
  /// - Parameter row: the row as it reads from then on.
  func park(_ row: GenerationRow) throws {
    try session.run(
      """
      UPDATE generation SET state = ?, phase = 'queued', message = ?, fraction = NULL, started = NULL,
        request = ?, is_requeueable = 1, is_sent = 0
      WHERE id = ?
      """,
      [
        row.state.rawValue, StoredText.readable(row.message), try StoredText.json(JSONValue.object(row.request)),
        row.id.rawValue,
      ])
  }

  /// Puts the generations of a dead process back: any process may begin them. What was running has lost its process.
  func requeue(_ ids: [GenerationID], as state: GenerationState) throws {
    try session.change(
      """
      UPDATE generation SET
        process = ?, state = ?, phase = 'queued', fraction = NULL, started = NULL,
        lost_processes = lost_processes + CASE WHEN state = 'running' THEN 1 ELSE 0 END
      WHERE id IN (SELECT value FROM json_each(?))
      """,
      [ProcessID.nobody.rawValue, state.rawValue, try StoredText.json(ids)], expecting: ids.count)
  }

  /// Ends a generation that delivered nothing.
  func finish(_ id: GenerationID, as state: GenerationState, at now: Timestamp, because error: AtelierError?) throws {
    try session.change(
      "UPDATE generation SET state = ?, finished = ?, error = ? WHERE id = ?",
      [
        state.rawValue, now.milliseconds, try error.map { try StoredText.json(StoredError($0)) }, id.rawValue,
      ], expecting: 1)
  }

  /// Ends a generation as its settlement says.
  /// - Parameters:
  ///   - row: the row as it reads from then on.
  ///   - columns: the columns of the settlement that ended it.
  func finish(_ row: GenerationRow, _ columns: SettlementColumns) throws {
    let places = row.isPrivate ? row.places.map { _ in "[]" } : columns.places
    try session.run(
      """
      UPDATE generation SET
        state = ?, phase = ?, message = ?, fraction = ?, sequence = ?, finished = ?, text = ?, places = ?,
        dropped = ?, provider = ?, model = ?, prompt_version = ?, is_cached = ?, usage = ?, timings = ?, warnings = ?,
        failures = ?, error = ?, cost_usd = ?, credits_charged = ?
      WHERE id = ?
      """,
      [
        row.state.rawValue, row.phase.rawValue, StoredText.readable(row.message), row.fraction, row.sequence,
        row.finished?.milliseconds,
        row.text, places, try row.dropped.map { try StoredText.json($0) }, row.provider?.rawValue, row.model,
        row.promptVersion, row.isCached, columns.usage, columns.timings, columns.warnings, columns.failures, columns.error,
        row.usage?.costUsd, row.creditsCharged, row.id.rawValue,
      ])
  }
}
