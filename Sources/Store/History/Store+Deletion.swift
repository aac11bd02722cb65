import AtelierProtocol
import GRDB
import POSIX

extension Store {
  /// Deletes generations that have ended from history, with their files as far as nothing else refers to them. With
  /// all of an account its prepared inputs go as well. Idempotency keys stay taken.
  ///
  /// All of an account goes in many short transactions, so that nobody has to wait for long. When it is broken off,
  /// what is left is whole, and the next call goes on.
  ///
  /// Generations that have not ended are left alone and named in the summary: cancel them first. So are those accepted
  /// after the call.
  /// - Throws: `not_found` for one generation that is not there or not the account's.
  public func delete(_ deletion: Deletion) async throws(AtelierError) -> DeletionSummary {
    let summary: DeletionSummary
    switch deletion {
    case .one(let id, let account): summary = try await delete(id, account: account)
    case .all(let account): summary = try await deleteAll(of: account)
    }
    await forgetLog()
    return summary
  }

  private func delete(_ id: GenerationID, account: AccountID?) async throws(AtelierError) -> DeletionSummary {
    let (summary, files) = try await write { [self] database in
      guard let row = try generation(id, in: database), account == nil || row.account == account else {
        throw AtelierError(.notFound)
      }
      guard row.state.isFinal else { return (DeletionSummary(stillRunning: [id]), [] as [String]) }
      let (bytes, files) = try forget(id, in: database)
      return (DeletionSummary(deleted: 1, bytesFreed: bytes), files)
    }
    try await removeUnreferenced(files)
    return summary
  }

  private func deleteAll(of account: AccountID) async throws(AtelierError) -> DeletionSummary {
    let latest = try await read { database in
      try Int64.fetchOne(
        database, sql: "SELECT max(created) FROM generation WHERE account = ?",
        arguments: [try StoredText.identifier(account.rawValue)])
    }
    var summary = DeletionSummary()
    if let latest {
      summary = try await deleteInTurns { database, _ in
        try String.fetchOne(
          database.cachedStatement(
            sql: """
              SELECT id FROM generation INDEXED BY generation_by_account
              WHERE account = ? AND created <= ? AND state NOT IN ('queued', 'running')
              ORDER BY created DESC, id DESC LIMIT 1
              """),
          arguments: [account.rawValue, latest])
      }
    }
    summary.bytesFreed += try await erasePrepared(of: account)
    summary.stillRunning = try await read { [self] database in
      try openGenerations(of: account, in: database).map(\.id)
    }
    return summary
  }

  /// Deletes what `next` names, an ended generation at a time, until it names none; each transaction lasts a moment.
  func deleteInTurns(
    _ next: @escaping @Sendable (Database, DeletionSummary) throws -> String?
  ) async throws(AtelierError) -> DeletionSummary {
    try await inTurns { [self] database, turn in
      guard let id = try next(database, turn.summary) else { return false }
      let (bytes, files) = try forget(GenerationID(rawValue: id), in: database)
      turn.summary.deleted += 1
      turn.summary.bytesFreed += bytes
      turn.files += files
      return true
    }
  }

  /// What one transaction of many has done.
  struct DeletionTurn: Sendable {
    var summary = DeletionSummary()
    /// To be removed after it.
    var files: [String] = []
  }

  /// How long a transaction of many goes on beginning something: others wait for it.
  private static let turn = Duration.milliseconds(10)

  /// Does `step` until it returns false, as many times in a transaction as take a moment.
  func inTurns(
    _ step: @escaping @Sendable (Database, inout DeletionTurn) throws -> Bool
  ) async throws(AtelierError) -> DeletionSummary {
    var summary = DeletionSummary()
    var goesOn = true
    while goesOn {
      let before = summary
      let (turn, isNotOver) = try await write(givesWay: true) { database in
        var turn = DeletionTurn(summary: before)
        let end = ContinuousClock.now + Self.turn
        while try step(database, &turn) {
          if .now >= end { return (turn, true) }
        }
        return (turn, false)
      }
      summary = turn.summary
      goesOn = isNotOver
      try await removeUnreferenced(turn.files)
    }
    return summary
  }

  /// Deletes a generation that has ended and what only it refers to. Files go after the transaction.
  private func forget(_ id: GenerationID, in database: Database) throws -> (bytes: Int, names: [String]) {
    let names = try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT artifact FROM generation_image WHERE generation_id = ?1 AND artifact IS NOT NULL
          UNION SELECT artifact FROM generation_thumbnail WHERE generation_id = ?1
          UNION SELECT artifact FROM prepared WHERE generation_id = ?1 AND artifact IS NOT NULL
          """),
      arguments: [id.rawValue])
    try database.cachedStatement(sql: "UPDATE prepared SET artifact = NULL WHERE generation_id = ?")
      .execute(arguments: [id.rawValue])
    try database.cachedStatement(sql: "DELETE FROM generation WHERE id = ?").execute(arguments: [id.rawValue])
    try database.requireChanged(1)
    return try forgetUnreferenced(names, in: database)
  }

  /// Deletes the rows of those of the named artifacts that no row refers to. Their files go after the transaction: a
  /// row never names a file that is gone.
  func forgetUnreferenced(_ names: [String], in database: Database) throws -> (bytes: Int, names: [String]) {
    if names.isEmpty { return (0, []) }
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          DELETE FROM artifact WHERE name IN (SELECT value FROM json_each(?)) AND \(Self.isUnreferenced)
          RETURNING name, bytes
          """),
      arguments: [try StoredText.json(names)])
    let bytes = try rows.reduce(0) { try $0 + $1.value("bytes", as: Int.self) }
    return (bytes, try rows.map { try $0.value("name") })
  }

  /// The artifacts that no row refers to. A process of an earlier version that knows nothing of a table leaves them.
  func unreferencedArtifacts(in database: Database) throws -> [String] {
    try String.fetchAll(database, sql: "SELECT name FROM artifact WHERE \(Self.isUnreferenced) ORDER BY name")
  }

  /// `generation.thumbnail` is what processes of version 1 wrote.
  static let isUnreferenced = """
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
    var (removed, position) = (0, names.startIndex)
    while position < names.endIndex {
      let start = position
      // Alone, for a row that is gone in a transaction that comes to nothing is not gone.
      let (next, count) = try await write(isAlone: true, givesWay: true) { [self] database in
        let end = ContinuousClock.now + Self.turn
        var (next, count) = (start, 0)
        repeat {
          if try artifact(names[next], in: database) == nil { count += removeFile(names[next]) ? 1 : 0 }
          next += 1
        } while next < names.endIndex && .now < end
        return (next, count)
      }
      position = next
      removed += count
    }
    return removed
  }

  private func removeFile(_ name: String) -> Bool {
    do throws(FileFailure) {
      try FileSystem.remove(directory.path(ofArtifact: name))
      return true
    } catch {
      // Its row is gone, so all that is lost is space; the next recovery tries again.
      leftFiles.store(true, ordering: .relaxed)
      return false
    }
  }

  /// Empties the write-ahead log, where what was deleted can still be read. What a reader in another process is in the
  /// way of is left to ``tidy()``.
  func forgetLog() async {
    let isEmpty = try? await withWriter { [patience] database in
      // Most of it while others write; the rest, with nobody writing, is little then.
      _ = try? database.checkpoint(.passive)
      return try patience.short { try database.checkpoint(.truncate).walFrameCount == 0 }
    }
    owesLog.store(isEmpty != true, ordering: .relaxed)
  }
}

/// Which generations to delete from history.
public enum Deletion: Sendable, Equatable {
  /// One; of this account unless nil.
  case one(GenerationID, account: AccountID?)
  /// All that have ended, of this account.
  case all(account: AccountID)
}

/// What was deleted.
public struct DeletionSummary: Sendable, Equatable {
  /// Generations gone from history.
  public var deleted: Int
  /// Bytes of the files removed because nothing else refers to them.
  public var bytesFreed: Int
  /// Left alone because they have not ended: cancel them first. Only with ``Deletion/all(account:)``.
  public var stillRunning: [GenerationID]

  public init(deleted: Int = 0, bytesFreed: Int = 0, stillRunning: [GenerationID] = []) {
    self.deleted = deleted
    self.bytesFreed = bytesFreed
    self.stillRunning = stillRunning
  }
}
