import AtelierProtocol
import Localization

extension Store {
  /// Makes a generation of this process wait for its provider: the generation is `queued` again, and any process may
  /// take it over if this one dies.
  ///
  /// The store owns the staged pictures from here on, unless this throws.
  /// - Parameter outage: how long no process may probe the provider; nil when the provider was reached and asked for a
  ///   pause.
  /// - Returns: the row; nil when the generation ended meanwhile.
  /// - Throws: `storage_full`, `overloaded`; the generation is then unchanged.
  public func park(
    _ id: GenerationID, at entry: QueueEntry, outage: Backoff?
  ) async throws(AtelierError) -> GenerationRow? {
    try await write(putting: entry.inputs.compactMap(\.source.staged)) { [self] session in
      guard let state = try stateAfter(.returnedToQueue, of: id, in: session),
        var row = try generation(id, in: session)
      else { return nil }
      var known = try session.artifacts.known(among: entry.inputs.map(\.source.artifact.name))
      row.wait(at: entry)
      row.state = state
      try session.generations.park(row)
      try insert(entry, for: row, known: &known, into: session)
      if let outage { try noteOutage(of: entry.provider, outage, in: session) }
      return row
    }
  }

  /// Stores the data that a generation needs while it waits for its provider, and adds it to the queue. Its row exists.
  /// - Parameter known: see ``record(_:known:in:now:)``.
  func insert(
    _ entry: QueueEntry, for row: GenerationRow, known: inout Set<String>, into session: any SQLSession
  ) throws {
    for input in entry.inputs { _ = try insert(input, neededBy: row.id, known: &known, into: session) }
    try session.queue.keep(entry, of: row)
    try session.queue.add(row.id)
  }
}

extension GenerationRow {
  /// The row as it reads once it waits.
  mutating func wait(at entry: QueueEntry) {
    state = .queued
    phase = .queued
    message = Sentence(stored: StoredText.readable(entry.message))
    fraction = nil
    started = nil
    request = entry.request
    isRequeueable = true
  }
}
