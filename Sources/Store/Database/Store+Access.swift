import AtelierProtocol
import GRDB
import JSON
import POSIX

extension Store {
  /// Runs `work` in one transaction that holds the write lock from its beginning; what others write at this moment may
  /// be part of it. Returns when it is durable.
  /// - Parameters:
  ///   - isDurable: false for what need not survive a power failure.
  ///   - isAlone: true for what must see only what is durable.
  ///   - givesWay: true for one of many long changes: other processes that wait are let in before the next.
  ///   - work: undone when it throws, and run again when the transaction it was part of came to nothing.
  func write<Value: Sendable>(
    isDurable: Bool = true, isAlone: Bool = false, givesWay: Bool = false,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws(AtelierError) -> Value {
    do {
      return try await writes.run(isDurable: isDurable, isAlone: isAlone, givesWay: givesWay) { [self] database in
        try noteTime(in: database)
        return try work(database)
      }
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
  /// - Parameter isUrgent: true for what is quick and does not wait behind what is not.
  func file<Value: Sendable>(
    isUrgent: Bool = false, _ work: @escaping @Sendable () throws -> Value
  ) async throws(AtelierError) -> Value {
    do {
      return try await withFiles(isUrgent: isUrgent, work)
    } catch {
      throw atelierError(error)
    }
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

extension Database {
  /// Throws as SQLite does for a damaged file, unless the last statement changed `count` rows. In a damaged file an index
  /// may name a row that its table does not have: who deletes what is found until nothing is found would never end.
  func requireChanged(_ count: Int) throws {
    guard changesCount == count else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row that was found is not there")
    }
  }
}
