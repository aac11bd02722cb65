import AtelierProtocol
import GRDB
import Glibc
import POSIX

/// A database in a file that nobody uses yet, filled with the rows of another store.
enum DatabaseDraft {
  /// Makes the new file `path`, readable by its owner only, and makes it durable.
  /// - Parameter rows: what reads them, and tells how far it is.
  /// - Returns: what was written, compared with what was read.
  /// - Throws: a `FileFailure` when the disk is full or fails.
  static func write(
    to path: String, from source: any SQLSession, _ rows: TableCopy, random: @escaping @Sendable () -> UInt64
  ) throws -> TableCopy.Sums {
    // SQLite treats an empty file as a new database and keeps its permissions.
    try FileSystem.writeDurably([], to: path)
    do {
      let copied = try fill(path, from: source, rows, random: random)
      try BackupFile.sync(path)
      return copied
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR {
      let isFull = error.resultCode == .SQLITE_FULL || FileSystem.isFull(path)
      throw FileFailure(operation: "write to", path: path, code: isFull ? ENOSPC : EIO)
    }
  }

  /// Takes the steps from the version of a draft to the current one.
  static func bringUpToDate(_ path: String, random: @escaping @Sendable () -> UInt64) throws {
    try withConnection(to: path, random: random) { database in
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      try Migration.apply(SQLiteSchema.steps, from: version, to: database)
    }
  }

  /// Removes from a draft what Atelier does not make, see ``SchemaObjects``.
  /// - Returns: the names of what was removed or made anew.
  static func mendSchema(_ path: String, random: @escaping @Sendable () -> UInt64) throws -> [String] {
    let names = try withConnection(to: path, random: random, SchemaObjects.mend)
    if !names.isEmpty { try BackupFile.sync(path) }
    return names
  }

  private static func fill(
    _ path: String, from source: any SQLSession, _ rows: TableCopy, random: @escaping @Sendable () -> UInt64
  ) throws -> TableCopy.Sums {
    try withConnection(to: path, random: random) { database in
      try Migration.apply(SQLiteSchema.steps, from: 0, to: database)
      // Until it is complete, the file is nobody's: it need not survive a power failure.
      try database.execute(sql: "PRAGMA synchronous = OFF")
      var copied: TableCopy.Sums = [:]
      try database.inTransaction(.immediate) {
        let session = SQLiteSession(database)
        // Rules would change what is copied.
        let rules = try session.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
        for rule in rules { try session.run("DROP TRIGGER \(try rule.value("name", as: String.self))") }
        try session.run("DELETE FROM artifact_sum")
        copied = try rows.copy(from: source, into: session)
        for rule in rules { try database.execute(sql: try rule.value("sql", as: String.self)) }
        return .commit
      }
      try check(SQLiteSession(database), copied)
      return copied
    }
  }

  private static func check(_ session: SQLiteSession, _ copied: TableCopy.Sums) throws {
    if let table = try TableCopy().sums(of: session).firstDifference(from: copied) {
      throw StoreError(.failed, "The rows of \(table) are not in the file as they were read. Nothing was kept.")
    }
    try DatabaseFile.check(session)
  }

  private static func withConnection<Value>(
    to path: String, random: @escaping @Sendable () -> UInt64, _ work: (Database) throws -> Value
  ) throws -> Value {
    var configuration = ConnectionSettings.configuration(readonly: false, wait: BusyWait(random: random))
    // Rows may come before those that they refer to; the check looks for what is missing.
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    do {
      let value = try queue.writeWithoutTransaction(work)
      try queue.close()
      return value
    } catch {
      try? queue.close()
      throw error
    }
  }
}
