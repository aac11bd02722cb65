import AtelierProtocol
import GRDB
import POSIX

/// What becomes of the work of processes that are gone. Settling is for anybody: it is short, may be done twice, begins
/// nothing and deletes nothing. Sweeping their files is for a process that has time.
extension Store {
  /// Settles what processes that are gone left behind, and what has waited too long.
  ///
  /// A process is gone when its lock can be taken. What it had queued and the store holds all of goes into the queue
  /// that all processes share; the rest of what it had not ended is `interrupted`. Its lock stays until ``sweep()`` has
  /// removed its files.
  public func settle() async throws(AtelierError) -> Recovery {
    var recovery = Recovery()
    recovery.expired = try await expireWaiting()
    let dead = try await file { [self] in try locksOfTheDead() }
    for gone in try await ownersGone(besides: dead) {
      recovery.requeued += try await requeue(of: gone)
      recovery.interrupted += try await interrupt(of: gone)
    }
    return recovery
  }

  /// Whether the process that works on a generation is gone; this one, and nobody, are not. Looks at its lock only.
  public func isGone(_ other: OwnerID) async -> Bool { await isAnyGone(of: [other]) }

  /// Whether there is anything to settle of a process that works, or worked, on generations. Looks at the locks of those
  /// only, so that it can be asked with every heartbeat.
  public func hasLostAnOwner() async -> Bool {
    guard let owners = try? await read({ try Self.ownersAtWork(in: $0) }) else { return false }
    return await isAnyGone(of: owners)
  }

  private func isAnyGone(of others: [OwnerID]) async -> Bool {
    let others = others.filter { $0 != owner && $0 != .nobody && $0.isFileName }
    if others.isEmpty { return false }
    let isAnyGone = try? await file { [directory] in
      try others.contains { other in
        let path = directory.lock(of: other)
        return try FileStatus(path: path) == nil || FileLock.isFree(path)
      }
    }
    return isAnyGone ?? false
  }

  /// Who has generations that have not ended.
  private static func ownersAtWork(in database: Database) throws -> [OwnerID] {
    var owners: [OwnerID] = []
    // One look into the index for each owner, however many generations each has.
    let next = try database.cachedStatement(
      sql: """
        SELECT min(owner) FROM generation INDEXED BY generation_open
        WHERE state IN ('queued', 'running') AND owner > ?
        """)
    while let owner = try String.fetchOne(next, arguments: [owners.last?.rawValue ?? ""]) {
      owners.append(OwnerID(rawValue: owner))
    }
    return owners
  }

  /// The lock files of processes that are gone. They are not held: what is done for the dead may be done by several at
  /// once, each transaction of it finds what is still to be done.
  func locksOfTheDead() throws -> [String] {
    let mine = directory.lock(of: owner)
    return try FileSystem.names(in: directory.owners).compactMap { name in
      let path = "\(directory.owners)/\(name)"
      guard path != mine, name.hasSuffix(".lock") || name.hasSuffix(".starting"),
        try FileStatus(path: path)?.isRegularFile == true
      else { return nil }
      return try FileLock.isFree(path) ? path : nil
    }
  }

  /// Those whose lock could be taken, and those whose lock is gone though they have generations: they ended in an orderly
  /// way and left something queued, or somebody emptied the folder.
  ///
  /// A process makes its lock before anything else and removes it after, so what has no lock now belongs to nobody.
  private func ownersGone(besides locks: [String]) async throws(AtelierError) -> [OwnerID] {
    let inRows = try await read { try Self.ownersAtWork(in: $0) }
    return try await file { [directory, owner] in
      let orphaned = try inRows.filter { try $0.isFileName && FileStatus(path: directory.lock(of: $0)) == nil }
      let dead = locks.filter { $0.hasSuffix(".lock") }.map { directory.owner(ofLock: $0) }
      return Set(orphaned + dead).filter { $0 != owner && $0 != .nobody && $0.isFileName }
        .sorted { $0.rawValue < $1.rawValue }
    }
  }

  /// As many at a time as others can wait for.
  private static let mostTogether = 1_000

  /// Puts what any process can do into the shared queue.
  private func requeue(of gone: OwnerID) async throws(AtelierError) -> Int {
    var life = Generation(state: .queued)
    guard (try? life.apply(.ownerDied(isRepeatable: true))) != nil else { return 0 }
    let next = life.state
    var requeued = 0
    while true {
      let count = try await write(givesWay: true) { [self] database in
        let ids = try String.fetchAll(
          database.cachedStatement(
            sql: """
              SELECT id FROM generation INDEXED BY generation_open
              WHERE owner = ? AND state IN ('queued', 'running') AND state = 'queued' AND is_requeueable
                AND provider IS NOT NULL LIMIT ?
              """), arguments: [gone.rawValue, Self.mostTogether])
        if ids.isEmpty { return 0 }
        let some = try StoredText.json(ids)
        try database.cachedStatement(
          sql: "UPDATE generation SET owner = ?, state = ? WHERE id IN (SELECT value FROM json_each(?))"
        ).execute(arguments: [OwnerID.nobody.rawValue, next.rawValue, some])
        try database.requireChanged(ids.count)
        try enqueue("id IN (SELECT value FROM json_each(?))", [some], in: database)
        return ids.count
      }
      requeued += count
      if count < Self.mostTogether { return requeued }
    }
  }

  /// Ends what only the process could have done that is gone.
  private func interrupt(of gone: OwnerID) async throws(AtelierError) -> [GenerationRow] {
    var interrupted: [GenerationRow] = []
    while true {
      let some = try await write(givesWay: true) { [self] database in
        let rows = try generations(
          in: database, where: "owner = ? AND state IN ('queued', 'running') LIMIT ?",
          arguments: [gone.rawValue, Self.mostTogether])
        for row in rows {
          var life = Generation(state: row.state)
          try life.apply(.ownerDied(isRepeatable: false))
          try end(row.id.rawValue, as: life.state, because: AtelierError(.interrupted), in: database)
        }
        return try generations(rows.map(\.id.rawValue), in: database)
      }
      interrupted += some
      if some.count < Self.mostTogether { return interrupted }
    }
  }

  /// The generations with these ids, oldest first.
  func generations(_ ids: [String], in database: Database) throws -> [GenerationRow] {
    try generations(
      in: database, where: "id IN (SELECT value FROM json_each(?)) ORDER BY created, id",
      arguments: [try StoredText.json(ids)])
  }
}

extension DataDirectory {
  /// - Parameter path: of a lock file in the folder of owners.
  func owner(ofLock path: String) -> OwnerID {
    OwnerID(rawValue: String(path.dropFirst(owners.count + 1).dropLast(".lock".count)))
  }
}

/// What ``Store/settle()`` found of processes that are gone.
public struct Recovery: Sendable, Equatable {
  /// Ended as `interrupted`: whatever they held is released.
  public var interrupted: [GenerationRow] = []
  /// Generations that any process may begin now.
  public var requeued = 0
  /// What had waited too long, of any process: ended as `expired`, what was held for it is released.
  public var expired: [GenerationRow] = []

  public init() {}
}
