import GRDB
import Glibc
import POSIX

/// Files of databases that no process works with.
enum BackupFile {
  /// Copies one moment of the database into the new file `path`, readable by its owner only, and makes it durable;
  /// concurrent writers do not wait.
  /// - Parameter live: outside of any transaction.
  static func copyDatabase(_ live: any SQLSession, to path: String) throws {
    // SQLite treats an empty file as a new database and keeps its permissions.
    try FileSystem.writeDurably([], to: path)
    do {
      try live.run("VACUUM INTO ?", [path])
    } catch let error as DatabaseError where !error.isDamage {
      let isFull = error.resultCode == .SQLITE_FULL || FileSystem.isFull(path)
      throw FileFailure(operation: "write to", path: path, code: isFull ? ENOSPC : EIO)
    }
    try sync(path)
  }

  /// Makes a file durable that was written by another library.
  static func sync(_ path: String) throws(FileFailure) {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open", path: path, code: errno) }
    defer { close(descriptor) }
    try FileSystem.sync(descriptor, path: path)
  }

  /// Runs `work` with a read-only connection to the database in a file, in one transaction.
  static func read<Value>(
    _ path: String, random: @escaping @Sendable () -> UInt64, _ work: (any SQLSession) throws -> Value
  ) throws -> Value {
    let queue = try DatabaseQueue(
      path: path, configuration: ConnectionSettings.configuration(readonly: true, wait: BusyWait(random: random)))
    do {
      let value = try queue.read { try work(SQLiteSession($0)) }
      try queue.close()
      return value
    } catch {
      try? queue.close()
      throw error
    }
  }

  /// What the header of a database says: which program's it is, and the version of its schema.
  static func identity(in session: any SQLSession) throws -> (application: Int32, version: Int) {
    let application = try session.value("PRAGMA application_id", as: Int.self) ?? 0
    let version = try session.value("PRAGMA user_version", as: Int.self) ?? 0
    return (Int32(truncatingIfNeeded: application), version)
  }

  /// What became of the log beside a database.
  enum FoldedLog {
    /// The database has all changes and needs no log.
    case folded
    /// The database is too damaged for that.
    case damaged
    /// Another program works with the database.
    case inUse
  }

  /// Writes all changes from its log into the database in a file.
  static func foldLog(into path: String) -> FoldedLog {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let mode = try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
      return mode == "delete" ? .folded : .inUse
    } catch let error as DatabaseError where error.resultCode != .SQLITE_BUSY && error.resultCode != .SQLITE_LOCKED {
      return .damaged
    } catch {
      return .inUse
    }
  }
}
