import AtelierProtocol
import GRDB
import JSON

extension Store {
  /// Records a request before any work is done for it.
  ///
  /// Runs in one transaction: looks up the idempotency key and, when it is new, takes the key, inserts the row and
  /// holds the credits of a metered account.
  /// - Throws: `insufficient_credits`, `rate_limited`, `daily_limit`, `concurrent_limit`; `idempotency_mismatch` when
  ///   the account used the key for other params; `not_found` when the generation of the key has been deleted from
  ///   history, because it must not run twice. A key whose generation may be tried again refers to the new generation
  ///   from here on.
  public func accept(_ acceptance: Acceptance) async throws(AtelierError) -> AcceptOutcome {
    try await checkReady()
    let outcome = try await write { [self] database -> AcceptOutcome in
      if let key = acceptance.idempotencyKey,
        let earlier = try generation(of: key, for: acceptance, in: database), !earlier.mayBeTriedAgain
      {
        return .existing(earlier)
      }
      var row = try acceptance.row(owner: owner, now: surroundings.now())
      if let metering = acceptance.metering { try allow(row, metering, in: database) }
      try row.insert(into: database)
      for input in acceptance.inputs { _ = try insert(input, neededBy: row.id, into: database) }
      if let place = acceptance.waiting { try insert(place, for: row, into: database) }
      if acceptance.metering != nil { row.credits = try Ledger.credits(of: row.id, in: database) }
      return .accepted(row)
    }
    await discard((acceptance.inputs + (acceptance.waiting?.inputs ?? [])).compactMap(\.source.staged))
    return outcome
  }

  /// Holds the credits of a metered account's request, and counts the request.
  private func allow(_ row: GenerationRow, _ metering: Metering, in database: Database) throws {
    let ledger = try ledger(in: database)
    try ledger.know(row.account)
    try ledger.bringUpToDate(row.account)
    try ledger.checkLimits(of: row.account, against: metering.limits, recipe: row.recipe)
    if metering.credits > 0 { try ledger.hold(metering.credits, for: row.id, of: row.account) }
    try ledger.count(row.id, of: row.account, recipe: row.recipe)
  }

  private func generation(
    of key: String, for acceptance: Acceptance, in database: Database
  ) throws -> GenerationRow? {
    let known = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT params_hash, generation_id FROM idempotency WHERE account = ? AND key = ?"),
      arguments: [
        try StoredText.identifier(acceptance.account.rawValue), try StoredText.identifier(key),
      ])
    guard let known else { return nil }
    guard try known.bytes("params_hash") == acceptance.paramsHash else { throw AtelierError(.idempotencyMismatch) }
    guard let row = try generation(GenerationID(rawValue: try known.value("generation_id")), in: database) else {
      throw AtelierError(
        .notFound,
        "The generation of this idempotency key has been deleted from history: use a new key to make it again.")
    }
    return row
  }

  /// Records the progress of a generation of this process, for the `status` of other processes.
  ///
  /// Cheap: unlike all other records it need not survive a power failure, so it does not wait for the disk.
  public func note(_ note: ProgressNote, for id: GenerationID) async throws(AtelierError) -> NoteOutcome {
    try await write(isDurable: false) { [self] database in try record(note, for: id, in: database) }
  }

  func record(_ note: ProgressNote, for id: GenerationID, in database: Database) throws -> NoteOutcome {
    try database.cachedStatement(
      sql: """
        UPDATE generation SET phase = ?, message = ?, fraction = ?, sequence = ?
        WHERE id = ? AND owner = ? AND state IN ('queued', 'running') AND sequence < ?
        """
    ).execute(arguments: [
      note.phase.rawValue, StoredText.readable(note.message), note.storedFraction, note.sequence,
      try StoredText.identifier(id.rawValue), owner.rawValue, note.sequence,
    ])
    return try standing(id, in: database)
  }

  /// One generation with its files.
  /// - Parameter account: the account it must belong to; nil for any account.
  /// - Returns: nil when there is none.
  public func generation(_ id: GenerationID, account: AccountID?) async throws(AtelierError) -> GenerationRow? {
    try await read { [self] database in
      guard let row = try generation(id, in: database), account == nil || row.account == account else { return nil }
      return row
    }
  }

  /// The generation of an account's idempotency key; nil when the key is new or its generation was deleted.
  public func generation(
    idempotencyKey: String, account: AccountID
  ) async throws(AtelierError) -> GenerationRow? {
    try await read { [self] database in
      let id = try String.fetchOne(
        database.cachedStatement(sql: "SELECT generation_id FROM idempotency WHERE account = ? AND key = ?"),
        arguments: [try StoredText.identifier(account.rawValue), try StoredText.identifier(idempotencyKey)])
      return try id.flatMap { try generation(GenerationID(rawValue: $0), in: database) }
    }
  }

  /// The queued and running generations of all processes, oldest first.
  /// - Parameter account: the account they belong to; nil for all accounts.
  public func running(account: AccountID?) async throws(AtelierError) -> [GenerationRow] {
    try await read { [self] in try openGenerations(of: account, in: $0) }
  }
}

extension Store {
  func generation(_ id: GenerationID, in database: Database) throws -> GenerationRow? {
    try generations(in: database, where: "id = ?", arguments: [try StoredText.identifier(id.rawValue)]).first
  }

  /// The generations that match `condition`, which may end with ORDER BY and LIMIT.
  /// - Parameter source: `generation`, with an index or a join that selects its rows: without statistics SQLite uses
  ///   the index that gives the order, and reads all of it.
  func generations(
    in database: Database, from source: String = "generation", where condition: String, arguments: StatementArguments
  ) throws -> [GenerationRow] {
    let statement = try database.cachedStatement(sql: "SELECT generation.* FROM \(source) WHERE \(condition)")
    // Uses a cursor: in copied rows, columns are found by comparing names one by one.
    return try Array(Row.fetchCursor(statement, arguments: arguments).map { try self.generation(from: $0, in: database) })
  }

  /// The generations that have not ended, oldest first, from the index that contains only these.
  /// - Parameter account: the account they belong to; nil for all accounts.
  func openGenerations(of account: AccountID?, in database: Database) throws -> [GenerationRow] {
    let isOpen = "state IN ('queued', 'running')"
    guard let account else {
      return try generations(
        in: database, from: "generation INDEXED BY generation_open", where: "\(isOpen) ORDER BY created, id",
        arguments: [])
    }
    return try generations(
      in: database, from: "generation INDEXED BY generation_open_by_account",
      where: "account = ? AND \(isOpen) ORDER BY created, id",
      arguments: [try StoredText.identifier(account.rawValue)])
  }

  func generation(from row: Row, in database: Database) throws -> GenerationRow {
    let id: String = try row.value("id")
    var generation = try GenerationRow(
      row, files: files(of: id, in: database), credits: Ledger.credits(of: GenerationID(rawValue: id), in: database))
    try addRemarks(to: &generation, in: database)
    return generation
  }

  /// Adds the feedback and annotations that a generation received after its end.
  private func addRemarks(to generation: inout GenerationRow, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        SELECT rating, feedback.text AS words, metadata, COALESCE(is_favorite, 0) AS is_favorite
        FROM (SELECT ? AS id)
          LEFT JOIN generation_feedback AS feedback ON feedback.generation_id = id
          LEFT JOIN generation_annotation AS annotation ON annotation.generation_id = id
        """)
    guard let row = try Row.fetchOne(statement, arguments: [generation.id.rawValue]) else { return }
    if let rating = try row.optional("rating", as: Int.self) {
      generation.feedback = Generation.Feedback(rating: rating, text: try row.optional("words"))
    }
    if let metadata: JSONObject = try row.optionalJSON("metadata") { generation.metadata = metadata }
    generation.isFavorite = try row.value("is_favorite")
  }

  func artifact(_ name: String, in database: Database) throws -> StoredArtifact? {
    let statement = try database.cachedStatement(sql: "SELECT mime_type, bytes FROM artifact WHERE name = ?")
    return try Row.fetchOne(statement, arguments: [name]).map { try artifact(named: name, from: $0) }
  }

  /// - Parameter row: any row that has `mime_type` and `bytes`.
  func artifact(named name: String, from row: Row) throws -> StoredArtifact {
    guard DataDirectory.isArtifactName(name) else { throw UnreadableColumn(name: "artifact") }
    return StoredArtifact(
      name: name, mimeType: try row.value("mime_type"), bytes: try row.value("bytes"), in: directory)
  }
}
