import GRDB
import Glibc
import POSIX

/// Opens the history database, and creates or migrates it under a lock when needed.
struct DatabaseOpening {
  var directory: DataDirectory
  var random: @Sendable () -> UInt64

  /// How long the writing connection waits for locks.
  let busyPolicy = BusyWait.Policy()

  /// What the file header says about the database.
  private struct Identity {
    var application: Int32 = 0
    var version = 0
    var isEmpty = true
    var isWriteAheadLog = false
  }

  /// - Returns: the writing connection; the database is at the current version.
  func writer() throws(StoreError) -> DatabaseQueue {
    let wait = BusyWait(random: random, policy: busyPolicy)
    do {
      if try FileStatus(path: directory.database) == nil { try underLock(create) }
      try LogOrigin.check(directory)
      let writer = try DatabaseQueue(
        path: directory.database, configuration: ConnectionSettings.configuration(readonly: false, wait: wait))
      if try !isCurrent(writer) { try underLock { try bringUpToDate(writer) } }
      return writer
    } catch {
      throw storeError(error)
    }
  }

  /// - Returns: a read-only connection.
  func reader() throws(StoreError) -> DatabaseQueue {
    let wait = BusyWait(random: random)
    do {
      return try DatabaseQueue(
        path: directory.database, configuration: ConnectionSettings.configuration(readonly: true, wait: wait))
    } catch {
      throw storeError(error)
    }
  }

  /// Runs `work` in one transaction that has the write lock from its beginning.
  func whileLocked<Value>(_ work: (any SQLSession) throws -> Value) throws -> Value {
    let queue = try writer()
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { database in
      var value: Value?
      try database.inTransaction(.immediate) {
        value = try work(SQLiteSession(database))
        return .commit
      }
      guard let value else { throw directory.unopened("the transaction has no outcome") }
      return value
    }
  }

  /// SQLite gives its -wal and -shm files the permissions of the database file, so the file gets the right permissions
  /// before SQLite opens it. The file is closed before any connection opens it: closing a file drops all locks that the
  /// process holds on it.
  private func create() throws {
    // Another process may have created the file meanwhile.
    guard try FileStatus(path: directory.database) == nil else { return }
    // Logs left by a deleted database must not be applied to this one.
    for file in directory.logs { try FileSystem.remove(file) }
    do {
      try FileSystem.writeDurably([], to: directory.database)
    } catch {
      // A database that was moved here meanwhile stays.
      guard error.code == EEXIST else { throw error }
    }
    try FileSystem.syncDirectory(directory.path)
  }

  /// - Throws: a ``StoreError`` for a database that is foreign or too new, which is left unchanged.
  private func isCurrent(_ writer: DatabaseQueue) throws -> Bool {
    let identity = try writer.writeWithoutTransaction(identity)
    guard identity.application != SQLiteSchema.unreleasedApplicationID else { throw unreleased }
    if identity.version > Schema.version { throw Self.newer(directory.database, version: identity.version) }
    if identity.application == SQLiteSchema.applicationID && identity.version > 0 {
      return identity.version == Schema.version && identity.isWriteAheadLog
    }
    guard identity.application == 0, identity.version == 0, identity.isEmpty else { throw foreign }
    return false
  }

  /// Reads in one transaction, because another process may be migrating the database at this moment.
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

  /// All steps and the version number are written in one transaction: a step that fails leaves the database unchanged.
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
      try Migration.apply(SQLiteSchema.steps, from: version, to: database)
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

  static func newer(_ path: String, version: Int) -> StoreError {
    StoreError(
      .newerDatabase,
      "\(path) was written by a newer version of Atelier (its schema is \(version), this one knows \(Schema.version)). "
        + "Install the newer version, restore a backup that was made before the upgrade (`atelier restore`), or choose "
        + "another directory with --data-dir.")
  }

  private var unreleased: StoreError {
    StoreError(
      .foreignDatabase,
      "\(directory.database) is of a development version of Atelier, before 0.1.0, and this version cannot read it. With "
        + "that version, `atelier export FOLDER --account '*'` saves the pictures; keep the directory or its "
        + "`atelier backup`, and choose another directory with --data-dir.")
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
    case let error as DatabaseError: directory.unusable(error) ?? directory.unopened("\(error)")
    default: directory.unopened("\(error)")
    }
  }
}

/// Migrates a database from its version to the latest.
enum Migration {
  /// Runs the steps after `version` and sets the version number, in one transaction: if the last step fails, the
  /// earlier ones are rolled back too.
  static func apply(_ steps: [String], from version: Int, to database: Database) throws {
    guard version < steps.count else { return }
    try database.inTransaction(.immediate) {
      for step in steps.dropFirst(version) { try database.execute(sql: step) }
      try database.execute(
        sql: """
          PRAGMA application_id = \(SQLiteSchema.applicationID);
          PRAGMA user_version = \(steps.count);
          """)
      return .commit
    }
  }
}

/// How every connection to the database is set up.
enum ConnectionSettings {
  static func configuration(readonly: Bool, wait: BusyWait) -> Configuration {
    var configuration = Configuration()
    configuration.label = readonly ? "atelier.store.reader" : "atelier.store.writer"
    configuration.readonly = readonly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .callback { wait.wait(after: $0) }
    configuration.prepareDatabase { database in
      // WAL itself is a property of the file. `recursive_triggers` makes INSERT OR REPLACE fire the triggers that
      // forbid deletion; `secure_delete` overwrites deleted data, because a deleted prompt must be gone.
      try database.execute(
        sql: """
          PRAGMA synchronous = FULL;
          PRAGMA recursive_triggers = ON;
          PRAGMA cell_size_check = ON;
          PRAGMA trusted_schema = OFF;
          PRAGMA secure_delete = ON;
          PRAGMA temp_store = MEMORY;
          """)
      // A transaction of many concurrent requests must fit in the cache: pages that do not fit are written twice.
      if !readonly { try database.execute(sql: "PRAGMA cache_size = -8192") }
      LedgerTable.addFunctions(to: database)
    }
    return configuration
  }
}

extension LedgerTable {
  /// Registers ``function`` and ``DeletedAccount/function`` with a connection.
  static func addFunctions(to database: Database) {
    database.add(
      function: DatabaseFunction(function, argumentCount: nil, pure: true) { values in hash(values.map { SQLValue($0) }) })
    database.add(
      function: DatabaseFunction(DeletedAccount.function, argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map { DeletedAccount.digest(of: $0) }
      })
  }
}
