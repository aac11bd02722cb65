import AtelierProtocol

extension Store {
  /// Makes bytes durable, with a note that a row may soon refer to them. They are kept once ``finish(_:)`` or
  /// ``keepPrepared(_:)`` refers to them.
  /// - Parameter mimeType: the type detected from the bytes; determines the extension.
  /// - Throws: `storage_full`, `storage_unavailable`, `overloaded`: it may succeed later.
  public func stage(_ bytes: [UInt8], mimeType: String) async throws(AtelierError) -> StagedArtifact {
    let number = staged.add(1, ordering: .relaxed).newValue
    do {
      let name = try await withFiles(isUrgent: false) {
        StoredArtifact.name(sha256: StoredArtifact.digest(bytes), mimeType: mimeType)
      }
      let artifact = StoredArtifact(name: name, mimeType: mimeType, bytes: bytes.count, in: localFiles)
      return try await files.stage(bytes, as: artifact, number: number)
    } catch {
      noteFault(in: error, writing: FileTrial(bytes: bytes.count, mimeType: mimeType), isOfResult: true)
      finishRemovalsLater()
      throw atelierError(error)
    }
  }

  /// Whether the note of staged bytes is gone, so that they must be staged again. False for bytes that have none.
  public func hasLost(_ source: ArtifactSource) async -> Bool {
    guard let staged = source.staged else { return false }
    return (try? await files.hasLost(staged)) ?? false
  }

  /// Describes the bytes of a private generation, which are never written.
  /// - Parameter mimeType: as for ``stage(_:mimeType:)``.
  public func unstored(_ bytes: [UInt8], mimeType: String) -> ArtifactSource {
    let name = StoredArtifact.name(sha256: StoredArtifact.digest(bytes), mimeType: mimeType)
    return .unstored(StoredArtifact(name: name, mimeType: mimeType, bytes: bytes.count, in: localFiles))
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
    let value = try await write(isOfResult: !needed.isEmpty) { [files] session in
      try files.confirm(needed, in: session)
      return try work(session)
    }
    if !needed.isEmpty { condition.noteKept() }
    await discard(staged ?? needed)
    return value
  }

  /// Does the same, together with what other changes read.
  func write<Value: Sendable>(
    putting needed: [StagedArtifact], usingUp staged: [StagedArtifact],
    foreseeing prepare: @escaping @Sendable () -> ForeseenChange<Value>
  ) async throws(AtelierError) -> Value {
    try await put(needed)
    let value = try await write(isOfResult: !needed.isEmpty, foreseeing: { [files] in
      var change = prepare()
      let queries = change.foresight.queries
      change.foresight.queries = { try queries() + files.confirming(needed) }
      let work = change.work
      change.work = { session in
        try files.confirm(needed, in: session)
        return try work(session)
      }
      return change
    })
    if !needed.isEmpty { condition.noteKept() }
    await discard(staged)
    return value
  }

  /// Makes sure that staged files are durable under their final names; the notes stay.
  func put(_ staged: [StagedArtifact]) async throws(AtelierError) {
    if staged.isEmpty { return }
    do {
      try await files.put(staged)
    } catch {
      // The writer knows how to put what was promised in safety.
      if noteFault(in: error, isOfResult: true)?.reason.kind == .moved { await engine.rescue() }
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
      note(try await files.withdraw(staged))
    } catch {
      // A store that closes withdraws what is staged itself.
      if !gate.isClosed { leftFiles.store(true, ordering: .relaxed) }
    }
  }

  /// Removes the named files that neither a row nor a note names. The next recovery finds files left by a crash.
  /// - Returns: how many were removed.
  @discardableResult
  func removeUnreferenced(_ names: [String]) async throws(AtelierError) -> Int {
    if names.isEmpty { return 0 }
    do {
      let removal = try await files.removeUnreferenced(names)
      note(removal)
      return removal.removed
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw atelierError(error)
    }
  }

  private func note(_ removal: FileRemoval) {
    if !removal.hasLeftSome { return }
    leftFiles.store(true, ordering: .relaxed)
    finishRemovalsLater()
  }

  /// An artifact that has a row; nil when none has this name.
  func artifact(_ name: String, in session: any SQLSession) throws -> StoredArtifact? {
    try session.artifacts.artifact(named: name, in: localFiles)
  }

  /// The bytes of an artifact, compared with its digest.
  /// - Throws: `not_found` when it was deleted meanwhile or its file is gone, `internal` when the file was altered;
  ///   `storage_unavailable` when what keeps the files refuses: the store is not healthy then.
  public func read(_ artifact: StoredArtifact) async throws(AtelierError) -> [UInt8] {
    do {
      return try await files.read(artifact)
    } catch {
      if error is StoreError { noteFault(in: error) }
      let told = atelierError(error)
      guard told.kind == .notFound else { throw told }
      // What a row names was not deleted here.
      let isKnown = try await read { [self] in try self.artifact(artifact.name, in: $0) != nil }
      throw isKnown ? .fileMissing : told
    }
  }

  /// A link with which anybody can read an artifact that a row names.
  /// - Returns: nil where the files are in a folder.
  public func link(to artifact: StoredArtifact, forSeconds seconds: Int) async throws(AtelierError) -> FileLink? {
    do {
      return try await files.link(to: artifact, forSeconds: seconds)
    } catch {
      throw atelierError(error)
    }
  }

  /// The same for checks and backups, which ask where a picture is kept and not for a copy of it.
  func fetch(_ artifact: StoredArtifact) async throws(AtelierError) -> [UInt8] {
    do {
      return try await files.fetch(artifact)
    } catch {
      throw atelierError(error)
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
