import AtelierProtocol
import POSIX

/// Recovery of the work of dead processes. Any process may recover: recovering is short, can be repeated, starts nothing
/// and deletes nothing. A process that has time sweeps their files.
extension Store {
  /// Recovers the work that dead processes left behind, and expires generations that have waited too long.
  ///
  /// Of a process that is gone, see ``Presence``, the generations that the store holds completely, and for which nothing
  /// was sent, go into the queue that all processes share, whether or not their work had begun; its other unfinished
  /// generations become `interrupted`, unless it may still end them. Its lock stays until ``sweep()`` has removed its files.
  public func recover() async throws(AtelierError) -> Recovery {
    var recovery = Recovery()
    recovery.expired = try await expireWaiting()
    for (gone, absence) in try await absences(among: try await read { try $0.generations.processesAtWork() }) {
      // One that may come back is looked at again and again: only what can be taken from it is worth a transaction.
      if absence == .silent, try await !hasRecoverable(of: gone) { continue }
      recovery.requeued += try await requeue(of: gone)
      recovery.interrupted += try await interrupt(of: gone, absence)
    }
    return recovery
  }

  /// Whether the process of a generation is dead; false for this process and for `nobody`. Checks only its lock.
  public func isGone(_ other: ProcessID) async -> Bool { await isAnyGone(of: [other]) }

  /// Whether one of these processes is dead, as ``isGone(_:)``. Checks only their locks, so it can be called with every
  /// heartbeat.
  public func isAnyGone(of others: some Sequence<ProcessID>) async -> Bool {
    (try? await absences(among: others).isEmpty) == false
  }

  /// Which processes besides this one are gone, in the order of their ids.
  private func absences(
    among others: some Sequence<ProcessID>
  ) async throws(AtelierError) -> [(process: ProcessID, absence: Absence)] {
    let others = Set(others).subtracting([process, .nobody])
    if others.isEmpty { return [] }
    return try await file { [presence] in
      try presence.absences(among: Array(others)).map { (process: $0.key, absence: $0.value) }
        .sorted { $0.process.rawValue < $1.process.rawValue }
    }
  }

  /// The lock files of dead processes. They are not held: several processes may recover at once, because each
  /// transaction finds the work that remains.
  func locksOfTheDead() throws -> [String] {
    let mine = directory.lock(of: process)
    return try FileSystem.names(in: directory.processes).compactMap { name in
      let path = "\(directory.processes)/\(name)"
      guard path != mine, name.hasSuffix(".lock") || name.hasSuffix(".starting"),
        try FileStatus(path: path)?.isRegularFile == true
      else { return nil }
      return try FileLock.isFree(path) ? path : nil
    }
  }

  /// The maximum number of generations per transaction, so that other writers do not wait too long.
  private static let mostTogether = 1_000

  /// A generation that has cost so many processes their lives is not begun again: it may be the reason.
  private static let mostLostProcesses = 3

  /// Whether anything can be taken from a process that is silent.
  private func hasRecoverable(of gone: ProcessID) async throws(AtelierError) -> Bool {
    try await read { [self] session in
      let repeatable = try session.generations.repeatable(
        ofProcess: gone, lostProcessesBelow: Self.mostLostProcesses, atMost: 1)
      if !repeatable.isEmpty { return true }
      let rows = try session.generations.openRows(ofProcess: gone, atMost: Self.mostTogether)
      return try generations(in: session, rows: rows).contains(where: isOverdue)
    }
  }

  /// Puts the generations that any process can run, and for which nothing was sent, into the shared queue.
  private func requeue(of gone: ProcessID) async throws(AtelierError) -> Int {
    // The same follows for one that is still queued.
    guard let next = GenerationLifecycle(state: .running).state(after: .processDied(isRepeatable: true)) else { return 0 }
    var requeued = 0
    while true {
      let count = try await write(givesWay: true) { [self] session in
        let ids = try session.generations.repeatable(
          ofProcess: gone, lostProcessesBelow: Self.mostLostProcesses, atMost: Self.mostTogether)
        if ids.isEmpty { return 0 }
        try session.generations.requeue(ids, as: next)
        try session.queue.add(ids)
        try noteLoss(of: ids, by: gone, in: session)
        return ids.count
      }
      requeued += count
      if count < Self.mostTogether { return requeued }
    }
  }

  /// Ends the generations that only the process that is gone could have run, and can run no more.
  private func interrupt(of gone: ProcessID, _ absence: Absence) async throws(AtelierError) -> [GenerationRow] {
    var interrupted: [GenerationRow] = []
    while true {
      let some = try await write(givesWay: true) { [self] session in
        let rows = try generations(
          in: session, rows: session.generations.openRows(ofProcess: gone, atMost: Self.mostTogether)
        ).filter { absence == .ended || isOverdue($0) }
        for row in rows {
          var life = GenerationLifecycle(state: row.state)
          try life.apply(.processDied(isRepeatable: false))
          try finish(row.id, of: row.process, as: life.state, because: AtelierError(.interrupted), in: session)
        }
        return try generations(rows.map(\.id), in: session)
      }
      interrupted += some
      if some.count < Self.mostTogether { return interrupted }
    }
  }
}

extension Store {
  /// Whether a generation can work no more, by its own limit. A lease is left for what comes after the work: who cannot
  /// write for so long has lost it in any case.
  private func isOverdue(_ row: GenerationRow) -> Bool {
    let (end, hasOverflowed) = (row.started ?? row.created).milliseconds
      .addingReportingOverflow(Int64(row.timeLimitMs) + leaseMs)
    return !hasOverflowed && end < surroundings.now().milliseconds
  }
}

extension DataDirectory {
  /// - Parameter path: a lock file in the folder of processes.
  func process(ofLock path: String) -> ProcessID {
    ProcessID(rawValue: String(path.dropFirst(processes.count + 1).dropLast(".lock".count)))
  }
}

/// The result of ``Store/recover()``.
public struct Recovery: Sendable, Equatable {
  /// Generations that ended as `interrupted`; their holds are released.
  public var interrupted: [GenerationRow] = []
  /// Generations that any process may start now.
  public var requeued = 0
  /// Generations of any process that waited too long and ended as `expired`; their holds are released.
  public var expired: [GenerationRow] = []

  public init() {}
}
