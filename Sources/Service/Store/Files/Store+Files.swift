import AtelierProtocol
import POSIX

extension Store {
  /// Writes bytes to a temporary file of this process and makes them durable. The file is kept once ``finish(_:)`` or
  /// ``keepPrepared(_:)`` refers to it.
  /// - Parameter mimeType: the type detected from the bytes; determines the extension.
  /// - Throws: `storage_full`, `storage_unavailable`, `overloaded`: it may succeed later.
  public func stage(_ bytes: [UInt8], mimeType: String) async throws(AtelierError) -> StagedArtifact {
    let number = staged.add(1, ordering: .relaxed).newValue
    do {
      return try await withFiles(isUrgent: false) { [self] in
        let name = StoredArtifact.name(sha256: StoredArtifact.digest(bytes), mimeType: mimeType)
        let artifact = StoredArtifact(name: name, mimeType: mimeType, bytes: bytes.count, in: directory)
        do throws(FileFailure) {
          return try files.stage(bytes, as: artifact, number: number)
        } catch where error.isMissing {
          try makeTemporaryFolder()
          return try files.stage(bytes, as: artifact, number: number)
        }
      }
    } catch {
      noteFault(in: error, bytes: bytes.count)
      throw atelierError(error)
    }
  }

  /// Makes the folder of this process's temporary files again: cleaning programs and people remove what is called
  /// temporary. Not where the data directory itself is gone or another one.
  func makeTemporaryFolder() throws {
    try engine.checkGround()
    _ = try FileSystem.makeDirectory(directory.temporary)
    _ = try FileSystem.makeDirectory(directory.temporary(of: process))
  }

  /// Whether the staged file of bytes is gone, so that they must be staged again. False for bytes that have none.
  public func hasLost(_ source: ArtifactSource) async -> Bool {
    guard let staged = source.staged else { return false }
    return (try? await file(isUrgent: true) { try FileStatus(path: staged.temporaryPath) == nil }) ?? false
  }

  /// Describes the bytes of a private generation, which are never written.
  /// - Parameter mimeType: as for ``stage(_:mimeType:)``.
  public func unstored(_ bytes: [UInt8], mimeType: String) -> ArtifactSource {
    let name = StoredArtifact.name(sha256: StoredArtifact.digest(bytes), mimeType: mimeType)
    return .unstored(StoredArtifact(name: name, mimeType: mimeType, bytes: bytes.count, in: directory))
  }

  /// Runs `work` in a transaction that may refer to staged files: puts them first, and withdraws their notes afterwards,
  /// with those files that it does not refer to.
  /// - Parameters:
  ///   - needed: the files that it may refer to.
  ///   - staged: the files that are used up by it; nil for `needed`.
  ///   - work: as for ``write(isDurable:isAlone:givesWay:_:)``.
  /// - Throws: what keeps the files from being put, or the transaction from being made; all are still staged then.
  func write<Value: Sendable>(
    putting needed: [StagedArtifact], usingUp staged: [StagedArtifact]? = nil,
    _ work: @escaping @Sendable (any SQLSession) throws -> Value
  ) async throws(AtelierError) -> Value {
    try await put(needed)
    let value = try await write(work)
    await discard(staged ?? needed)
    return value
  }

  /// Gives staged files their final names and makes these durable; the staged files stay.
  func put(_ staged: [StagedArtifact]) async throws(AtelierError) {
    if staged.isEmpty { return }
    do {
      try await withFiles(isUrgent: true) { [self] in
        // A file in another folder of this name would be missing when the right one is back.
        try engine.checkGround()
        let places = try engine.readNow { session in
          try staged.map { try session.artifacts.recordedPlace(of: $0.artifact.name) }
        }
        var unsynced: Set<String> = []
        for (file, place) in zip(staged, places) { unsynced.formUnion(try files.put(file, place)) }
        try files.sync(unsynced)
      }
    } catch {
      // The writer knows how to put what was promised in safety.
      if noteFault(in: error)?.reason.kind == .moved { await engine.rescue() }
      throw atelierError(error)
    }
  }

  /// Removes a staged file that is not needed. An artifact made from it stays while a row refers to it.
  public func discard(_ staged: StagedArtifact) async {
    await discard([staged])
  }

  /// Removes the staged file of bytes that are not needed; stored bytes stay.
  public func discard(_ source: ArtifactSource) async {
    if let staged = source.staged { await discard(staged) }
  }

  func discard(_ staged: [StagedArtifact]) async {
    if staged.isEmpty { return }
    do {
      let files = staged.map { (name: $0.artifact.name, path: $0.temporaryPath) }
      try await withFiles(isUrgent: true) { [self] in try withdraw(files) }
    } catch {
      // A store that closes withdraws what is staged itself.
      if !gate.isClosed { leftFiles.store(true, ordering: .relaxed) }
    }
  }

  /// Removes notes, then the files that they named and no row does. If somebody deletes such a row meanwhile, the one
  /// who looks last removes the file.
  func withdraw(_ notes: [(name: String, path: String)]) throws {
    surroundings.reached(.withdrawing)
    // A note that cannot be removed now is removed with the other temporary files of this process.
    for note in notes { try? FileSystem.remove(note.path) }
    surroundings.reached(.withdrawn)
    let names = try notes.map(\.name).filter { try FileStatus(path: directory.path(ofArtifact: $0)) != nil }
    if names.isEmpty { return }
    let known = try engine.readNow { try $0.artifacts.known(among: names) }
    for name in names where !known.contains(name) { _ = try remove(name) }
  }

  /// Removes the named files that neither a row nor a note names. The next recovery finds files left by a crash.
  /// - Returns: how many were removed.
  @discardableResult
  func removeUnreferenced(_ names: [String]) async throws(AtelierError) -> Int {
    var (removed, rest) = (0, names[...])
    do {
      while !rest.isEmpty {
        let names = rest
        let (count, done) = try await file(isUrgent: true) { [self] in try removeSome(names) }
        removed += count
        rest = rest.dropFirst(done)
      }
      return removed
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
  }

  /// Removes as many as fit in a short time, in which other file work waits.
  private func removeSome(_ names: ArraySlice<String>) throws -> (removed: Int, done: Int) {
    let end = ContinuousClock.now + .milliseconds(10)
    var (removed, done) = (0, 0)
    for name in names {
      if try remove(name) { removed += 1 }
      done += 1
      if .now >= end { break }
    }
    return (removed, done)
  }

  private func remove(_ name: String) throws -> Bool {
    // In another directory, everything would belong to nothing.
    try engine.checkGround()
    do {
      return try files.remove(name) { try engine.readNow { try artifact(name, in: $0) != nil } }
    } catch is FileFailure {
      // No row refers to it, so only disk space is lost; the next recovery tries again.
      leftFiles.store(true, ordering: .relaxed)
      return false
    }
  }

  /// An artifact that has a row; nil when none has this name.
  func artifact(_ name: String, in session: any SQLSession) throws -> StoredArtifact? {
    try session.artifacts.artifact(named: name, in: directory)
  }

  /// The bytes of an artifact, compared with its digest.
  /// - Throws: `not_found` when it was deleted meanwhile, `internal` when the file was altered.
  public func read(_ artifact: StoredArtifact) async throws(AtelierError) -> [UInt8] {
    try await file { [directory] in
      // A path made elsewhere is not trusted; the digest determines the file.
      guard DataDirectory.isArtifactName(artifact.name) else { throw AtelierError(.notFound) }
      let bytes: [UInt8]
      do throws(FileFailure) {
        bytes = try FileSystem.read(directory.path(ofArtifact: artifact.name))
      } catch where error.isMissing {
        throw AtelierError(.notFound, "This has been deleted from history.")
      }
      guard StoredArtifact.digest(bytes) == artifact.sha256 else { throw AtelierError.fileAltered }
      return bytes
    }
  }

  /// Inserts the row of an artifact, before the row that refers to it. The file was put before the transaction.
  /// - Parameter known: the names of the artifacts that have rows, of those that the transaction needs.
  func record(
    _ source: ArtifactSource, known: inout Set<String>, in session: any SQLSession, now: Timestamp
  ) throws {
    guard case .staged(let staged) = source else { return try Self.check([source], known) }
    if known.insert(staged.artifact.name).inserted { try session.artifacts.insert(staged.artifact, created: now) }
  }

  /// - Throws: `not_found` when the bytes of one that is not staged are not there.
  static func check(_ sources: [ArtifactSource], _ known: Set<String>) throws(AtelierError) {
    if sources.allSatisfy({ $0.staged != nil || known.contains($0.artifact.name) }) { return }
    throw AtelierError(.notFound, "The earlier photo or result was deleted meanwhile: try again.")
  }
}
