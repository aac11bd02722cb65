import GRDB
import Glibc
import POSIX
import Synchronization

/// How long and in which steps a connection waits while another process writes.
///
/// SQLite's own busy timeout backs off to 100 ms and starves whoever waits longest; short steps of random length give
/// every process its turn.
struct BusyWait: Sendable {
  /// The longest a statement waits, all steps together.
  static let limitMicroseconds: UInt32 = 10_000_000
  static let stepMicroseconds: ClosedRange<UInt32> = 200...3_000

  /// Half the sum of the shortest and the longest step is the mean, so the bound needs no clock.
  static var mostTries: Int {
    Int(limitMicroseconds / ((stepMicroseconds.lowerBound + stepMicroseconds.upperBound) / 2))
  }

  /// Lets one connection be told to wait briefly, for what can as well be left undone, or to look often.
  final class Patience: Sendable {
    private let isShort = Atomic<Bool>(false)
    private let isNext = Atomic<Bool>(false)
    private let hasNone = Atomic<Bool>(false)

    /// While `work` runs, a statement that would wait gives up after a tenth of a second.
    func short<Value>(_ work: () throws -> Value) rethrows -> Value {
      isShort.store(true, ordering: .relaxed)
      defer { isShort.store(false, ordering: .relaxed) }
      return try work()
    }

    /// While `work` runs, a statement that would wait gives up at once.
    func none<Value>(_ work: () throws -> Value) rethrows -> Value {
      hasNone.store(true, ordering: .relaxed)
      defer { hasNone.store(false, ordering: .relaxed) }
      return try work()
    }

    /// Whether this connection is the next of all processes: it looks more often then, for no other one does.
    func beNext(_ isNext: Bool) { self.isNext.store(isNext, ordering: .relaxed) }

    var mostTries: Int {
      if hasNone.load(ordering: .relaxed) { return 0 }
      return (isShort.load(ordering: .relaxed) ? BusyWait.mostTries / 100 : BusyWait.mostTries) * looksPerStep
    }

    /// Into how many parts a step is cut. More would take from the one that writes what it needs to be done.
    var looksPerStep: Int { isNext.load(ordering: .relaxed) ? 2 : 1 }
  }

  var random: @Sendable () -> UInt64
  var patience = Patience()

  /// For GRDB: sleeps one step; false when the wait has been long enough. Called on the connection's own thread.
  var mode: Database.BusyMode {
    .callback { [random, patience] tries in
      guard tries < patience.mostTries else { return false }
      usleep(Self.step(random()) / UInt32(patience.looksPerStep))
      return true
    }
  }

  static func goesOn(after tries: Int) -> Bool { tries < mostTries }

  static func step(_ random: UInt64) -> UInt32 {
    let width = UInt64(stepMicroseconds.upperBound - stepMicroseconds.lowerBound + 1)
    return stepMicroseconds.lowerBound + UInt32(random % width)
  }
}

/// Where processes queue for the right to write next.
///
/// A process with much to do would begin its next transaction before those that wait for the end of the last have
/// looked again. So everybody enters here before asking for SQLite's write lock and leaves when it has it: whoever is
/// in waits for the transaction that runs, and the process that runs it cannot get past.
///
/// Handing over costs: the next process has to notice, and to read again what has changed. So whoever has queued may
/// write again for a while without queueing, as long as nobody else gets in between.
///
/// This is courtesy and no more: SQLite's own lock is what keeps writers apart, and one who is kept waiting here for
/// too long, or where the file system has no such locks, goes on without. Used on the writer's thread only.
final class FairWriteLock: Sendable {
  private let descriptor: Int32
  private let wait: BusyWait
  /// Until when this process may write without queueing.
  private let turnEnd = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter path: a directory that all processes share.
  init(path: String, wait: BusyWait) throws(FileFailure) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open the directory", path: path, code: errno) }
    self.wait = wait
  }

  deinit { close(descriptor) }

  /// Whether the process may try to write once more without queueing again.
  var goesOn: Bool { turnEnd.withLock { $0.map { .now < $0 } ?? false } }

  /// The process queues before it writes again, so that whoever waits comes first.
  func endTurn() { turnEnd.withLock { $0 = nil } }

  func enter() {
    defer { turnEnd.withLock { $0 = .now + Self.turn } }
    for _ in 0..<wait.patience.mostTries {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return wait.patience.beNext(true) }
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      usleep(BusyWait.step(wait.random()) / Self.looksPerStep)
    }
  }

  func leave() {
    wait.patience.beNext(false)
    flock(descriptor, LOCK_UN)
  }

  /// How long somebody may write who has queued once: what the others wait for each that is before them.
  private static let turn = Duration.milliseconds(40)

  /// Where nobody holds the turnstile for long, looking often costs less than coming late. All looks together take a
  /// tenth of what the wait for the lock itself may take.
  private static let looksPerStep: UInt32 = 10
}
