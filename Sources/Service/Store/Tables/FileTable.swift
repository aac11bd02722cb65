import AtelierProtocol

/// The SQL of the table `generation_file`: what generations delivered, and what was made of that.
struct FileTable {
  let session: any SQLSession

  /// The files of these generations by their ids, each role's in the order of their images. A generation without files is
  /// missing.
  /// - Parameter localFiles: where the files are; a row names a file without its path.
  func files(
    ofGenerations ids: [String], in localFiles: LocalFiles
  ) throws -> [String: [GenerationFile]] {
    if ids.isEmpty { return [:] }
    var files: [String: [GenerationFile]] = [:]
    for row in try session.rows(Self.files(ofGenerations: ids)) {
      let generation: String = try row.value("generation_id")
      files[generation, default: []].append(try GenerationFile(row, in: localFiles))
    }
    return files
  }

  static func files(ofGenerations ids: [String]) throws -> SQLQuery {
    SQLQuery(
      """
      SELECT * FROM generation_file WHERE generation_id IN (SELECT value FROM json_each(?))
      ORDER BY generation_id, role, position
      """,
      [try StoredText.json(ids)])
  }

  /// Whether a generation delivered a file of this content that is kept.
  /// - Parameter digest: its SHA-256 in hexadecimal, with which the name of its artifact begins.
  func isDelivered(_ digest: String) throws -> Bool {
    try session.finds(
      "SELECT 1 FROM generation_file WHERE artifact IS NOT NULL AND artifact >= ? AND artifact < ? LIMIT 1",
      ArtifactTable.range(from: digest))
  }

  /// - Parameter file: the file as it reads once it is on record; its artifact has its row.
  func insert(_ file: GenerationFile, of generation: GenerationID) throws {
    try session.run(
      """
      INSERT INTO generation_file (
        generation_id, role, position, view, sha256, mime_type, bytes, artifact, width, height, output_path)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        generation.rawValue, file.role.rawValue, file.index, file.view, file.sha256, file.mimeType, file.bytes,
        file.artifact?.name, file.width, file.height, file.outputPath,
      ])
  }
}

extension GenerationFile {
  /// - Parameter row: all columns of `generation_file`.
  fileprivate init(_ row: SQLRow, in files: LocalFiles) throws {
    let kept = try row.optional("artifact", as: String.self)
    let name = try kept ?? StoredArtifact.name(sha256: row.value("sha256"), mimeType: row.value("mime_type"))
    let artifact = try StoredArtifact(named: name, from: row, in: files)
    self.init(
      try row.coded("role"), index: try row.value("position"), view: try row.optional("view"),
      source: kept == nil ? .unstored(artifact) : .stored(artifact), width: try row.value("width"),
      height: try row.value("height"), outputPath: try row.optional("output_path"))
  }
}

extension SQLSession {
  var files: FileTable { FileTable(session: self) }
}
