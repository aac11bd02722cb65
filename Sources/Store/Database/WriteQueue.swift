import GRDB
import Synchronization

/// Changes to the database, in order of arrival, as many to a transaction as wait for it: they share one wait for the
/// disk.
///
/// While one transaction commits, further changes queue; the writer's thread then runs all that wait in one
/// transaction. When one of them throws, all of it is undone and run again with each change in a savepoint, so that one
/// that throws undoes only itself. A caller hears of its change when it is durable. A change that comes alone is not
/// delayed.
///
/// A transaction that cannot be begun is everybody's error. One that comes to nothing later, as on a full disk, is run
/// again change by change, each in a transaction of its own: one that asks for more than there is does not take the
/// others along.
final class WriteQueue: Sendable {
  /// The most changes in one transaction: other processes wait for as long as it takes.
  static let mostTogether = 256

  /// Folders to be synced before the transaction that is being run commits.
  let folders: FolderSync
  private let connection: DatabaseQueue
  private let thread: BlockingQueue
  private let turnstile: FairWriteLock
  private let patience: BusyWait.Patience
  private let gate: OpenGate
  private let queue = Mutex(Queue())

  private struct Queue {
    var waiting: [QueuedWrite] = []
    /// True while the thread works on them or is about to.
    var isRunning = false

    /// The longest run of changes from the first on that may share a transaction.
    mutating func takeFirst() -> [QueuedWrite] {
      let end = waiting.prefix(mostTogether).firstIndex(where: \.isAlone) ?? min(waiting.count, mostTogether)
      let first = Array(waiting.prefix(max(end, 1)))
      waiting.removeFirst(first.count)
      return first
    }
  }

  /// A change that threw while it shared its transaction with others.
  private struct ChangeFailed: Error {}

  /// A transaction that could not be begun.
  private struct NotBegun: Error {
    var cause: any Error
    var isBusy: Bool { (cause as? DatabaseError)?.resultCode == .SQLITE_BUSY }
  }

  /// - Parameters:
  ///   - connection: used on `thread` only; it waits as `patience` says.
  ///   - turnstile: what keeps this process from going first every time.
  init(
    connection: DatabaseQueue, patience: BusyWait.Patience, thread: BlockingQueue, turnstile: FairWriteLock,
    folders: FolderSync, gate: OpenGate
  ) {
    self.patience = patience
    self.connection = connection
    self.folders = folders
    self.thread = thread
    self.turnstile = turnstile
    self.gate = gate
  }

  /// Runs `work` in a transaction that holds the write lock from its beginning, and returns when it is durable.
  /// - Parameters:
  ///   - isDurable: false for what need not survive a power failure.
  ///   - isAlone: true for what must see only what is durable.
  ///   - givesWay: true for one of many long changes: other processes that wait are let in before the next.
  ///   - work: may be run again, when the transaction came to nothing; what it does to files must allow that.
  func run<Value: Sendable>(
    isDurable: Bool = true, isAlone: Bool = false, givesWay: Bool = false,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let write = QueuedWrite(
        isDurable: isDurable, isAlone: isAlone, givesWay: givesWay, continuation: continuation, work: work)
      let mustStart = queue.withLock { queue in
        queue.waiting.append(write)
        defer { queue.isRunning = true }
        return !queue.isRunning
      }
      if mustStart { thread.start { self.runNext() } }
    }
  }

  /// How many changes wait for the next transaction.
  var count: Int { queue.withLock { $0.waiting.count } }

  private func runNext() {
    let writes = queue.withLock { $0.takeFirst() }
    do {
      try gate.check()
      connection.writeWithoutTransaction { run(writes, in: $0) }
      if writes.contains(where: \.givesWay) { turnstile.endTurn() }
    } catch {
      for write in writes { write.refuse(error) }
    }
    let goesOn = queue.withLock { queue in
      queue.isRunning = !queue.waiting.isEmpty
      return queue.isRunning
    }
    if goesOn { thread.start { self.runNext() } }
  }

  private func run(_ writes: [QueuedWrite], in database: Database) {
    do {
      do {
        for attempt in try commit(writes, isIsolating: false, in: database) { attempt.answer() }
      } catch is ChangeFailed {
        for attempt in try commit(writes, isIsolating: true, in: database) { attempt.answer() }
      }
    } catch let error as NotBegun {
      for write in writes { write.refuse(error.cause) }
    } catch {
      if writes.count == 1 { return writes[0].refuse(error) }
      for write in writes { run([write], in: database) }
    }
  }

  /// - Parameter isIsolating: whether each change has a savepoint. It takes a third of the time of a small change, and
  ///   hardly any change fails, so it is done only after one did.
  /// - Throws: when nothing of it was kept: ``ChangeFailed`` when one of several changes threw that had no savepoint.
  private func commit(
    _ writes: [QueuedWrite], isIsolating: Bool, in database: Database
  ) throws -> [QueuedWrite.Attempt] {
    var attempts: [QueuedWrite.Attempt] = []
    try waitingForDisk(writes.contains(where: \.isDurable), in: database) {
      try inTransaction(database) {
        for write in writes {
          let attempt = write.attempt(database, isIsolating)
          // Some failures, as for want of space, end the whole transaction.
          guard database.isInsideTransaction else {
            throw attempt.failure ?? DatabaseError(resultCode: .SQLITE_ABORT)
          }
          if let failure = attempt.failure, !isIsolating { throw writes.count == 1 ? failure : ChangeFailed() }
          attempts.append(attempt)
        }
        try folders.sync()
      }
    }
    return attempts
  }

  private func inTransaction(_ database: Database, _ work: () throws -> Void) throws {
    if turnstile.goesOn {
      do {
        return try patience.none { try begin(database, work) }
      } catch let error as NotBegun where error.isBusy {
        // Somebody else got in between: it is their turn.
      }
    }
    turnstile.enter()
    defer { turnstile.leave() }
    try begin(database) {
      turnstile.leave()
      try work()
    }
  }

  private func begin(_ database: Database, _ work: () throws -> Void) throws {
    var hasBegun = false
    do {
      try database.inTransaction(.immediate) {
        hasBegun = true
        try work()
        return .commit
      }
    } catch where !hasBegun {
      throw NotBegun(cause: error)
    }
  }

  private func waitingForDisk(_ isDurable: Bool, in database: Database, _ work: () throws -> Void) throws {
    if isDurable { return try work() }
    try database.execute(sql: "PRAGMA synchronous = NORMAL")
    let result = Result { try work() }
    try database.execute(sql: "PRAGMA synchronous = FULL")
    try result.get()
  }
}

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
