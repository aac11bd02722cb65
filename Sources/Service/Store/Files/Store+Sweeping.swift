import AtelierProtocol
import POSIX

/// Background cleanup after a process died, or a file change failed half way.
extension Store {
  /// Removes the files of dead processes and the artifacts that no row refers to, one folder at a time so that other
  /// writers do not wait long; then removes the locks of the dead processes. The ledger is audited in the background.
  ///
  /// Recovers the rows of the dead processes first. If no process died and no file change failed, it only reads one
  /// folder. If this process dies before the end, the next one starts again.
  /// - Parameters:
  ///   - recovered: receives the result of recovering that no earlier ``recover()`` had reported.
  ///   - leftovers: receives the generations that the dead processes did not finish, before their locks are removed:
  ///     they may have left files elsewhere.
  /// - Returns: how many artifacts were removed.
  @discardableResult
  public func sweep(
    recovered: @Sendable (Recovery) async -> Void = { _ in },
    leftovers: @Sendable ([GenerationRow]) async -> Void = { _ in }
  ) async throws(AtelierError) -> Int {
    let dead = try await file { [self] in
      // In another directory, everything would belong to nobody.
      try engine.checkGround()
      // Who cannot be asked now is asked by the next sweep.
      try? presence.forgetEnded()
      return try locksOfTheDead()
    }
    let hasLeftFiles = leftFiles.exchange(false, ordering: .relaxed)
    if dead.isEmpty, !hasLeftFiles, try await !swept({ try await $0.hasLeftovers() }) { return 0 }
    if !dead.isEmpty {
      ledgerMonitor.auditInBackground()
      await recovered(try await recover())
    }
    var removed = 0
    do throws(AtelierError) {
      for folder in try await swept({ try await $0.foldersToSweep() }) {
        removed += try await sweepFolder(folder)
        if Task.isCancelled { throw AtelierError(.interrupted) }
      }
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
    for lock in dead where lock.hasSuffix(".lock") {
      let rows = try await interrupted(of: directory.process(ofLock: lock))
      if !rows.isEmpty { await leftovers(rows) }
    }
    try await swept { try await $0.forgetNotes(ofTheDead: Set(dead)) }
    // Locks are removed last: if this process dies earlier, the next one finds the same locks.
    for path in dead { try await removeLock(path) }
    return removed
  }

  /// Removes the lock of a dead process. A process that recovers holds it for a moment.
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

  private func interrupted(of gone: ProcessID) async throws(AtelierError) -> [GenerationRow] {
    try await read { [self] session in
      try generations(in: session, rows: session.generations.interruptedRows(ofProcess: gone))
    }
  }

  /// - Parameter folder: the first two digits of the artifacts' names.
  private func sweepFolder(_ folder: String) async throws(AtelierError) -> Int {
    let names = try await read { try $0.artifacts.unreferenced(inFolder: folder) }
    if !names.isEmpty { _ = try await write(givesWay: true) { [self] in try forgetUnreferenced(names, in: $0) } }
    return try await removeUnreferenced(try await swept { try await $0.leftovers(in: folder) })
  }

  /// All files that have neither a row nor a note.
  func unreferencedFiles() async throws(AtelierError) -> [String] { try await swept { try await $0.unreferenced() } }

  private func swept<Value>(_ work: (any FileStore) async throws -> Value) async throws(AtelierError) -> Value {
    do {
      return try await work(files)
    } catch {
      throw atelierError(error)
    }
  }
}

extension DataDirectory {
  /// The names of all artifact files whose names are valid artifact names.
  func artifactFiles() throws -> [String] {
    try FileSystem.names(in: artifacts).filter { $0.utf8.count == 2 }.flatMap { try artifactFiles(in: $0) }
  }

  /// The names of the files in a folder of artifacts whose names are valid artifact names.
  func artifactFiles(in folder: String) throws -> [String] {
    var files: [String] = []
    for second in try FileSystem.names(in: "\(artifacts)/\(folder)") where second.utf8.count == 2 {
      files += try FileSystem.names(in: "\(artifacts)/\(folder)/\(second)").filter(Self.isArtifactName)
    }
    return files
  }
}

extension Store {
  /// Periodic maintenance while a service runs: erases expired prepared images, kept answers of the geocoder and notes for
  /// processes that look no more, limits history to `caps`, indexes history for search, forgets copies of pictures that were
  /// deleted elsewhere, and empties the write-ahead log when it may contain deleted data.
  public func tidy(keeping caps: HistoryLimits = HistoryLimits()) async throws(AtelierError) {
    try await keepTime()
    try await eraseExpiredLocationAnswers()
    try await forgetUnheardLosses()
    if try await eraseExpiredPrepared() > 0 { owesLog.store(true, ordering: .relaxed) }
    if !caps.isUnbounded { try await enforce(caps) }
    while try await indexForSearch() {}
    try await swept { try await $0.tidy() }
    if owesLog.load(ordering: .relaxed) { await forgetLog() }
  }
}
