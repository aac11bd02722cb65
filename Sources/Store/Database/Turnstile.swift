import Glibc

/// Where processes queue for the right to write next.
///
/// A process with much to do would begin its next transaction before those that wait for the end of the last have
/// looked again. So everybody enters here before asking for SQLite's write lock and leaves when it has it: whoever is
/// in waits for the transaction that runs, and the process that runs it cannot get past.
///
/// This is courtesy and no more: SQLite's own lock is what keeps writers apart, and one who is kept waiting here for
/// too long, or where the file system has no such locks, goes on without. Used on the writer's thread only.
final class Turnstile: Sendable {
  private let descriptor: Int32
  private let wait: BusyWait

  /// - Parameter path: a directory that all processes share.
  init(path: String, wait: BusyWait) throws(FileFailure) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open the directory", path: path, code: errno) }
    self.wait = wait
  }

  deinit { close(descriptor) }

  func enter() {
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

  /// Where nobody holds the turnstile for long, looking often costs less than coming late. All looks together take a
  /// tenth of what the wait for the lock itself may take.
  private static let looksPerStep: UInt32 = 10
}
