import AtelierProtocol
import GRDB

extension Store {
  /// Settles what processes that are gone left behind. To be called right after opening, and now and then.
  ///
  /// A process is gone when its lock can be taken. What it had queued and may be run by anybody becomes this
  /// process's; the rest of what it had not ended is `interrupted`. Files no row refers to are removed. Where a process
  /// died, the ledger is audited in the background; ``status()`` tells when something is wrong.
  /// - Throws: only when nothing was settled: what was adopted is always told. The next call goes on with the rest.
  public func recover() async throws(AtelierError) -> Recovery {
    var recovery = Recovery(adopted: [], interrupted: [], sweptFiles: 0)
    do {
      try await recover(into: &recovery)
    } catch where recovery.settledNothing {
      throw error
    } catch {
      // The locks that were not removed are taken again by the next call, here or elsewhere.
    }
    return recovery
  }

  private func recover(into recovery: inout Recovery) async throws(AtelierError) {
    recovery.expired += try await expireWaiting()
    let locks = try await file { [self] in try claimsOfTheDead() }
    defer { for lock in locks { lock.release() } }
    for gone in try await ownersGone(besides: locks) {
      let (adopted, interrupted, waiting) = try await settle(gone)
      recovery.adopted += adopted
      recovery.waiting.formUnion(waiting)
      recovery.interrupted += interrupted
      // What cannot be removed is in nobody's way, and found again the next time.
      _ = try? await file { [directory] in try FileSystem.removeFlatDirectory(directory.temporary(of: gone)) }
    }
    if !locks.isEmpty || leftFiles.exchange(false, ordering: .relaxed) {
      recovery.sweptFiles = try await sweep()
    }
    // An unclean stop. Should this process die before the audit is done, its own lock tells the next one.
    if !locks.isEmpty { ledgerWatch.auditInBackground() }
    // Last: should this process die before, the next one finds the same locks.
    try await file { for lock in locks { try FileSystem.remove(lock.path) } }
  }

  /// The locks of processes that are gone, now held by this one.
  private func claimsOfTheDead() throws -> [FileLock] {
    let mine = directory.lock(of: owner)
    return try FileSystem.names(in: directory.owners).compactMap { name in
      let path = "\(directory.owners)/\(name)"
      guard path != mine, name.hasSuffix(".lock") || name.hasSuffix(".starting"),
        try FileKind(path: path)?.isRegularFile == true
      else { return nil }
      return try FileLock(path: path, creating: false)
    }
  }

  /// Those whose lock is held here, and those whose lock is gone though they have generations or temporary files:
  /// they ended in an orderly way and left something queued, or somebody emptied the folder.
  ///
  /// A process makes its lock before anything else and removes it after, so what has no lock now belongs to nobody.
  private func ownersGone(besides locks: [FileLock]) async throws(AtelierError) -> [OwnerID] {
    let inRows = try await read { database in
      try String.fetchAll(database, sql: "SELECT DISTINCT owner FROM generation WHERE state IN ('queued', 'running')")
    }
    return try await file { [directory, owner] in
      let inFolders = try FileSystem.names(in: directory.temporary)
      let known = Set(inRows + inFolders).map { OwnerID(rawValue: $0) }
      let orphaned = try known.filter { try $0.isFileName && FileKind(path: directory.lock(of: $0)) == nil }
      let held = locks.map(\.path).filter { $0.hasSuffix(".lock") }.map { path in
        OwnerID(rawValue: String(path.dropFirst(directory.owners.count + 1).dropLast(".lock".count)))
      }
      return Set(orphaned + held).filter { $0 != owner && $0.isFileName }.sorted { $0.rawValue < $1.rawValue }
    }
  }

  private func settle(
    _ gone: OwnerID
  ) async throws(AtelierError) -> (adopted: [GenerationRow], interrupted: [GenerationRow], waiting: [GenerationID]) {
    try await write { [self] database in
      let open = "owner = ? AND state IN ('queued', 'running')"
      let adoptable = try String.fetchAll(
        database,
        sql: """
          UPDATE generation SET owner = ? WHERE \(open) AND state = 'queued' AND is_requeueable RETURNING id
          """,
        arguments: [owner.rawValue, gone.rawValue])
      let ended = try String.fetchAll(
        database,
        sql: "UPDATE generation SET state = 'interrupted', finished = ?, error = ? WHERE \(open) RETURNING id",
        arguments: [
          surroundings.now().milliseconds, try StoredText.json(StoredError(AtelierError(.interrupted))), gone.rawValue,
        ])
      let ledger = try ledger(in: database)
      for id in ended {
        try ledger.endHold(for: GenerationID(rawValue: id), capturing: 0, because: "interrupted")
      }
      let waiting = try String.fetchAll(
        database, sql: "SELECT generation_id FROM waiting_generation WHERE generation_id IN (SELECT value FROM json_each(?))",
        arguments: [try StoredText.json(adoptable)])
      return (
        try generations(adoptable, in: database), try generations(ended, in: database),
        waiting.map { GenerationID(rawValue: $0) }
      )
    }
  }

  /// The generations with these ids, oldest first.
  func generations(_ ids: [String], in database: Database) throws -> [GenerationRow] {
    try generations(
      in: database, where: "id IN (SELECT value FROM json_each(?)) ORDER BY created, id",
      arguments: [try StoredText.json(ids)])
  }

  /// Removes the files among the artifacts that have no row, or one that nothing refers to.
  private func sweep() async throws(AtelierError) -> Int {
    do {
      let names = try await read { [self] in try unreferencedArtifacts(in: $0) }
      if !names.isEmpty { _ = try await write { [self] in try forgetUnreferenced(names, in: $0) } }
      return try await removeUnreferenced(try await unreferencedFiles())
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
  }

  /// The names of files among the artifacts that have no row. The files are listed first: one that becomes an artifact
  /// meanwhile has its row by the time the rows are read.
  func unreferencedFiles() async throws(AtelierError) -> [String] {
    let files = try await file { [directory] in try directory.artifactFiles() }
    let known = try await read { Set(try String.fetchAll($0, sql: "SELECT name FROM artifact")) }
    return files.filter { !known.contains($0) }
  }
}

extension Recovery {
  fileprivate var settledNothing: Bool { adopted.isEmpty && interrupted.isEmpty && expired.isEmpty }
}

extension DataDirectory {
  /// The names of all files among the artifacts that have the form of an artifact's name.
  func artifactFiles() throws -> [String] {
    var files: [String] = []
    for first in try FileSystem.names(in: artifacts) where first.utf8.count == 2 {
      for second in try FileSystem.names(in: "\(artifacts)/\(first)") where second.utf8.count == 2 {
        files += try FileSystem.names(in: "\(artifacts)/\(first)/\(second)").filter(Self.isArtifactName)
      }
    }
    return files
  }
}
