import AtelierProtocol
import GRDB
import JSON
import POSIX

extension Store {
  /// Runs `work` in one transaction that holds the write lock from its beginning and may include concurrent changes of
  /// other callers. Returns when it is durable.
  /// - Parameters:
  ///   - isDurable: false for a change that need not survive a power failure.
  ///   - isAlone: true for a change that must see only durable data.
  ///   - givesWay: true for one of many long changes: other waiting processes write before the next one.
  ///   - work: undone when it throws, and run again when its transaction fails.
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
      noteFault(in: error)
      throw atelierError(error)
    }
  }

  /// Runs `work` in one read-only transaction, in parallel with writers.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws(AtelierError) -> Value {
    do {
      return try await withReader(work)
    } catch {
      throw atelierError(error)
    }
  }

  /// Runs file work.
  /// - Parameter isUrgent: true for quick work, which does not wait behind slow work.
  func file<Value: Sendable>(
    isUrgent: Bool = false, _ work: @escaping @Sendable () throws -> Value
  ) async throws(AtelierError) -> Value {
    do {
      return try await withFiles(isUrgent: isUrgent, work)
    } catch {
      throw atelierError(error)
    }
  }

  /// The error for a caller: omits paths, statements and values, but includes the codes of SQLite and the system.
  func atelierError(_ error: any Error) -> AtelierError {
    switch error {
    case let error as AtelierError: error
    case let error as StoreError: error.atelierError
    case let failure as FileFailure: atelierError(failure)
    case let error as DatabaseError: atelierError(error)
    case let fault as StorageFault: fault.reason.atelierError
    default: AtelierError(.internal)
    }
  }

  private func atelierError(_ failure: FileFailure) -> AtelierError {
    var error = directory.unusable(failure).atelierError
    error.details["errno"] = .number(JSONNumber(Int64(failure.code)))
    return error
  }

  private func atelierError(_ failure: DatabaseError) -> AtelierError {
    var error: AtelierError =
      switch failure.resultCode {
      case .SQLITE_MISUSE: .storeClosed
      case _ where failure.isDamage: .storeDamaged
      default: directory.unusable(failure)?.atelierError ?? AtelierError(.internal)
      }
    error.details["sqlite"] = .number(JSONNumber(Int64(failure.extendedResultCode.rawValue)))
    return error
  }
}

extension Database {
  /// Throws SQLite's error for a damaged file, unless the last statement changed `count` rows. In a damaged file an
  /// index may name a row that its table does not have: a loop that deletes rows until it finds none would never end.
  func requireChanged(_ count: Int) throws {
    guard changesCount == count else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row that was found is not there")
    }
  }
}
