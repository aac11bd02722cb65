import AtelierProtocol

extension Store {
  /// How long after its expiry an expired input can still be told from one that never existed.
  private static let tombstoneMs: Int64 = 30 * 24 * 60 * 60 * 1000

  /// Keeps a prepared image until it expires. The store owns the staged file from here on, unless this throws.
  /// - Throws: `storage_full`, `overloaded`; `not_found` when a stored file is gone.
  public func keepPrepared(_ keeping: PreparedKeeping) async throws(AtelierError) -> PreparedInput {
    let staged = [keeping.source.staged].compactMap(\.self)
    return try await write(putting: keeping.lifetimeMs > 0 ? staged : [], usingUp: staged) { [self] session in
      try Self.checkIsPresent(keeping.account, in: session)
      var known = try session.artifacts.known(among: [keeping.source.artifact.name])
      return try insert(keeping, known: &known, into: session)
    }
  }

  /// - Parameters:
  ///   - neededBy: the generation whose request names it: it is kept until that ends, and no longer.
  ///   - known: see ``record(_:known:in:now:)``.
  func insert(
    _ keeping: PreparedKeeping, neededBy: GenerationID? = nil, known: inout Set<String>, into session: any SQLSession
  ) throws -> PreparedInput {
    let now = surroundings.now()
    let lifetime = max(keeping.lifetimeMs, 0)
    let (end, overflow) = now.milliseconds.addingReportingOverflow(lifetime)
    let expires = Timestamp(milliseconds: overflow ? .max : end)
    if lifetime > 0 { try record(keeping.source, known: &known, in: session, now: now) }
    try session.prepared.insert(
      keeping, neededBy: neededBy, artifact: lifetime > 0 ? keeping.source.artifact.name : nil, created: now,
      expires: expires)
    return PreparedInput(
      id: keeping.id, account: keeping.account, artifact: keeping.source.artifact, width: keeping.width,
      height: keeping.height, created: now, expires: expires)
  }

  /// A prepared input of a generation, while it is kept; the latest, when it was prepared again.
  /// - Parameter reference: the index of the reference picture, from 0; nil for the photo.
  public func preparedInput(
    of generation: GenerationID, reference: Int? = nil
  ) async throws(AtelierError) -> PreparedLookup {
    guard let id = try await read({ try $0.prepared.latest(of: generation, reference: reference) }) else {
      return .notFound
    }
    return try await prepared(id, account: nil)
  }

  /// A prepared image that is still kept.
  /// - Parameter account: the account it must belong to; nil for any account.
  public func prepared(_ id: PreparedID, account: AccountID?) async throws(AtelierError) -> PreparedLookup {
    try await read { [self] session in
      guard let entry = try session.prepared.entry(id, in: localFiles), account == nil || account == entry.account else {
        return .notFound
      }
      let clock = try clock(in: session)
      guard let artifact = entry.artifact, clock.system < entry.expires || !clock.mayExpire else { return .expired }
      return .found(
        PreparedInput(
          id: id, account: entry.account, artifact: artifact, width: entry.width, height: entry.height,
          created: entry.created, expires: entry.expires))
    }
  }

  /// Erases expired prepared images. Must be called at the next expiry. Erases nothing while the clock is in doubt.
  /// - Returns: how many were erased.
  @discardableResult
  public func eraseExpiredPrepared() async throws(AtelierError) -> Int {
    try await redateFarAhead()
    // An expired id stays known for a long time; then it is forgotten.
    try await forgetTombstones(before: surroundings.now().later(by: -Self.tombstoneMs))
    return try await erasePrepared { [self] session in
      let clock = try clock(in: session)
      return try clock.mayExpire ? session.prepared.expired(at: clock.system) : nil
    }.deleted
  }

  /// Restarts the lifetime of images that were prepared while the clock was far ahead; they would otherwise be kept
  /// until the wrong clock's expiry.
  private func redateFarAhead() async throws(AtelierError) {
    let isThere = try await read { [self] session in
      try session.prepared.isKept(createdAfter: clock(in: session).farAhead)
    }
    guard isThere else { return }
    try await write { [self] session in
      let clock = try clock(in: session)
      try session.prepared.restartLifetimes(createdAfter: clock.farAhead, at: clock.system)
    }
  }

  /// When the next prepared image must be erased; nil when none is kept, and while the clock is in doubt.
  public func nextExpiry() async throws(AtelierError) -> Timestamp? {
    try await read { [self] session in try mayExpire(in: session) ? session.prepared.firstExpiry() : nil }
  }

  /// Erases all prepared images of an account.
  /// - Returns: the bytes of the files removed.
  func erasePrepared(of account: AccountID) async throws(AtelierError) -> Int {
    try await erasePrepared { try $0.prepared.kept(for: account) }.bytesFreed
  }

  private func erasePrepared(
    _ next: @escaping @Sendable (any SQLSession) throws -> PreparedID?
  ) async throws(AtelierError) -> DeletionSummary {
    // Without anything to erase, the write lock is not needed.
    guard try await read({ try next($0) }) != nil else { return DeletionSummary() }
    return try await inBatches { [self] session, batch in
      guard let id = try next(session) else { return false }
      let name = try session.prepared.artifactName(of: id)
      try session.prepared.forgetFile(of: id)
      let (bytes, files) = try forgetUnreferenced([name].compactMap { $0 }, in: session)
      batch.summary.deleted += 1
      batch.summary.bytesFreed += bytes
      batch.files += files
      return true
    }
  }

  private func forgetTombstones(before time: Timestamp) async throws(AtelierError) {
    let isThere = try await read { [self] session in
      guard try mayExpire(in: session), let first = try session.prepared.firstExpiryOfErased() else { return false }
      return first <= time
    }
    guard isThere else { return }
    try await write { [self] session in
      if try mayExpire(in: session) { try session.prepared.deleteErased(expiredBy: time) }
    }
  }
}
