import AtelierProtocol
import GRDB

extension Store {
  /// How long after its expiry an expired input can still be told from one that never existed.
  private static let tombstoneMs: Int64 = 30 * 24 * 60 * 60 * 1000

  /// Keeps a prepared image until it expires. The store owns the staged file from here on, unless this throws.
  /// - Throws: `storage_full`, `overloaded`; `not_found` when a stored file is gone.
  public func keepPrepared(_ keeping: PreparedKeeping) async throws(AtelierError) -> PreparedInput {
    let input: PreparedInput
    do {
      input = try await write { [self] database in try insert(keeping, into: database) }
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
    await discard(keeping.source)
    return input
  }

  /// - Parameter neededBy: the generation whose request names it: it is kept until that ends, and no longer.
  func insert(
    _ keeping: PreparedKeeping, neededBy: GenerationID? = nil, into database: Database
  ) throws -> PreparedInput {
    let now = surroundings.now()
    let lifetime = max(keeping.lifetimeMs, 0)
    let (end, overflow) = now.milliseconds.addingReportingOverflow(lifetime)
    let expires = Timestamp(milliseconds: overflow ? .max : end)
    if lifetime > 0 { try place(keeping.source, in: database, now: now) }
    try database.cachedStatement(
      sql: """
        INSERT INTO prepared (
          id, account, generation_id, reference, needed_by, artifact, width, height, created, expires)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      try StoredText.identifier(keeping.id.rawValue), try StoredText.identifier(keeping.account.rawValue),
      try keeping.generation.map { try StoredText.identifier($0.rawValue) }, keeping.reference,
      try neededBy.map { try StoredText.identifier($0.rawValue) },
      lifetime > 0 ? keeping.source.artifact.name : nil, keeping.width, keeping.height, now.milliseconds,
      expires.milliseconds,
    ])
    return PreparedInput(
      id: keeping.id, account: keeping.account, artifact: keeping.source.artifact, width: keeping.width,
      height: keeping.height, created: now, expires: expires)
  }

  /// A prepared input of a generation, while it is kept; the latest, when it was prepared again.
  /// - Parameter reference: the index of the reference picture, from 0; nil for the photo.
  public func preparedInput(
    of generation: GenerationID, reference: Int? = nil
  ) async throws(AtelierError) -> PreparedLookup {
    let id = try await read { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT id FROM prepared WHERE generation_id = ? AND reference IS NOT DISTINCT FROM ?
          ORDER BY created DESC, ordinal DESC LIMIT 1
          """,
        arguments: [try StoredText.identifier(generation.rawValue), reference])
    }
    guard let id else { return .notFound }
    return try await prepared(PreparedID(rawValue: id), account: nil)
  }

  /// A prepared image that is still kept.
  /// - Parameter account: the account it must belong to; nil for any account.
  public func prepared(_ id: PreparedID, account: AccountID?) async throws(AtelierError) -> PreparedLookup {
    try await read { [self] database in
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT prepared.*, mime_type, bytes FROM prepared LEFT JOIN artifact ON artifact.name = prepared.artifact
            WHERE id = ?
            """),
        arguments: [try StoredText.identifier(id.rawValue)])
      guard let row else { return .notFound }
      let holder = AccountID(rawValue: try row.value("account"))
      guard account == nil || account == holder else { return .notFound }
      let expires = Timestamp(milliseconds: try row.value("expires"))
      let clock = try clock(in: database)
      guard let name = try row.optional("artifact", as: String.self), clock.system < expires || !clock.mayExpire else {
        return .expired
      }
      return .found(
        PreparedInput(
          id: id, account: holder, artifact: try artifact(named: name, from: row), width: try row.value("width"),
          height: try row.value("height"), created: Timestamp(milliseconds: try row.value("created")),
          expires: expires))
    }
  }

  /// Erases expired prepared images. Must be called at the next expiry. Erases nothing while the clock is in doubt.
  /// - Returns: how many were erased.
  @discardableResult
  public func eraseExpiredPrepared() async throws(AtelierError) -> Int {
    try await redateFarAhead()
    // An expired id stays known for a long time; then it is forgotten.
    try await forgetTombstones(before: surroundings.now().later(by: -Self.tombstoneMs).milliseconds)
    return try await erasePrepared { [self] database in
      let clock = try clock(in: database)
      guard clock.mayExpire else { return nil }
      return try String.fetchOne(
        database.cachedStatement(
          sql: "SELECT id FROM prepared INDEXED BY prepared_kept WHERE artifact IS NOT NULL AND expires <= ? LIMIT 1"),
        arguments: [clock.system.milliseconds])
    }.deleted
  }

  /// Restarts the lifetime of images that were prepared while the clock was far ahead; they would otherwise be kept
  /// until the wrong clock's expiry.
  private func redateFarAhead() async throws(AtelierError) {
    let isThere = try await read { [self] database in
      try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT 1 FROM prepared INDEXED BY prepared_kept_by_creation WHERE artifact IS NOT NULL AND created > ? LIMIT 1
            """),
        arguments: [try clock(in: database).farAhead.milliseconds])
    }
    guard isThere == true else { return }
    try await write { [self] database in
      let clock = try clock(in: database)
      try database.execute(
        sql: """
          UPDATE prepared INDEXED BY prepared_kept_by_creation SET
            expires = expires - (created - ?1), created = ?1
          WHERE artifact IS NOT NULL AND created > ?2
          """,
        arguments: [clock.system.milliseconds, clock.farAhead.milliseconds])
    }
  }

  /// When the next prepared image must be erased; nil when none is kept, and while the clock is in doubt.
  public func nextExpiry() async throws(AtelierError) -> Timestamp? {
    try await read { [self] database in
      guard try mayExpire(in: database) else { return nil }
      return try Int64.fetchOne(
        database.cachedStatement(
          sql: "SELECT min(expires) FROM prepared INDEXED BY prepared_kept WHERE artifact IS NOT NULL")
      ).map(Timestamp.init(milliseconds:))
    }
  }

  /// Erases all prepared images of an account.
  /// - Returns: the bytes of the files removed.
  func erasePrepared(of account: AccountID) async throws(AtelierError) -> Int {
    try await erasePrepared { database in
      try String.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT id FROM prepared INDEXED BY prepared_by_account WHERE artifact IS NOT NULL AND account = ? LIMIT 1
            """),
        arguments: [try StoredText.identifier(account.rawValue)])
    }.bytesFreed
  }

  private func erasePrepared(
    _ next: @escaping @Sendable (Database) throws -> String?
  ) async throws(AtelierError) -> DeletionSummary {
    // Without anything to erase, the write lock is not needed.
    guard try await read({ try next($0) }) != nil else { return DeletionSummary() }
    return try await inTurns { [self] database, turn in
      guard let id = try next(database) else { return false }
      let name = try String.fetchOne(
        database.cachedStatement(sql: "SELECT artifact FROM prepared WHERE id = ?"), arguments: [id])
      try database.cachedStatement(sql: "UPDATE prepared SET artifact = NULL WHERE id = ?").execute(arguments: [id])
      try database.requireChanged(1)
      let (bytes, files) = try forgetUnreferenced([name].compactMap { $0 }, in: database)
      turn.summary.deleted += 1
      turn.summary.bytesFreed += bytes
      turn.files += files
      return true
    }
  }

  private func forgetTombstones(before time: Int64) async throws(AtelierError) {
    let isThere = try await read { [self] database in
      try mayExpire(in: database)
        && Bool.fetchOne(
          database.cachedStatement(sql: "SELECT min(expires) <= ? FROM prepared WHERE artifact IS NULL"),
          arguments: [time]) == true
    }
    guard isThere else { return }
    try await write { [self] database in
      guard try mayExpire(in: database) else { return }
      try database.execute(
        sql: """
          DELETE FROM prepared WHERE id IN (SELECT id FROM prepared WHERE artifact IS NULL AND expires <= ? LIMIT 1000)
          """,
        arguments: [time])
    }
  }
}
