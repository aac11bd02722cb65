import AtelierProtocol
import GRDB

extension Store {
  /// Deletes generations that have ended from history, with their files as far as nothing else refers to them. With
  /// all of an account its prepared inputs go as well. Idempotency keys stay taken.
  ///
  /// Generations that have not ended are left alone and named in the summary: cancel them first.
  /// - Throws: `not_found` for one generation that is not there or not the account's.
  public func delete(_ deletion: Deletion) async throws(AtelierError) -> DeletionSummary {
    let (summary, files) = try await write { [self] database in
      switch deletion {
      case .one(let id, let account): try delete(id, account: account, in: database)
      case .all(let account): try deleteAll(of: account, in: database)
      }
    }
    try await removeUnreferenced(files)
    await forgetLog()
    return summary
  }

  private func delete(
    _ id: GenerationID, account: AccountID?, in database: Database
  ) throws -> (DeletionSummary, [String]) {
    guard let row = try generation(id, in: database), account == nil || row.account == account else {
      throw AtelierError(.notFound)
    }
    guard row.state.isFinal else { return (DeletionSummary(deleted: 0, bytesFreed: 0, stillRunning: [id]), []) }
    let results = try artifacts(ofGenerationsWhere: "id = ?", arguments: [id.rawValue], in: database)
    let inputs = try String.fetchAll(
      database, sql: "SELECT artifact FROM prepared WHERE generation_id = ? AND artifact IS NOT NULL",
      arguments: [id.rawValue])
    try database.execute(
      sql: "UPDATE prepared SET artifact = NULL WHERE generation_id = ?", arguments: [id.rawValue])
    try database.execute(sql: "DELETE FROM generation WHERE id = ?", arguments: [id.rawValue])
    let (bytes, names) = try forgetUnreferenced(results + inputs, in: database)
    return (DeletionSummary(deleted: 1, bytesFreed: bytes, stillRunning: []), names)
  }

  private func deleteAll(of account: AccountID, in database: Database) throws -> (DeletionSummary, [String]) {
    let name = try StoredText.identifier(account.rawValue)
    let running = try String.fetchAll(
      database,
      sql: "SELECT id FROM generation WHERE account = ? AND state IN ('queued', 'running') ORDER BY created, id",
      arguments: [name])
    let ended = "account = ? AND state NOT IN ('queued', 'running')"
    let results = try artifacts(ofGenerationsWhere: ended, arguments: [name], in: database)
    let inputs = try String.fetchAll(
      database, sql: "SELECT artifact FROM prepared WHERE account = ? AND artifact IS NOT NULL", arguments: [name])
    try database.execute(sql: "DELETE FROM generation WHERE \(ended)", arguments: [name])
    let deleted = database.changesCount
    try database.execute(sql: "UPDATE prepared SET artifact = NULL WHERE account = ?", arguments: [name])
    let (bytes, names) = try forgetUnreferenced(results + inputs, in: database)
    let summary = DeletionSummary(
      deleted: deleted, bytesFreed: bytes, stillRunning: running.map { GenerationID(rawValue: $0) })
    return (summary, names)
  }

  private func artifacts(
    ofGenerationsWhere condition: String, arguments: StatementArguments, in database: Database
  ) throws -> [String] {
    let images = try String.fetchAll(
      database,
      sql: """
        SELECT artifact FROM generation_image JOIN generation ON generation.id = generation_id
        WHERE artifact IS NOT NULL AND \(condition)
        """,
      arguments: arguments)
    let thumbnails = try String.fetchAll(
      database,
      sql: """
        SELECT artifact FROM generation_thumbnail JOIN generation ON generation.id = generation_id WHERE \(condition)
        """,
      arguments: arguments)
    return images + thumbnails
  }

  /// Deletes the rows of those of the named artifacts that no row refers to. Their files go after the transaction: a
  /// row never names a file that is gone.
  func forgetUnreferenced(_ names: [String], in database: Database) throws -> (bytes: Int, names: [String]) {
    let rows = try Row.fetchAll(
      database,
      sql: """
        DELETE FROM artifact WHERE name IN (SELECT value FROM json_each(?)) AND \(Self.isUnreferenced)
        RETURNING name, bytes
        """,
      arguments: [try StoredText.json(names)])
    let bytes = try rows.reduce(0) { try $0 + $1.value("bytes", as: Int.self) }
    return (bytes, try rows.map { try $0.value("name") })
  }

  /// The artifacts that no row refers to. A process of an earlier version that knows nothing of a table leaves them.
  func unreferencedArtifacts(in database: Database) throws -> [String] {
    try String.fetchAll(database, sql: "SELECT name FROM artifact WHERE \(Self.isUnreferenced) ORDER BY name")
  }

  /// `generation.thumbnail` is what processes of version 1 wrote.
  private static let isUnreferenced = """
    NOT EXISTS (SELECT 1 FROM generation_image WHERE generation_image.artifact = artifact.name)
      AND NOT EXISTS (SELECT 1 FROM generation_thumbnail WHERE generation_thumbnail.artifact = artifact.name)
      AND NOT EXISTS (SELECT 1 FROM generation WHERE generation.thumbnail = artifact.name)
      AND NOT EXISTS (SELECT 1 FROM prepared WHERE prepared.artifact = artifact.name)
    """

  /// Removes those of the named files that have no row, a few at a time under the write lock, so that nobody refers
  /// to one meanwhile. What a crash leaves is found by the next recovery.
  @discardableResult
  func removeUnreferenced(_ names: [String]) async throws(AtelierError) -> Int {
    do {
      return try await removeInBatches(names)
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
  }

  private func removeInBatches(_ names: [String]) async throws(AtelierError) -> Int {
    var removed = 0
    for start in stride(from: 0, to: names.count, by: 64) {
      let some = Array(names[start..<min(start + 64, names.count)])
      // Alone, for a row that is gone in a transaction that comes to nothing is not gone.
      removed += try await write(isAlone: true) { [self] database in
        var count = 0
        for name in some where try artifact(name, in: database) == nil {
          do throws(FileFailure) {
            try FileSystem.remove(directory.path(ofArtifact: name))
            count += 1
          } catch {
            // Its row is gone, so all that is lost is space; the next recovery tries again.
            leftFiles.store(true, ordering: .relaxed)
          }
        }
        return count
      }
    }
    return removed
  }

  /// Empties the write-ahead log, where what was deleted can still be read.
  private func forgetLog() async {
    // A reader in another process may be in the way; the log is then emptied the next time.
    _ = try? await withWriter { [patience] database in
      try patience.short { _ = try database.checkpoint(.truncate) }
    }
  }
}
