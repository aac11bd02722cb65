import AtelierProtocol
import GRDB

extension Store {
  /// How long after its end an expired input is still told from one that never was.
  private static let tombstoneMs: Int64 = 30 * 24 * 60 * 60 * 1000

  /// Keeps a prepared image until it expires. The staged file belongs to the store from here on, unless this throws.
  /// - Throws: `storage_full`, `overloaded`; `not_found` when a stored one is gone.
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

  func insert(_ keeping: PreparedKeeping, into database: Database) throws -> PreparedInput {
    let now = surroundings.now()
    let lifetime = max(keeping.lifetimeMs, 0)
    let (end, overflow) = now.milliseconds.addingReportingOverflow(lifetime)
    let expires = Timestamp(milliseconds: overflow ? .max : end)
    if lifetime > 0 { try place(keeping.source, in: database, now: now) }
    try database.cachedStatement(
      sql: """
        INSERT INTO prepared (id, account, generation_id, artifact, width, height, created, expires)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      try StoredText.identifier(keeping.id.rawValue), try StoredText.identifier(keeping.account.rawValue),
      try keeping.generation.map { try StoredText.identifier($0.rawValue) },
      lifetime > 0 ? keeping.source.artifact.name : nil, keeping.width, keeping.height, now.milliseconds,
      expires.milliseconds,
    ])
    if let position = keeping.reference {
      try database.cachedStatement(sql: "INSERT INTO prepared_reference (prepared_id, position) VALUES (?, ?)")
        .execute(arguments: [keeping.id.rawValue, position])
    }
    return PreparedInput(
      id: keeping.id, account: keeping.account, artifact: keeping.source.artifact, width: keeping.width,
      height: keeping.height, created: now, expires: expires)
  }

  /// A prepared input that a generation was made from, while it is kept; the latest, when it was prepared again.
  /// - Parameter reference: which of the pictures to go by, from 0; nil for the photo.
  public func preparedInput(
    of generation: GenerationID, reference: Int? = nil
  ) async throws(AtelierError) -> PreparedLookup {
    let id = try await read { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT id FROM prepared LEFT JOIN prepared_reference ON prepared_id = id
          WHERE generation_id = ? AND position IS ? ORDER BY created DESC, prepared.rowid DESC LIMIT 1
          """,
        arguments: [try StoredText.identifier(generation.rawValue), reference])
    }
    guard let id else { return .notFound }
    return try await prepared(PreparedID(rawValue: id), account: nil)
  }

  /// A prepared image that is still kept.
  /// - Parameter account: whose it must be; nil for anybody's.
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
      guard let name = try row.optional("artifact", as: String.self), surroundings.now() < expires else {
        return .expired
      }
      return .found(
        PreparedInput(
          id: id, account: holder, artifact: try artifact(named: name, from: row), width: try row.value("width"),
          height: try row.value("height"), created: Timestamp(milliseconds: try row.value("created")),
          expires: expires))
    }
  }

  /// Erases prepared images whose time is over. To be called now and then.
  /// - Returns: how many were erased.
  @discardableResult
  public func eraseExpiredPrepared() async throws(AtelierError) -> Int {
    let (count, files) = try await write { [self] database in
      let now = surroundings.now().milliseconds
      let names = try String.fetchAll(
        database, sql: "SELECT artifact FROM prepared WHERE artifact IS NOT NULL AND expires <= ?", arguments: [now])
      try database.execute(sql: "UPDATE prepared SET artifact = NULL WHERE expires <= ?", arguments: [now])
      // An id may be asked for long after; some day it is as if it had never been.
      let (oldest, overflow) = now.subtractingReportingOverflow(Self.tombstoneMs)
      if !overflow {
        try database.execute(
          sql: "DELETE FROM prepared WHERE artifact IS NULL AND expires <= ?", arguments: [oldest])
      }
      return (names.count, try forgetUnreferenced(names, in: database).names)
    }
    try await removeUnreferenced(files)
    return count
  }
}
