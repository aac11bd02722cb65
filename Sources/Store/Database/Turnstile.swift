import Glibc
import Synchronization

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
final class Turnstile: Sendable {
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
