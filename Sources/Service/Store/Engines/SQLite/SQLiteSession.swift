import AtelierProtocol
import GRDB
import Glibc
import JSON
import POSIX
import struct Foundation.Data

/// A connection of SQLite inside a transaction.
struct SQLiteSession: SQLSession {
  let database: Database

  init(_ database: Database) { self.database = database }

  func rows(_ text: String, _ values: SQLValues) throws -> [SQLRow] {
    let statement = try database.cachedStatement(sql: text)
    let cursor = try Row.fetchCursor(statement, arguments: StatementArguments(values.values.map(\.databaseValue)))
    let columns = SQLColumns(statement.columnNames)
    var rows: [SQLRow] = []
    while let row = try cursor.next() {
      rows.append(SQLRow(columns: columns, values: row.databaseValues.map(SQLValue.init)))
    }
    return rows
  }

  func change(_ text: String, _ values: SQLValues) throws -> Int {
    try run(text, values)
    return database.changesCount
  }

  func run(_ text: String, _ values: SQLValues) throws {
    try database.cachedStatement(sql: text).execute(arguments: StatementArguments(values.values.map(\.databaseValue)))
  }

  /// Every answer is as near as any other.
  func prefetch(_ queries: @autoclosure () throws -> [SQLQuery]) {}
  func note(_ answer: [SQLRow], to query: SQLQuery) {}

  /// One transaction writes at a time, from its beginning.
  func lock(_ lock: SQLLock) {}
}

extension SQLValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .bytes(let bytes): Data(bytes).databaseValue
    }
  }

  init(_ value: DatabaseValue) {
    self =
      switch value.storage {
      case .null: .null
      case .int64(let number): .integer(number)
      case .double(let number): .real(number)
      case .string(let text): .text(text)
      case .blob(let data): .bytes([UInt8](data))
      }
  }
}

// MARK: Errors

/// What an error of SQLite says about the machine: the one place where SQLite's codes are told apart.
extension DataDirectory {
  /// - Returns: nil when it says nothing about the machine, because the statement itself is at fault.
  func unusable(_ error: DatabaseError) -> StoreError? {
    if error.isOfTheStatement { return nil }
    let path = database
    switch error.resultCode {
    case .SQLITE_NOTADB:
      return StoreError(
        .foreignDatabase,
        "\(path) is not a database. Move it away, put a backup in its place, or choose another directory with "
          + "--data-dir.")
    case .SQLITE_CORRUPT:
      return StoreError(
        .damagedDatabase,
        "\(path) is damaged (\(error.message ?? "no detail")). \(adviceForCopies)Keep a copy of the directory, then put a "
          + "backup in its place, or save what can be read with: sqlite3 '\(path)' .recover")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return StoreError(.busy, "Another process keeps \(path) locked. Try again when it is done.")
    case .SQLITE_FULL: return full
    // SQLite does not say why it could not open or use a file.
    case _ where FileSystem.hasNoFreeDescriptor:
      return unusable(FileFailure(operation: "open", path: path, code: EMFILE))
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      return StoreError(
        .directoryUnusable,
        "\(path) cannot be opened for writing. Give your user the right to, or choose another directory with "
          + "--data-dir.")
    case _ where FileSystem.isFull(self.path): return full
    case .SQLITE_IOERR:
      return StoreError(
        .directoryUnusable,
        "\(path) cannot be read or written (\(error.extendedResultCode): \(error.message ?? "no detail")). Look at the "
          + "system's log: the disk or its connection may fail.")
    default: return unopened("\(error.extendedResultCode): \(error.message ?? "no detail")")
    }
  }

  func unopened(_ detail: String) -> StoreError {
    StoreError(.failed, "\(database) could not be used (\(detail)).")
  }

  private var full: StoreError {
    StoreError(.storageFull, "The disk of \(database) is full. Free some space.")
  }

  /// Advice for a damaged database with a log beside it: the database may have been copied there by hand.
  var adviceForCopies: String {
    guard let log = try? FileStatus(path: "\(database)-wal"), log.bytes > 0 else { return "" }
    return "If it was copied here by hand over another one, the log beside it belongs to that one: put the copy in its "
      + "place again after mv '\(database)-wal' '\(database)-shm' /tmp. Otherwise: "
  }
}

extension DatabaseError {
  /// Whether the error means a damaged file.
  var isDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }

  /// Whether the statement or its caller is at fault, and not the machine: repeating it fails in the same way.
  ///
  /// These are listed, and every other code means the machine: a code that nobody has thought of must not cost a picture
  /// that is paid for.
  var isOfTheStatement: Bool {
    switch resultCode {
    case .SQLITE_ERROR, .SQLITE_INTERNAL, .SQLITE_ABORT, .SQLITE_INTERRUPT, .SQLITE_SCHEMA, .SQLITE_TOOBIG,
      .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_MISUSE, .SQLITE_FORMAT, .SQLITE_RANGE:
      true
    default: false
    }
  }
}

/// What an error of SQLite means.
enum SQLiteError {
  /// Nil for an error of something else.
  static func fault(_ error: any Error, in directory: DataDirectory) -> EngineFault? {
    guard let failure = failure(error) else { return nil }
    let reason = directory.unusable(failure)
    var wireError: AtelierError =
      switch failure.resultCode {
      case .SQLITE_MISUSE: .storeClosed
      case _ where failure.isDamage: .storeDamaged
      default: reason?.atelierError ?? AtelierError(.internal)
      }
    wireError.details["sqlite"] = .number(JSONNumber(Int64(failure.extendedResultCode.rawValue)))
    return EngineFault(
      reason: reason, wireError: wireError, isDamage: failure.isDamage,
      message: failure.message ?? "\(failure.resultCode)")
  }

  /// The error as SQLite would have it; nil for an error of something else.
  private static func failure(_ error: any Error) -> DatabaseError? {
    switch error {
    case let error as DatabaseError: error
    case SQLFault.damaged(let detail): DatabaseError(resultCode: .SQLITE_CORRUPT, message: detail)
    default: nil
    }
  }
}
