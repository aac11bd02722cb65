import AtelierProtocol

/// The SQL of the table `artifact`, the files that are kept, and of `artifact_sum`, their bytes together.
struct ArtifactTable {
  let session: any SQLSession

  /// The condition of an artifact that no row refers to.
  static let isUnreferenced = """
    NOT EXISTS (SELECT 1 FROM generation_file WHERE generation_file.artifact = artifact.name)
      AND NOT EXISTS (SELECT 1 FROM prepared WHERE prepared.artifact = artifact.name)
    """

  /// - Returns: nil when none has this name.
  func artifact(named name: String, in files: LocalFiles) throws -> StoredArtifact? {
    try session.row("SELECT mime_type, bytes FROM artifact WHERE name = ?", [name]).map { row in
      try StoredArtifact(named: name, from: row, in: files)
    }
  }

  /// Those of these names that artifacts have.
  func known(among names: [String]) throws -> Set<String> {
    if names.isEmpty { return [] }
    return Set(try session.rows(Self.known(among: names)).map { try $0.value("name") })
  }

  static func known(among names: [String]) throws -> SQLQuery {
    SQLQuery("SELECT name FROM artifact WHERE name IN (SELECT value FROM json_each(?))", [try StoredText.json(names)])
  }

  /// All artifacts, by name.
  func all(in files: LocalFiles) throws -> [StoredArtifact] {
    try session.rows("SELECT name, mime_type, bytes FROM artifact ORDER BY name").map { row in
      try StoredArtifact(named: row.value("name"), from: row, in: files)
    }
  }

  /// The names of all artifacts, sorted.
  func names() throws -> [String] { try session.values("SELECT name FROM artifact ORDER BY name") }

  /// The names of the artifacts that begin with these hexadecimal digits.
  func names(beginningWith digits: String) throws -> [String] {
    try session.values("SELECT name FROM artifact WHERE name >= ? AND name < ?", Self.range(from: digits))
  }

  /// What rows say about the place of a file: its folders are named by its first two digits, and the next two.
  func recordedPlace(of name: String) throws -> RecordedPlace {
    let neighbours = try names(beginningWith: String(name.prefix(4)))
    if !neighbours.isEmpty {
      return RecordedPlace(isFile: neighbours.contains(name), isSecondFolder: true, isFirstFolder: true)
    }
    let isFirstFolder = try session.finds(
      "SELECT 1 FROM artifact WHERE name >= ? AND name < ? LIMIT 1", Self.range(from: String(name.prefix(2))))
    return RecordedPlace(isFile: false, isSecondFolder: false, isFirstFolder: isFirstFolder)
  }

  /// The names of the artifacts that a generation or an input prepared for it refers to, each once.
  func names(ofGeneration id: String) throws -> [String] {
    try session.values(
      """
      SELECT artifact FROM generation_file WHERE generation_id = ?1 AND artifact IS NOT NULL
      UNION SELECT artifact FROM prepared WHERE generation_id = ?1 AND artifact IS NOT NULL
      """,
      [id])
  }

  /// The names of all artifacts that no row refers to.
  func unreferenced() throws -> [String] {
    try session.values("SELECT name FROM artifact WHERE \(Self.isUnreferenced) ORDER BY name")
  }

  /// The names of those artifacts of a folder that no row refers to.
  /// - Parameter folder: the first two hexadecimal digits of the names.
  func unreferenced(inFolder folder: String) throws -> [String] {
    try session.values(
      "SELECT name FROM artifact WHERE name >= ? AND name < ? AND \(Self.isUnreferenced) ORDER BY name",
      Self.range(from: folder))
  }

  /// The names that begin with these hexadecimal digits: `g` comes after the last digit.
  static func range(from digits: String) -> SQLValues { [digits, digits + "g"] }

  /// The bytes of all artifacts.
  func totalBytes() throws -> Int {
    try session.value("SELECT bytes FROM artifact_sum") ?? 0
  }

  /// The bytes of the largest one; 0 when there is none.
  func largestBytes() throws -> Int { try session.value("SELECT COALESCE(max(bytes), 0) FROM artifact") ?? 0 }

  /// The bytes of the artifacts that prepared inputs refer to, and no generation.
  func bytesOfInputsAlone() throws -> Int {
    try session.value(
      """
      SELECT COALESCE(sum(bytes), 0) FROM artifact
      WHERE name IN (SELECT artifact FROM prepared WHERE artifact IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM generation_file WHERE generation_file.artifact = artifact.name)
      """) ?? 0
  }

  /// Inserts an artifact unless it is there.
  func insert(_ artifact: StoredArtifact, created: Timestamp) throws {
    try session.run(
      "INSERT INTO artifact (name, mime_type, bytes, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      [artifact.name, artifact.mimeType, artifact.bytes, created.milliseconds])
  }

  /// Deletes those of the named artifacts that no row refers to.
  /// - Returns: what was deleted.
  func deleteUnreferenced(_ names: [String]) throws -> [(name: String, bytes: Int)] {
    if names.isEmpty { return [] }
    return try session.rows(
      """
      DELETE FROM artifact WHERE name IN (SELECT value FROM json_each(?)) AND \(Self.isUnreferenced)
      RETURNING name, bytes
      """,
      [try StoredText.json(names)]
    ).map { (name: try $0.value("name"), bytes: try $0.value("bytes")) }
  }
}

extension StoredArtifact {
  /// - Parameter row: any row that has `mime_type` and `bytes`.
  init(named name: String, from row: SQLRow, in files: LocalFiles) throws {
    guard DataDirectory.isArtifactName(name) else { throw UnreadableColumn(name: "artifact") }
    self.init(name: name, mimeType: try row.value("mime_type"), bytes: try row.value("bytes"), in: files)
  }
}

extension SQLSession {
  var artifacts: ArtifactTable { ArtifactTable(session: self) }
}
