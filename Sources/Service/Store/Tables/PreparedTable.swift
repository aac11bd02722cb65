import AtelierProtocol

/// The SQL of the table `prepared`: pictures to work from. A row whose `artifact` is null tells that an id has expired; its
/// bytes are erased.
struct PreparedTable {
  let session: any SQLSession

  /// A prepared picture, whether or not it has expired.
  struct Entry {
    var account: AccountID
    /// Nil when its bytes are erased.
    var artifact: StoredArtifact?
    var width: Int
    var height: Int
    var created: Timestamp
    var expires: Timestamp
  }

  func entry(_ id: PreparedID, in files: LocalFiles) throws -> Entry? {
    let row = try session.row(
      """
      SELECT prepared.*, mime_type, bytes FROM prepared LEFT JOIN artifact ON artifact.name = prepared.artifact
      WHERE id = ?
      """,
      [try StoredText.identifier(id.rawValue)])
    return try row.map { row in
      Entry(
        account: AccountID(rawValue: try row.value("account")),
        artifact: try row.optional("artifact", as: String.self).map {
          try StoredArtifact(named: $0, from: row, in: files)
        },
        width: try row.value("width"), height: try row.value("height"),
        created: Timestamp(milliseconds: try row.value("created")),
        expires: Timestamp(milliseconds: try row.value("expires")))
    }
  }

  /// The latest input of a generation, whether or not it is still kept.
  /// - Parameter reference: the index of the reference picture, from 0; nil for the photo.
  func latest(of generation: GenerationID, reference: Int?) throws -> PreparedID? {
    try session.value(
      """
      SELECT id FROM prepared WHERE generation_id = ? AND reference IS NOT DISTINCT FROM ?
      ORDER BY created DESC, ordinal DESC LIMIT 1
      """,
      [try StoredText.identifier(generation.rawValue), reference], as: String.self
    ).map { PreparedID(rawValue: $0) }
  }

  /// One that is kept although it has expired.
  func expired(at now: Timestamp) throws -> PreparedID? {
    try session.value(
      "SELECT id FROM prepared INDEXED BY prepared_kept WHERE artifact IS NOT NULL AND expires <= ? LIMIT 1",
      [now.milliseconds], as: String.self
    ).map { PreparedID(rawValue: $0) }
  }

  /// One that is kept for an account.
  func kept(for account: AccountID) throws -> PreparedID? {
    try session.value(
      "SELECT id FROM prepared INDEXED BY prepared_by_account WHERE artifact IS NOT NULL AND account = ? LIMIT 1",
      [try StoredText.identifier(account.rawValue)], as: String.self
    ).map { PreparedID(rawValue: $0) }
  }

  /// Whether one is kept that was prepared after a time.
  func isKept(createdAfter time: Timestamp) throws -> Bool {
    try session.finds(
      """
      SELECT 1 FROM prepared INDEXED BY prepared_kept_by_creation WHERE artifact IS NOT NULL AND created > ? LIMIT 1
      """,
      [time.milliseconds])
  }

  /// The earliest expiry of all that are kept.
  func firstExpiry() throws -> Timestamp? {
    try session.value(
      "SELECT min(expires) FROM prepared INDEXED BY prepared_kept WHERE artifact IS NOT NULL", as: Int64.self
    ).map(Timestamp.init(milliseconds:))
  }

  /// The earliest expiry of all whose bytes are erased.
  func firstExpiryOfErased() throws -> Timestamp? {
    try session.value("SELECT min(expires) FROM prepared WHERE artifact IS NULL", as: Int64.self)
      .map(Timestamp.init(milliseconds:))
  }

  /// The name of the file of a prepared picture; nil when there is none.
  func artifactName(of id: PreparedID) throws -> String? {
    try session.value("SELECT artifact FROM prepared WHERE id = ?", [id.rawValue])
  }
}

extension PreparedTable {
  /// - Parameters:
  ///   - neededBy: the generation whose request names it.
  ///   - artifact: the name of its file, which has its row; nil when none is kept.
  func insert(
    _ keeping: PreparedKeeping, neededBy: GenerationID?, artifact: String?, created: Timestamp, expires: Timestamp
  ) throws {
    try session.run(
      """
      INSERT INTO prepared (
        id, account, generation_id, reference, needed_by, artifact, width, height, created, expires)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        try StoredText.identifier(keeping.id.rawValue), try StoredText.identifier(keeping.account.rawValue),
        try keeping.generation.map { try StoredText.identifier($0.rawValue) }, keeping.reference,
        try neededBy.map { try StoredText.identifier($0.rawValue) }, artifact, keeping.width, keeping.height,
        created.milliseconds, expires.milliseconds,
      ])
  }

  /// Lets the lifetimes of those that were prepared after a time begin anew.
  func restartLifetimes(createdAfter time: Timestamp, at now: Timestamp) throws {
    try session.run(
      """
      UPDATE prepared INDEXED BY prepared_kept_by_creation SET
        expires = expires - (created - ?1), created = ?1
      WHERE artifact IS NOT NULL AND created > ?2
      """,
      [now.milliseconds, time.milliseconds])
  }

  /// Erases the reference to the file of one that is kept. The id stays known.
  func forgetFile(of id: PreparedID) throws {
    try session.change("UPDATE prepared SET artifact = NULL WHERE id = ?", [id.rawValue], expecting: 1)
  }

  /// Erases the references to the files of all that were prepared for a generation. Their ids stay known.
  func forgetFiles(ofGeneration id: String) throws {
    try session.run("UPDATE prepared SET artifact = NULL WHERE generation_id = ?", [id])
  }

  /// Forgets the ids of some that expired until a time and whose bytes are erased.
  func deleteErased(expiredBy time: Timestamp) throws {
    try session.run(
      """
      DELETE FROM prepared WHERE id IN (SELECT id FROM prepared WHERE artifact IS NULL AND expires <= ? LIMIT 1000)
      """,
      [time.milliseconds])
  }
}

extension SQLSession {
  var prepared: PreparedTable { PreparedTable(session: self) }
}
