import CEmptyDatabase
import GRDB
import Glibc
import POSIX

/// Opens the history database, making or updating it under a lock when needed.
struct DatabaseOpening {
  var directory: DataDirectory
  var random: @Sendable () -> UInt64

  /// Of the connection that writes.
  let patience = BusyWait.Patience()

  /// What the header of the file says it is.
  private struct Identity {
    var application: Int32 = 0
    var version = 0
    var isEmpty = true
    var isWriteAheadLog = false
  }

  /// - Returns: the connection that writes; the database is at today's version.
  func writer() throws(StoreError) -> DatabaseQueue {
    let wait = BusyWait(random: random, patience: patience)
    do {
      if try FileStatus(path: directory.database) == nil { try underLock(create) }
      let writer = try DatabaseQueue(
        path: directory.database, configuration: ConnectionSettings.configuration(readonly: false, wait: wait))
      if try !isCurrent(writer) { try underLock { try bringUpToDate(writer) } }
      return writer
    } catch {
      throw storeError(error)
    }
  }

  /// - Returns: a connection that only reads.
  func reader() throws(StoreError) -> DatabaseQueue {
    let wait = BusyWait(random: random)
    do {
      return try DatabaseQueue(
        path: directory.database, configuration: ConnectionSettings.configuration(readonly: true, wait: wait))
    } catch {
      throw storeError(error)
    }
  }

  /// SQLite gives its -wal and -shm files the rights of the database file, so this one has the right ones before
  /// SQLite sees it. It is closed again before any connection opens it: closing a file drops the locks the process
  /// holds on it.
  private func create() throws {
    // Another process may have been faster.
    guard try FileStatus(path: directory.database) == nil else { return }
    let draft = directory.databaseDraft
    // What a database that is gone has left must not be taken for changes of this one.
    for file in directory.logs + [draft] { try FileSystem.remove(file) }
    try FileSystem.writeDurably(EmptyDatabase.bytes, to: draft)
    // Somebody who moved a database here meanwhile keeps it.
    _ = try FileSystem.link(draft, as: directory.database)
    try FileSystem.remove(draft)
    try FileSystem.syncDirectory(directory.path)
  }

  /// - Throws: a ``StoreError`` for a database that is not ours or too new; it is left as it is.
  private func isCurrent(_ writer: DatabaseQueue) throws -> Bool {
    let identity = try writer.writeWithoutTransaction(identity)
    guard identity.version <= Schema.version else {
      throw StoreError(
        .newerDatabase,
        "\(directory.database) was written by a newer version of Atelier (its schema is \(identity.version), this one "
          + "knows \(Schema.version)). Install the newer version, or choose another directory with --data-dir.")
    }
    if identity.application == ConnectionSettings.applicationID && identity.version > 0 {
      return identity.version == Schema.version && identity.isWriteAheadLog
    }
    guard identity.application == 0, identity.version == 0, identity.isEmpty else { throw foreign }
    return false
  }

  /// In one transaction: another process may be updating the database at this moment.
  private func identity(_ database: Database) throws -> Identity {
    var identity = Identity()
    try database.inTransaction(.deferred) {
      identity.application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      identity.version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      identity.isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
      return .commit
    }
    identity.isWriteAheadLog = try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
    return identity
  }

  /// Each step and its version number are one transaction: a step that fails leaves the file as it was.
  private func bringUpToDate(_ writer: DatabaseQueue) throws {
    if try isCurrent(writer) { return }
    try writer.writeWithoutTransaction { database in
      guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
        throw StoreError(
          .directoryUnusable,
          "The file system of \(directory.path) does not let the database keep a write-ahead log. "
            + "Choose a directory on another disk with --data-dir.")
      }
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      try Migration.apply(Schema.steps, from: version, to: database)
    }
  }

  private func underLock(_ work: () throws -> Void) throws {
    var tries = 0
    while true {
      if let lock = try FileLock(path: directory.migrationLock, creating: true) {
        return try withExtendedLifetime(lock, work)
      }
      guard BusyWait.goesOn(after: tries) else {
        throw StoreError(
          .busy, "Another process has been updating \(directory.path) for too long. Try again when it is done.")
      }
      usleep(BusyWait.step(random()))
      tries += 1
    }
  }

  private var foreign: StoreError {
    StoreError(
      .foreignDatabase,
      "\(directory.database) is not a database of Atelier. Move it away, or choose another directory with --data-dir.")
  }

  private func storeError(_ error: any Error) -> StoreError {
    switch error {
    case let error as StoreError: error
    case let failure as FileFailure: directory.unusable(failure)
    case let error as DatabaseError: storeError(error)
    default: StoreError(.failed, "\(directory.database) could not be opened: \(error)")
    }
  }

  private func storeError(_ error: DatabaseError) -> StoreError {
    let path = directory.database
    switch error.resultCode {
    case .SQLITE_NOTADB:
      return StoreError(
        .foreignDatabase,
        "\(path) is not a database. Move it away, put a backup in its place, or choose another directory with "
          + "--data-dir.")
    case .SQLITE_CORRUPT:
      return StoreError(
        .damagedDatabase,
        "\(path) is damaged (\(error.message ?? "no detail")). Nothing was changed. Keep a copy of the directory, then "
          + "put a backup in its place, or save what can be read with: sqlite3 '\(path)' .recover")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return StoreError(.busy, "Another process keeps \(path) locked. Try again when it is done.")
    case .SQLITE_FULL:
      return StoreError(.storageFull, "The disk of \(path) is full. Free some space and start again.")
    case .SQLITE_CANTOPEN where FileSystem.hasNoFreeDescriptor:
      return directory.unusable(FileFailure(operation: "open", path: path, code: EMFILE))
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      return StoreError(
        .directoryUnusable,
        "\(path) cannot be opened for writing. Give your user the right to, or choose another directory with "
          + "--data-dir.")
    default:
      if FileSystem.isFull(directory.path) {
        return StoreError(.storageFull, "The disk of \(path) is full. Free some space and start again.")
      }
      return StoreError(
        .failed, "\(path) could not be opened (\(error.extendedResultCode): \(error.message ?? "no detail")).")
    }
  }
}

/// Takes a database from the version it has to the last.
enum Migration {
  /// Runs the steps after `version` and sets the version number, in one transaction: a last one that fails leaves
  /// nothing of the others.
  static func apply(_ steps: [String], from version: Int, to database: Database) throws {
    guard version < steps.count else { return }
    try database.inTransaction(.immediate) {
      for step in steps.dropFirst(version) { try database.execute(sql: step) }
      try database.execute(
        sql: """
          PRAGMA application_id = \(ConnectionSettings.applicationID);
          PRAGMA user_version = \(steps.count);
          """)
      return .commit
    }
  }
}

/// How every connection to the database is set up.
enum ConnectionSettings {
  /// "Atel" in ASCII: tells our database from others.
  static let applicationID: Int32 = 0x4174_656C

  static func configuration(readonly: Bool, wait: BusyWait) -> Configuration {
    var configuration = Configuration()
    configuration.label = readonly ? "atelier.store.reader" : "atelier.store.writer"
    configuration.readonly = readonly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = wait.mode
    configuration.prepareDatabase { database in
      // WAL itself is a property of the file. `recursive_triggers` makes INSERT OR REPLACE meet the triggers that
      // forbid deleting; `secure_delete` overwrites what is deleted, for a deleted prompt shall be gone.
      try database.execute(
        sql: """
          PRAGMA synchronous = FULL;
          PRAGMA recursive_triggers = ON;
          PRAGMA cell_size_check = ON;
          PRAGMA trusted_schema = OFF;
          PRAGMA secure_delete = ON;
          PRAGMA temp_store = MEMORY;
          """)
      // A transaction of many requests at once is to fit: what does not is written twice.
      if !readonly { try database.execute(sql: "PRAGMA cache_size = -8192") }
      LedgerTable.addFunction(to: database)
    }
    return configuration
  }
}

/// A new database with today's tables and nothing in them.
enum EmptyDatabase {
  /// Its file, which has a write-ahead log.
  static var bytes: [UInt8] {
    let file = cemptydatabase()
    // Part of the binary: the bytes are there for as long as the process is, and nobody changes them.
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }
}

/// The steps from an empty file to today's tables. A step once released never changes; a new version adds one.
enum Schema {
  static let steps: [String] = [version1, version2, version3, version4, version5]

  /// `PRAGMA user_version` of a database that this program wrote.
  static var version: Int { steps.count }
}
