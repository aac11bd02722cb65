import AtelierProtocol
import GRDB
import JSONRPC

extension Store {
  /// Runs `work` in one transaction that holds the write lock from its beginning.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws(AtelierError) -> Value {
    do {
      return try await withWriter { database in try Self.transact(database, work) }
    } catch {
      throw atelierError(error)
    }
  }

  /// Runs `work` in one read-only transaction, beside whatever is being written.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws(AtelierError) -> Value {
    do {
      return try await withReader(work)
    } catch {
      throw atelierError(error)
    }
  }

  /// Runs work on files.
  func file<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws(AtelierError) -> Value {
    do {
      return try await withFiles(work)
    } catch {
      throw atelierError(error)
    }
  }

  static func transact<Value>(_ database: Database, _ work: (Database) throws -> Value) throws -> Value {
    var value: Value?
    try database.inTransaction(.immediate) {
      value = try work(database)
      return .commit
    }
    guard let value else { throw AtelierError.storeUnusable }
    return value
  }

  /// The error for a caller: paths, statements and values stay here; SQLite's and the system's codes go along.
  func atelierError(_ error: any Error) -> AtelierError {
    switch error {
    case let error as AtelierError: error
    case let error as StoreError: error.atelierError
    case let failure as FileFailure: atelierError(failure)
    case let error as DatabaseError: atelierError(error)
    default: .storeUnusable
    }
  }

  private func atelierError(_ failure: FileFailure) -> AtelierError {
    var error: AtelierError = failure.isStorageFull ? .storageFull : .storeUnusable
    error.details["errno"] = .number(JSONNumber(Int64(failure.code)))
    return error
  }

  private func atelierError(_ failure: DatabaseError) -> AtelierError {
    var error: AtelierError =
      switch failure.resultCode {
      case .SQLITE_FULL: .storageFull
      case .SQLITE_BUSY, .SQLITE_LOCKED: .storeBusy
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .storeDamaged
      case .SQLITE_MISUSE: .storeClosed
      case .SQLITE_IOERR where FileSystem.isFull(directory.path): .storageFull
      default: .storeUnusable
      }
    error.details["sqlite"] = .number(JSONNumber(Int64(failure.extendedResultCode.rawValue)))
    return error
  }
}
