import AtelierProtocol
import GRDB
import POSIX

extension Store {
  /// Deletes ended generations from history, and their files unless something else refers to them. Deleting all
  /// generations of an account also deletes its prepared inputs. Idempotency keys stay taken.
  ///
  /// Deleting all generations of an account takes many short transactions, so that other writers do not wait long. If
  /// it is interrupted, the remaining data is consistent, and the next call continues.
  ///
  /// Generations that have not ended are kept and listed in the summary: cancel them first. Generations accepted after
  /// the call are kept too.
  /// - Throws: `not_found` for a single generation that does not exist or does not belong to the account.
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

  /// Deletes the ended generations that `next` returns, one at a time, until it returns nil, in short transactions.
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

  /// The result of one transaction in a series.
  struct DeletionTurn: Sendable {
    var summary = DeletionSummary()
    /// Files to remove after the transaction.
    var files: [String] = []
  }

  /// How long a transaction in a series starts new steps; other writers wait for it.
  private static let turn = Duration.milliseconds(10)

  /// Repeats `step` until it returns false, with as many steps per transaction as fit in a short time.
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

  /// Deletes an ended generation and everything that only it refers to. Files are removed after the transaction.
  private func forget(_ id: GenerationID, in database: Database) throws -> (bytes: Int, names: [String]) {
    let names = try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT artifact FROM generation_file WHERE generation_id = ?1 AND artifact IS NOT NULL
          UNION SELECT artifact FROM prepared WHERE generation_id = ?1 AND artifact IS NOT NULL
          """),
      arguments: [id.rawValue])
    try database.cachedStatement(sql: "UPDATE prepared SET artifact = NULL WHERE generation_id = ?")
      .execute(arguments: [id.rawValue])
    try database.cachedStatement(sql: "DELETE FROM generation WHERE id = ?").execute(arguments: [id.rawValue])
    try database.requireChanged(1)
    return try forgetUnreferenced(names, in: database)
  }

  /// Deletes the rows of the named artifacts that no row refers to. Their files are removed after the transaction, so
  /// that a row never names a missing file.
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

  /// The artifacts that no row refers to.
  func unreferencedArtifacts(in database: Database) throws -> [String] {
    try String.fetchAll(database, sql: "SELECT name FROM artifact WHERE \(Self.isUnreferenced) ORDER BY name")
  }

  static let isUnreferenced = """
    NOT EXISTS (SELECT 1 FROM generation_file WHERE generation_file.artifact = artifact.name)
      AND NOT EXISTS (SELECT 1 FROM prepared WHERE prepared.artifact = artifact.name)
    """

  /// Removes the named files that have no row, a few at a time under the write lock, so that no process starts to refer
  /// to one meanwhile. The next recovery finds files left by a crash.
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
      // Runs alone: a row deleted in a shared transaction would be back after a rollback.
      let (next, count) = try await write(isAlone: true, givesWay: true) { [self] database in
        try opened.check()
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
      // Its row is gone, so only disk space is lost; the next recovery tries again.
      leftFiles.store(true, ordering: .relaxed)
      return false
    }
  }

  /// Empties the write-ahead log, in which deleted data can still be read. If a reader in another process prevents
  /// this, ``tidy()`` tries again later.
  func forgetLog() async {
    let isEmpty = try? await withWriter { [busyPolicy] database in
      // Transfer most of the log while others may write; little is left for the truncation, which blocks writers.
      _ = try? database.checkpoint(.passive)
      return try busyPolicy.waitingBriefly { try database.checkpoint(.truncate).walFrameCount == 0 }
    }
    owesLog.store(isEmpty != true, ordering: .relaxed)
  }
}

/// Which generations to delete from history.
public enum Deletion: Sendable, Equatable {
  /// One generation, which must belong to the account unless `account` is nil.
  case one(GenerationID, account: AccountID?)
  /// All ended generations of this account.
  case all(account: AccountID)
}

/// What was deleted.
public struct DeletionSummary: Sendable, Equatable {
  /// Generations deleted from history.
  public var deleted: Int
  /// Bytes of the files removed because nothing else refers to them.
  public var bytesFreed: Int
  /// Kept because they have not ended: cancel them first.
  public var stillRunning: [GenerationID]

  public init(deleted: Int = 0, bytesFreed: Int = 0, stillRunning: [GenerationID] = []) {
    self.deleted = deleted
    self.bytesFreed = bytesFreed
    self.stillRunning = stillRunning
  }
}
