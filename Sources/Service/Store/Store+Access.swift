import AtelierProtocol
import JSON
import POSIX

extension Store {
  /// Runs `work` in one transaction that holds the write lock from its beginning and may include concurrent changes of
  /// other callers. Returns when it is durable.
  /// - Parameters:
  ///   - isDurable: false for a change that need not survive a power failure.
  ///   - isAlone: true for a change that must see only durable data.
  ///   - givesWay: true for one of many long changes: other waiting processes write before the next one.
  ///   - isOfResult: whether it keeps a result.
  ///   - work: undone when it throws, and run again when its transaction fails, or to try whether it succeeds now.
  func write<Value: Sendable>(
    isDurable: Bool = true, isAlone: Bool = false, givesWay: Bool = false, isOfResult: Bool = false,
    _ work: @escaping @Sendable (any SQLSession) throws -> Value
  ) async throws(AtelierError) -> Value {
    do {
      return try await engine.writes.run(isDurable: isDurable, isAlone: isAlone, givesWay: givesWay) { [self] session in
        try observed(session) { session in
          try noteTime(in: session)
          return try work(session)
        }
      }
    } catch {
      noteFault(in: error, of: { _ = try work($0) }, isOfResult: isOfResult)
      throw atelierError(error)
    }
  }

  /// Runs a change as ``write(isDurable:isAlone:givesWay:_:)`` does. What it reads is asked together with what others do.
  /// - Parameters:
  ///   - isOfResult: whether it keeps a result.
  ///   - prepare: what is to be done; asked again when its transaction fails, or to try whether it succeeds now.
  func write<Value: Sendable>(
    isDurable: Bool = true, isOfResult: Bool = false, foreseeing prepare: @escaping @Sendable () -> ForeseenChange<Value>
  ) async throws(AtelierError) -> Value {
    do {
      return try await engine.writes.run(isDurable: isDurable, foreseeing: { [self] in
        let change = prepare()
        return ForeseenChange(foresight: change.foresight) { [self] session in
          try observed(session) { session in
            try noteTime(in: session)
            return try change.work(session)
          }
        }
      })
    } catch {
      noteFault(in: error, of: { _ = try prepare().work($0) }, isOfResult: isOfResult)
      throw atelierError(error)
    }
  }

  /// Runs a change to generations as ``write(isDurable:isAlone:givesWay:_:)`` does. What it reads is asked together with
  /// what others do.
  func write<Value: Sendable>(
    isDurable: Bool = true, to ids: [GenerationID], reading queries: @escaping @Sendable () throws -> [SQLQuery],
    _ work: @escaping @Sendable (any SQLSession) throws -> Value
  ) async throws(AtelierError) -> Value {
    let foresight = Foresight(subjects: Set(ids.map(\.rawValue)), queries: queries)
    return try await write(isDurable: isDurable, foreseeing: { ForeseenChange(foresight: foresight, work: work) })
  }

  /// Runs `work` in one read-only transaction, in parallel with writers.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable (any SQLSession) throws -> Value
  ) async throws(AtelierError) -> Value {
    do {
      return try await engine.read { [self] session in try observed(session, work) }
    } catch {
      // A server that lets nobody read will not let a picture be recorded, which takes more than one connection.
      if isOnServer { noteFault(in: error) }
      throw atelierError(error)
    }
  }

  private func observed<Value>(
    _ session: any SQLSession, _ work: (any SQLSession) throws -> Value
  ) throws -> Value {
    guard let observer = observer.withLock(\.self) else { return try work(session) }
    return try observer.observe(session, work)
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
    case let refusal as LedgerRefusal: refusal.atelierError
    case let fault as StorageFault: fault.reason.atelierError
    default: engine.fault(error)?.wireError ?? AtelierError(.internal)
    }
  }

  private func atelierError(_ failure: FileFailure) -> AtelierError {
    var error = directory.unusable(failure).atelierError
    error.details["errno"] = .number(JSONNumber(Int64(failure.code)))
    return error
  }
}
