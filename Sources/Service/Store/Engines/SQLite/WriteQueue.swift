import GRDB
import POSIX
import Synchronization

/// Runs changes to the database in order of arrival. All changes that are waiting share one transaction and one wait
/// for the disk.
///
/// While one transaction commits, further changes queue; the writer's thread then runs all waiting changes in one
/// transaction. When a change throws, the transaction is rolled back and run again with each change in a savepoint, so
/// that a failing change undoes only itself. A caller gets its result when its change is durable. A change that arrives
/// alone is not delayed.
///
/// If a transaction cannot begin, every caller gets the error. If a transaction fails later, as on a full disk, its
/// changes run again one by one, each in its own transaction: a change that needs more space than there is does not
/// fail the others.
final class WriteQueue: Sendable {
  /// The maximum number of changes in one transaction: other processes wait for as long as it takes.
  static let mostTogether = 256

  private let connection: DatabaseQueue
  private let thread: ThreadPool
  private let writeLock: FairWriteLock
  private let busyPolicy: BusyWait.Policy
  private let ground: DatabaseGround
  private let gate: OpenGate
  private let queue = Mutex(Queue())

  private struct Queue {
    var waiting: [QueuedWrite] = []
    /// True while the thread works on the changes or is about to.
    var isRunning = false

    /// Removes the longest prefix of changes that may share a transaction.
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
  ///   - thread: a pool of one thread.
  ///   - connection: used on `thread` only; `busyPolicy` controls how long it waits.
  ///   - writeLock: prevents this process from always writing first.
  ///   - ground: tells whether what is written has a name, and so lasts.
  init(
    connection: DatabaseQueue, busyPolicy: BusyWait.Policy, thread: ThreadPool, writeLock: FairWriteLock,
    ground: DatabaseGround, gate: OpenGate
  ) {
    self.ground = ground
    self.busyPolicy = busyPolicy
    self.connection = connection
    self.thread = thread
    self.writeLock = writeLock
    self.gate = gate
  }

  /// Runs `work` in a transaction that holds the write lock from its beginning, and returns when it is durable.
  /// - Parameters:
  ///   - isDurable: false for a change that need not survive a power failure.
  ///   - isAlone: true for a change that must see only durable data.
  ///   - givesWay: true for one of many long changes: other waiting processes write before the next one.
  ///   - work: may run again when the transaction fails.
  func run<Value: Sendable>(
    isDurable: Bool = true, isAlone: Bool = false, givesWay: Bool = false,
    _ work: @escaping @Sendable (any SQLSession) throws -> Value
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
      try connection.writeWithoutTransaction { database in
        try ground.check(database)
        run(writes, in: database)
      }
      if writes.contains(where: \.givesWay) { writeLock.endShare() }
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
      let attempts: [QueuedWrite.Attempt]
      do {
        attempts = try commit(writes, isIsolating: false, in: database)
      } catch is ChangeFailed {
        attempts = try commit(writes, isIsolating: true, in: database)
      }
      do {
        // What went into a file that has lost its name meanwhile is not promised.
        try ground.check(database)
      } catch {
        for write in writes { write.refuse(error) }
        return
      }
      for attempt in attempts { attempt.answer() }
    } catch let error as NotBegun {
      for write in writes { write.refuse(error.cause) }
    } catch {
      if writes.count == 1 { return writes[0].refuse(error) }
      for write in writes { run([write], in: database) }
    }
  }

  /// - Parameter isIsolating: whether each change has a savepoint. A savepoint takes a third of the time of a small
  ///   change, and hardly any change fails, so savepoints are used only after a failure.
  /// - Throws: when nothing was kept; ``ChangeFailed`` when one of several changes without a savepoint threw.
  private func commit(
    _ writes: [QueuedWrite], isIsolating: Bool, in database: Database
  ) throws -> [QueuedWrite.Attempt] {
    var attempts: [QueuedWrite.Attempt] = []
    try waitingForDisk(writes.contains(where: \.isDurable), in: database) {
      try inTransaction(database) {
        for write in writes {
          let attempt = write.attempt(database, isIsolating)
          // Some failures, such as a full disk, end the whole transaction.
          guard database.isInsideTransaction else {
            throw attempt.failure ?? DatabaseError(resultCode: .SQLITE_ABORT)
          }
          if let failure = attempt.failure, !isIsolating { throw writes.count == 1 ? failure : ChangeFailed() }
          attempts.append(attempt)
        }
      }
    }
    return attempts
  }

  private func inTransaction(_ database: Database, _ work: () throws -> Void) throws {
    if writeLock.goesOn {
      do {
        return try busyPolicy.withoutWaiting { try begin(database, work) }
      } catch let error as NotBegun where error.isBusy {
        // Another process took the write lock in between: it writes first.
      }
    }
    writeLock.enter()
    defer { writeLock.leave() }
    try begin(database) {
      writeLock.leave()
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

/// One caller's change to the database, waiting for a transaction that it may share with others.
struct QueuedWrite: Sendable {
  /// The result of the change, before it is durable.
  struct Attempt {
    /// The error of a failed change; nil when it succeeded.
    var failure: (any Error)?
    /// Delivers the value or the error to the caller, once the result is final.
    var answer: @Sendable () -> Void
  }

  /// False for a change that need not survive a power failure.
  var isDurable: Bool
  /// True for a change that must see only durable data, and so does not share its transaction.
  var isAlone: Bool
  /// True for one of many long changes: other waiting processes write before the next one.
  var givesWay: Bool
  /// Makes the change. A failed change undoes itself when isolated; otherwise the caller must undo it. May be called
  /// again when the transaction fails.
  let attempt: @Sendable (Database, _ isIsolated: Bool) -> Attempt
  /// Delivers an error to the caller instead.
  let refuse: @Sendable (any Error) -> Void

  init<Value: Sendable>(
    isDurable: Bool, isAlone: Bool, givesWay: Bool, continuation: CheckedContinuation<Value, any Error>,
    work: @escaping @Sendable (any SQLSession) throws -> Value
  ) {
    self.isDurable = isDurable
    self.isAlone = isAlone
    self.givesWay = givesWay
    attempt = { database, isIsolated in
      let result = Result { try isIsolated ? Self.undoing(work, in: database) : work(SQLiteSession(database)) }
      return switch result {
      case .success: Attempt { continuation.resume(with: result) }
      case .failure(let error): Attempt(failure: error) { continuation.resume(with: result) }
      }
    }
    refuse = { continuation.resume(throwing: $0) }
  }

  /// Runs `work`; when it throws, only its own changes are undone.
  private static func undoing<Value>(
    _ work: (any SQLSession) throws -> Value, in database: Database
  ) throws -> Value {
    var value: Value?
    try database.inSavepoint {
      value = try work(SQLiteSession(database))
      return .commit
    }
    guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return value
  }
}
