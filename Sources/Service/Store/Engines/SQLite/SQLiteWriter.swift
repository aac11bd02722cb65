import GRDB
import POSIX

/// The connection over which one process writes into SQLite's file.
///
/// When a change throws, the transaction is rolled back and run again with each change in a savepoint, so that a failing
/// change undoes only itself.
///
/// If a transaction cannot begin, every caller gets the error.
struct SQLiteWriter: WritingConnection {
  /// `busyPolicy` controls how long it waits.
  let connection: DatabaseQueue
  let busyPolicy: BusyWait.Policy
  /// Prevents this process from always writing first.
  let writeLock: FairWriteLock
  /// Tells whether what is written has a name, and so lasts.
  let ground: DatabaseGround

  /// A change that threw while it shared its transaction with others.
  private struct ChangeFailed: Error {}

  /// A transaction that could not be begun.
  private struct NotBegun: Error {
    var cause: any Error
    var isBusy: Bool { (cause as? DatabaseError)?.resultCode == .SQLITE_BUSY }
  }

  func run(_ writes: [QueuedWrite]) throws {
    try connection.writeWithoutTransaction { database in
      try ground.check(database)
      run(writes, in: database)
    }
    if writes.contains(where: \.givesWay) { writeLock.endShare() }
  }

  private func run(_ writes: [QueuedWrite], in database: Database) {
    do {
      let attempts: [QueuedWrite.Attempt]
      do {
        attempts = try commit(writes, isIsolating: false, in: database)
      } catch is ChangeFailed {
        attempts = try commit(writes, isIsolating: true, in: database)
      }
      do {
        // What went into a file that has lost its name meanwhile is not promised.
        try ground.check(database)
      } catch {
        for write in writes { write.refuse(error) }
        return
      }
      for attempt in attempts { attempt.answer() }
    } catch let error as NotBegun {
      for write in writes { write.refuse(error.cause) }
    } catch {
      if writes.count == 1 { return writes[0].refuse(error) }
      for write in writes { run([write], in: database) }
    }
  }

  /// - Parameter isIsolating: whether each change has a savepoint. A savepoint takes a third of the time of a small
  ///   change, and hardly any change fails, so savepoints are used only after a failure.
  /// - Throws: when nothing was kept; ``ChangeFailed`` when one of several changes without a savepoint threw.
  private func commit(
    _ writes: [QueuedWrite], isIsolating: Bool, in database: Database
  ) throws -> [QueuedWrite.Attempt] {
    var attempts: [QueuedWrite.Attempt] = []
    try waitingForDisk(writes.contains(where: \.isDurable), in: database) {
      try inTransaction(database) {
        for write in writes {
          let attempt = try isIsolating
            ? undoingFailure(of: write, in: database) : write.change().attempt(SQLiteSession(database))
          // Some failures, such as a full disk, end the whole transaction.
          guard database.isInsideTransaction else {
            throw attempt.failure ?? DatabaseError(resultCode: .SQLITE_ABORT)
          }
          if let failure = attempt.failure, !isIsolating { throw writes.count == 1 ? failure : ChangeFailed() }
          attempts.append(attempt)
        }
      }
    }
    return attempts
  }

  /// Makes a change; when it throws, only its own changes are undone.
  private func undoingFailure(of write: QueuedWrite, in database: Database) throws -> QueuedWrite.Attempt {
    var attempt: QueuedWrite.Attempt?
    do {
      try database.inSavepoint {
        let made = write.change().attempt(SQLiteSession(database))
        attempt = made
        if let failure = made.failure { throw failure }
        return .commit
      }
    } catch where attempt?.failure != nil {
      // It is the change's own.
    }
    guard let attempt else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return attempt
  }

  private func inTransaction(_ database: Database, _ work: () throws -> Void) throws {
    if writeLock.goesOn {
      do {
        return try busyPolicy.withoutWaiting { try begin(database, work) }
      } catch let error as NotBegun where error.isBusy {
        // Another process took the write lock in between: it writes first.
      }
    }
    writeLock.enter()
    defer { writeLock.leave() }
    try begin(database) {
      writeLock.leave()
      try work()
    }
  }

  private func begin(_ database: Database, _ work: () throws -> Void) throws {
    var hasBegun = false
    do {
      try database.inTransaction(.immediate) {
        hasBegun = true
        try requireKnownVersion(database)
        try work()
        return .commit
      }
    } catch where !hasBegun {
      throw NotBegun(cause: error)
    }
  }

  /// Another process may have brought the tables to a version whose rules this one does not know.
  private func requireKnownVersion(_ database: Database) throws {
    let version = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
    if version > Schema.version { throw DatabaseOpening.newer(connection.path, version: version) }
  }

  private func waitingForDisk(_ isDurable: Bool, in database: Database, _ work: () throws -> Void) throws {
    if isDurable { return try work() }
    try database.execute(sql: "PRAGMA synchronous = NORMAL")
    let result = Result { try work() }
    try database.execute(sql: "PRAGMA synchronous = FULL")
    try result.get()
  }
}
