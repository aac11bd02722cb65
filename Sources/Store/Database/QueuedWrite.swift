import GRDB

/// One caller's change to the database, on its way to a transaction that it may share with others.
struct QueuedWrite: Sendable {
  /// What the change came to, before it is durable.
  struct Attempt {
    /// Why it did not happen; nil when it did.
    var failure: (any Error)?
    /// Gives the caller its value or its failure, now that this is how it stays.
    var answer: @Sendable () -> Void
  }

  /// False for what need not survive a power failure.
  var isDurable: Bool
  /// True for what must see only what is durable, and so shares its transaction with nobody.
  var isAlone: Bool
  /// True for one of many long changes: other processes that wait are let in before the next.
  var givesWay: Bool
  /// Makes the change; isolated, it leaves everything as it was when it fails, otherwise the caller has to undo it. May
  /// be called again when the transaction came to nothing.
  let attempt: @Sendable (Database, _ isIsolated: Bool) -> Attempt
  /// Gives the caller an error instead.
  let refuse: @Sendable (any Error) -> Void

  init<Value: Sendable>(
    isDurable: Bool, isAlone: Bool, givesWay: Bool, continuation: CheckedContinuation<Value, any Error>,
    work: @escaping @Sendable (Database) throws -> Value
  ) {
    self.isDurable = isDurable
    self.isAlone = isAlone
    self.givesWay = givesWay
    attempt = { database, isIsolated in
      let result = Result { try isIsolated ? Self.undoing(work, in: database) : work(database) }
      return switch result {
      case .success: Attempt { continuation.resume(with: result) }
      case .failure(let error): Attempt(failure: error) { continuation.resume(with: result) }
      }
    }
    refuse = { continuation.resume(throwing: $0) }
  }

  /// Runs `work`; when it throws, what it changed is undone and nothing else.
  private static func undoing<Value>(_ work: (Database) throws -> Value, in database: Database) throws -> Value {
    var value: Value?
    try database.inSavepoint {
      value = try work(database)
      return .commit
    }
    guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return value
  }
}
