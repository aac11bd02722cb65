import AtelierProtocol
import GRDB
import JSONRPC

extension Store {
  func generation(_ id: GenerationID, in database: Database) throws -> GenerationRow? {
    try generations(in: database, where: "id = ?", arguments: [try StoredText.identifier(id.rawValue)]).first
  }

  /// The generations for which `condition` holds, which may go on with ORDER BY and LIMIT.
  /// - Parameter source: `generation`, by an index or together with what leads to it: without statistics SQLite takes the
  ///   index that gives the order, and reads all of it.
  func generations(
    in database: Database, from source: String = "generation", where condition: String, arguments: StatementArguments
  ) throws -> [GenerationRow] {
    let statement = try database.cachedStatement(sql: "SELECT generation.* FROM \(source) WHERE \(condition)")
    // By a cursor: the columns of rows that are copied first are found by comparing names one by one.
    return try Array(Row.fetchCursor(statement, arguments: arguments).map { try self.generation(from: $0, in: database) })
  }

  /// What has not ended, oldest first: by the index that holds nothing else.
  /// - Parameter account: whose; nil for everybody's.
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
      row, images: images(of: id, in: database), thumbnail: thumbnail(of: id, in: database),
      credits: Ledger.credits(of: GenerationID(rawValue: id), in: database))
    try addRemarks(to: &generation, in: database)
    return generation
  }

  /// What was said of it after its end.
  private func addRemarks(to generation: inout GenerationRow, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        SELECT rating, feedback.text AS words, metadata, COALESCE(is_favourite, 0) AS is_favourite
        FROM (SELECT ? AS id)
          LEFT JOIN generation_feedback AS feedback ON feedback.generation_id = id
          LEFT JOIN generation_annotation AS annotation ON annotation.generation_id = id
        """)
    guard let row = try Row.fetchOne(statement, arguments: [generation.id.rawValue]) else { return }
    if let rating = try row.optional("rating", as: Int.self) {
      generation.feedback = History.Entry.Feedback(rating: rating, text: try row.optional("words"))
    }
    if let metadata: JSONObject = try row.optionalJSON("metadata") { generation.metadata = metadata }
    generation.isFavourite = try row.value("is_favourite")
  }

  private func thumbnail(of id: String, in database: Database) throws -> StoredArtifact? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT name, mime_type, bytes FROM generation_thumbnail JOIN artifact ON name = artifact WHERE generation_id = ?
        """)
    return try Row.fetchOne(statement, arguments: [id]).map { try artifact(named: try $0.value("name"), from: $0) }
  }

  private func images(of id: String, in database: Database) throws -> [StoredImage] {
    let statement = try database.cachedStatement(
      sql: "SELECT * FROM generation_image WHERE generation_id = ? ORDER BY position")
    let cursor = try Row.fetchCursor(statement, arguments: [id])
    let images = cursor.map { row in
      let name = try row.optional("artifact", as: String.self)
      return StoredImage(
        index: try row.value("position"), view: try row.optional("view"), sha256: try row.value("sha256"),
        mimeType: try row.value("mime_type"), bytes: try row.value("bytes"), width: try row.value("width"),
        height: try row.value("height"), outputPath: try row.optional("output_path"),
        artifact: try name.map { try self.artifact(named: $0, from: row) })
    }
    return try Array(images)
  }

  func artifact(_ name: String, in database: Database) throws -> StoredArtifact? {
    let statement = try database.cachedStatement(sql: "SELECT mime_type, bytes FROM artifact WHERE name = ?")
    return try Row.fetchOne(statement, arguments: [name]).map { try artifact(named: name, from: $0) }
  }

  /// - Parameter row: any that has `mime_type` and `bytes`.
  func artifact(named name: String, from row: Row) throws -> StoredArtifact {
    guard DataDirectory.isArtifactName(name) else { throw UnreadableColumn(name: "artifact") }
    return StoredArtifact(
      name: name, mimeType: try row.value("mime_type"), bytes: try row.value("bytes"), in: directory)
  }
}
