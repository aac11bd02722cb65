import POSIX
import Synchronization

/// Runs changes to the database in order of arrival. All changes that are waiting share one transaction and one wait
/// until it is durable.
///
/// While one transaction commits, further changes queue; the writer's thread then runs all waiting changes in one
/// transaction. A change that arrives alone is not delayed. How a transaction runs, and what becomes of the others when one
/// change fails, is the engine's affair: see ``WritingConnection``.
final class WriteQueue: Sendable {
  /// The maximum number of changes in one transaction: other processes wait for as long as it takes.
  static let mostTogether = 256

  private let connection: any WritingConnection
  let thread: ThreadPool
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

  /// - Parameters:
  ///   - connection: used on `thread` only.
  ///   - thread: a pool of one thread.
  init(connection: any WritingConnection, thread: ThreadPool, gate: OpenGate) {
    self.connection = connection
    self.thread = thread
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
      enqueue(
        QueuedWrite(isDurable: isDurable, isAlone: isAlone, givesWay: givesWay) {
          .init { QueuedWrite.attempt(work, in: $0, answering: continuation) }
        } refuse: {
          continuation.resume(throwing: $0)
        })
    }
  }

  /// Runs a change as ``run(isDurable:isAlone:givesWay:_:)`` does, but together with what other changes read.
  /// - Parameter prepare: what is to be done; asked again when the transaction fails.
  func run<Value: Sendable>(
    isDurable: Bool = true, foreseeing prepare: @escaping @Sendable () -> ForeseenChange<Value>
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      enqueue(
        QueuedWrite(isDurable: isDurable, isAlone: false, givesWay: false) {
          let change = prepare()
          return .init(foresight: change.foresight) {
            QueuedWrite.attempt(change.work, in: $0, answering: continuation)
          }
        } refuse: {
          continuation.resume(throwing: $0)
        })
    }
  }

  private func enqueue(_ write: QueuedWrite) {
    let mustStart = queue.withLock { queue in
      queue.waiting.append(write)
      defer { queue.isRunning = true }
      return !queue.isRunning
    }
    if mustStart { thread.start { self.runNext() } }
  }

  /// How many changes wait for the next transaction.
  var count: Int { queue.withLock { $0.waiting.count } }

  private func runNext() {
    let writes = queue.withLock { $0.takeFirst() }
    do {
      try gate.check()
      try connection.run(writes)
    } catch {
      for write in writes { write.refuse(error) }
    }
    let goesOn = queue.withLock { queue in
      queue.isRunning = !queue.waiting.isEmpty
      return queue.isRunning
    }
    if goesOn { thread.start { self.runNext() } }
  }
}

/// The connection of an engine over which a ``WriteQueue`` writes.
protocol WritingConnection: Sendable {
  /// Runs changes in one transaction and answers each when it is durable.
  ///
  /// A change that throws is undone, and so are no others. If a transaction fails later than its beginning, its changes run
  /// again one by one: a change that needs more space than there is does not fail the others.
  /// - Throws: when nothing could be begun, and none was answered.
  func run(_ writes: [QueuedWrite]) throws
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
  /// What is changed; asked anew by each transaction that tries it.
  let change: @Sendable () -> Change
  /// Delivers an error to the caller instead.
  let refuse: @Sendable (any Error) -> Void

  /// A change as one transaction makes it.
  struct Change {
    /// What it reads first; nil where this is not known before.
    var foresight: Foresight?
    /// Makes it. Who calls this undoes it when it has failed.
    var attempt: (any SQLSession) -> Attempt
  }

  static func attempt<Value: Sendable>(
    _ work: (any SQLSession) throws -> Value, in session: any SQLSession,
    answering continuation: CheckedContinuation<Value, any Error>
  ) -> Attempt {
    let result = Result { try work(session) }
    return switch result {
    case .success: Attempt { continuation.resume(with: result) }
    case .failure(let error): Attempt(failure: error) { continuation.resume(with: result) }
    }
  }
}
