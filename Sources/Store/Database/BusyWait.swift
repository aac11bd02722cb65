import GRDB
import Glibc
import POSIX
import Synchronization

/// How long and in which steps a connection waits while another process writes.
///
/// SQLite's own busy timeout backs off to 100 ms and starves the process that waits longest; short steps of random
/// length give every process its turn.
struct BusyWait: Sendable {
  /// The longest a statement waits, all steps together.
  static let limitMicroseconds: UInt32 = 10_000_000
  static let stepMicroseconds: ClosedRange<UInt32> = 200...3_000

  /// The number of steps of mean length that fit in the limit, so the bound needs no clock.
  static var mostTries: Int {
    Int(limitMicroseconds / ((stepMicroseconds.lowerBound + stepMicroseconds.upperBound) / 2))
  }

  /// Makes one connection wait only briefly, for work that may be left undone, or try more often.
  final class Policy: Sendable {
    private let isShort = Atomic<Bool>(false)
    private let isNext = Atomic<Bool>(false)
    private let hasNone = Atomic<Bool>(false)

    /// While `work` runs, a statement that would wait gives up after a tenth of a second.
    func waitingBriefly<Value>(_ work: () throws -> Value) rethrows -> Value {
      isShort.store(true, ordering: .relaxed)
      defer { isShort.store(false, ordering: .relaxed) }
      return try work()
    }

    /// While `work` runs, a statement that would wait gives up at once.
    func withoutWaiting<Value>(_ work: () throws -> Value) rethrows -> Value {
      hasNone.store(true, ordering: .relaxed)
      defer { hasNone.store(false, ordering: .relaxed) }
      return try work()
    }

    /// Sets whether this connection is next among all processes: it then tries more often, because no other one does.
    func beNext(_ isNext: Bool) { self.isNext.store(isNext, ordering: .relaxed) }

    var mostTries: Int {
      if hasNone.load(ordering: .relaxed) { return 0 }
      return (isShort.load(ordering: .relaxed) ? BusyWait.mostTries / 100 : BusyWait.mostTries) * looksPerStep
    }

    /// The number of parts a step is divided into. More parts would slow down the process that writes.
    var looksPerStep: Int { isNext.load(ordering: .relaxed) ? 2 : 1 }
  }

  var random: @Sendable () -> UInt64
  var policy = Policy()

  /// For GRDB: sleeps one step; returns false when the wait has been long enough. Called on the connection's own
  /// thread.
  var mode: Database.BusyMode {
    .callback { [random, policy] tries in
      guard tries < policy.mostTries else { return false }
      usleep(Self.step(random()) / UInt32(policy.looksPerStep))
      return true
    }
  }

  static func goesOn(after tries: Int) -> Bool { tries < mostTries }

  static func step(_ random: UInt64) -> UInt32 {
    let width = UInt64(stepMicroseconds.upperBound - stepMicroseconds.lowerBound + 1)
    return stepMicroseconds.lowerBound + UInt32(random % width)
  }
}

/// A lock on which processes queue for SQLite's write lock.
///
/// Without it, a process with many changes would begin its next transaction before the processes that wait for its last
/// one try again. So every process takes this lock before it asks for SQLite's write lock, and releases it once it has
/// SQLite's: the holder waits for the running transaction, and the process that runs it cannot overtake.
///
/// A handover is expensive: the next process must notice it and read changed data again. So a process that has queued
/// may write again for a while without queueing, as long as no other process gets in between.
///
/// This lock only provides fairness: SQLite's own lock keeps writers apart. A process that waits here too long, or on a
/// file system without such locks, continues without this lock. Used on the writer's thread only.
final class FairWriteLock: Sendable {
  private let descriptor: Int32
  private let wait: BusyWait
  /// The time until which this process may write without queueing.
  private let turnEnd = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter path: a directory that all processes share.
  init(path: String, wait: BusyWait) throws(FileFailure) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open the directory", path: path, code: errno) }
    self.wait = wait
  }

  deinit { close(descriptor) }

  /// Whether the process may try to write again without queueing.
  var goesOn: Bool { turnEnd.withLock { $0.map { .now < $0 } ?? false } }

  /// Makes the process queue before its next write, so that waiting processes come first.
  func endTurn() { turnEnd.withLock { $0 = nil } }

  func enter() {
    defer { turnEnd.withLock { $0 = .now + Self.turn } }
    for _ in 0..<wait.policy.mostTries {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return wait.policy.beNext(true) }
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      usleep(BusyWait.step(wait.random()) / Self.looksPerStep)
    }
  }

  func leave() {
    wait.policy.beNext(false)
    flock(descriptor, LOCK_UN)
  }

  /// How long a process may write after it has queued once. A waiting process waits this long for each one ahead of it.
  private static let turn = Duration.milliseconds(40)

  /// No process holds this lock for long, so frequent tries cost less than a late one. All tries together take a tenth
  /// of the longest wait for SQLite's lock.
  private static let looksPerStep: UInt32 = 10
}
