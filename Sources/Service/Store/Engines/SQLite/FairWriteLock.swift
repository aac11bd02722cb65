import Glibc
import POSIX
import Synchronization

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
  private let shareEnd = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter path: a directory that all processes share.
  init(path: String, wait: BusyWait) throws(FileFailure) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open the directory", path: path, code: errno) }
    self.wait = wait
  }

  deinit { close(descriptor) }

  /// Whether the process may try to write again without queueing.
  var goesOn: Bool { shareEnd.withLock { $0.map { .now < $0 } ?? false } }

  /// Makes the process queue before its next write, so that waiting processes come first.
  func endShare() { shareEnd.withLock { $0 = nil } }

  func enter() {
    defer { shareEnd.withLock { $0 = .now + Self.share } }
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
  private static let share = Duration.milliseconds(40)

  /// No process holds this lock for long, so frequent tries cost less than a late one. All tries together take a tenth
  /// of the longest wait for SQLite's lock.
  private static let looksPerStep: UInt32 = 10
}
