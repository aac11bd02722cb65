import AtelierProtocol
import GRDB

extension GenerationRow {
  /// The row as it is read back once `settlement` is written.
  func ended(by settlement: Settlement, at now: Timestamp, in directory: DataDirectory) -> GenerationRow {
    var row = self
    row.state = settlement.state
    row.finished = now
    if let note = settlement.lastNote, note.sequence > sequence { row.note(note) }
    row.images = settlement.images.map { $0.stored(isPrivate: isPrivate, in: directory) }
    if !isPrivate {
      row.thumbnail = thumbnail ?? settlement.thumbnail?.artifact
      row.text = settlement.text.map(StoredText.readable)
      row.places = settlement.places
    }
    row.provider = settlement.provider.map { ProviderID(rawValue: StoredText.readable($0.rawValue)) } ?? provider
    row.model = settlement.model.map(StoredText.readable) ?? model
    row.promptVersion = settlement.promptVersion.map(StoredText.readable) ?? promptVersion
    row.isCached = settlement.isCached
    row.usage = settlement.usage
    row.timings = settlement.timings
    row.warnings = settlement.warnings
    row.failures = settlement.failures
    row.error = settlement.error.map { StoredError($0).error(about: id) }
    return row
  }

  private mutating func note(_ note: ProgressNote) {
    phase = note.phase
    message = StoredText.readable(note.message)
    fraction = note.storedFraction
    sequence = note.sequence
  }

  /// Writes what an end changes.
  /// - Parameter columns: of the settlement it was ended by.
  func update(_ columns: SettlementColumns, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE generation SET
          state = ?, phase = ?, message = ?, fraction = ?, sequence = ?, finished = ?, text = ?, places = ?,
          provider = ?, model = ?, prompt_version = ?, is_cached = ?, usage = ?, timings = ?, warnings = ?,
          failures = ?, error = ?, cost_usd = ?, credits_charged = ?
        WHERE id = ?
        """
    ).execute(arguments: [
      state.rawValue, phase.rawValue, message, fraction, sequence, finished?.milliseconds, text,
      isPrivate ? nil : columns.places, provider?.rawValue, model, promptVersion, isCached, columns.usage,
      columns.timings, columns.warnings, columns.failures, columns.error, usage?.costUsd, creditsCharged, id.rawValue,
    ])
  }
}
