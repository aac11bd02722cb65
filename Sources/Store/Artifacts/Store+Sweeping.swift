import AtelierProtocol
import GRDB
import POSIX

/// What is done in the background after a process died, or a change of files failed half way.
extension Store {
  /// Removes the files of processes that are gone and those among the artifacts that no row refers to, one folder after
  /// the other so that nobody waits for long; then the locks of the dead. The ledger is audited in the background.
  ///
  /// What the dead left in rows is settled first. Where no process died and no change of files failed it costs a look at
  /// one folder. Should this process die before the end, the next one begins anew.
  /// - Parameters:
  ///   - settled: told what was settled that no ``settle()`` before had seen.
  ///   - leftovers: told which generations the dead did not bring to their end, before their locks go: they may have left
  ///     files elsewhere.
  /// - Returns: how many artifacts were removed.
  @discardableResult
  public func sweep(
    settled: @Sendable (Recovery) async -> Void = { _ in },
    leftovers: @Sendable ([GenerationRow]) async -> Void = { _ in }
  ) async throws(AtelierError) -> Int {
    let dead = try await file { [self] in try locksOfTheDead() }
    let hasLeftFiles = leftFiles.exchange(false, ordering: .relaxed)
    guard !dead.isEmpty || hasLeftFiles else { return 0 }
    if !dead.isEmpty {
      ledgerWatch.auditInBackground()
      await settled(try await settle())
    }
    var removed = 0
    do throws(AtelierError) {
      for folder in try await file({ [directory] in try FileSystem.names(in: directory.artifacts) })
      where folder.utf8.count == 2 {
        removed += try await sweepFolder(folder)
        if Task.isCancelled { throw AtelierError(.interrupted) }
      }
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
    for lock in dead where lock.hasSuffix(".lock") {
      let rows = try await interrupted(of: directory.owner(ofLock: lock))
      if !rows.isEmpty { await leftovers(rows) }
    }
    try await removeTemporaryFiles(ofTheDead: Set(dead))
    // Last: should this process die before, the next one finds the same locks.
    for path in dead { try await removeLock(path) }
    return removed
  }

  /// Removes the lock of a dead process. Whoever settles holds it for a moment.
  private func removeLock(_ path: String) async throws(AtelierError) {
    for _ in 0..<1_000 {
      let isGone = try await file {
        guard let lock = try FileLock(path: path, creating: false) else { return try FileStatus(path: path) == nil }
        try FileSystem.remove(path)
        lock.release()
        return true
      }
      if isGone { return }
      await Task.yield()
    }
  }

  private func interrupted(of gone: OwnerID) async throws(AtelierError) -> [GenerationRow] {
    try await read { [self] database in
      try generations(
        in: database, from: "generation INDEXED BY generation_interrupted",
        where: "state = 'interrupted' AND owner = ?", arguments: [gone.rawValue])
    }
  }

  /// - Parameter folder: the first two digits of the artifacts' names.
  private func sweepFolder(_ folder: String) async throws(AtelierError) -> Int {
    let names = try await read { [self] in try unreferencedArtifacts(below: folder, in: $0) }
    if !names.isEmpty { _ = try await write(givesWay: true) { [self] in try forgetUnreferenced(names, in: $0) } }
    return try await removeUnreferenced(try await unreferencedFiles(in: folder))
  }

  /// The names of files in a folder of artifacts that have no row. The files are listed first: one that becomes an
  /// artifact meanwhile has its row by the time the rows are read.
  func unreferencedFiles(in folder: String) async throws(AtelierError) -> [String] {
    let files = try await file { [directory] in try directory.artifactFiles(in: folder) }
    if files.isEmpty { return [] }
    let known = try await read { database in
      try Set(
        String.fetchAll(
          database.cachedStatement(sql: "SELECT name FROM artifact WHERE name >= ? AND name < ?"),
          arguments: [folder, folder + "g"]))
    }
    return files.filter { !known.contains($0) }
  }

  /// All files among the artifacts that have no row.
  func unreferencedFiles() async throws(AtelierError) -> [String] {
    var files: [String] = []
    for folder in try await file({ [directory] in try FileSystem.names(in: directory.artifacts) })
    where folder.utf8.count == 2 {
      files += try await unreferencedFiles(in: folder)
    }
    return files
  }

  /// The names of artifacts that no row refers to.
  private func unreferencedArtifacts(below folder: String, in database: Database) throws -> [String] {
    try String.fetchAll(
      database.cachedStatement(
        sql: "SELECT name FROM artifact WHERE name >= ? AND name < ? AND \(Self.isUnreferenced) ORDER BY name"),
      arguments: [folder, folder + "g"])
  }

  /// - Parameter dead: the locks of the dead.
  private func removeTemporaryFiles(ofTheDead dead: Set<String>) async throws(AtelierError) {
    try await file { [directory, owner] in
      for name in try FileSystem.names(in: directory.temporary) {
        let other = OwnerID(rawValue: name)
        guard other != owner, other.isFileName else { continue }
        let path = directory.lock(of: other)
        guard try dead.contains(path) || FileStatus(path: path) == nil else { continue }
        // What cannot be removed is in nobody's way, and found again the next time.
        try? FileSystem.removeFlatDirectory(directory.temporary(of: other))
      }
    }
  }
}

extension DataDirectory {
  /// The names of all files among the artifacts that have the form of an artifact's name.
  func artifactFiles() throws -> [String] {
    try FileSystem.names(in: artifacts).filter { $0.utf8.count == 2 }.flatMap { try artifactFiles(in: $0) }
  }

  /// The names of the files in a folder of artifacts that have the form of an artifact's name.
  func artifactFiles(in folder: String) throws -> [String] {
    var files: [String] = []
    for second in try FileSystem.names(in: "\(artifacts)/\(folder)") where second.utf8.count == 2 {
      files += try FileSystem.names(in: "\(artifacts)/\(folder)/\(second)").filter(Self.isArtifactName)
    }
    return files
  }
}

extension Store {
  /// What is to be done now and then while a service runs: prepared images whose time is over are erased, history keeps
  /// to `caps`, searches are prepared for, and the write-ahead log is emptied where something deleted may be in it.
  public func tidy(keeping caps: HistoryLimits = HistoryLimits()) async throws(AtelierError) {
    try await keepTime()
    if try await eraseExpiredPrepared() > 0 { owesLog.store(true, ordering: .relaxed) }
    if !caps.isUnbounded { try await enforce(caps) }
    while try await indexForSearch() {}
    if owesLog.load(ordering: .relaxed) { await forgetLog() }
  }
}
