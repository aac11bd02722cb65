import Glibc
import JSONRPC

/// The right to change keys, held by one process at a time until the value goes; the kernel gives it back when the
/// process dies. Taking it blocks.
struct CredentialLock: ~Copyable {
  private let file: FileDescriptor
  private let path: String

  /// - Parameter milliseconds: how long to wait for another process that holds it.
  init(path: String, milliseconds: Int) throws(CredentialFailure) {
    self.path = path
    var waited = 0
    while true {
      let number = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard number >= 0 else { throw .system("open", path) }
      let file = FileDescriptor(owning: number)
      if flock(number, LOCK_EX | LOCK_NB) == 0 {
        // One that was taken away between opening and locking locks nothing that others can see.
        if let held = FileMark(descriptor: number), let named = FileMark(path), held.isSameFile(as: named) {
          self.file = file
          return
        }
      } else if errno != EWOULDBLOCK && errno != EINTR {
        throw .system("lock", path)
      }
      guard waited < milliseconds else {
        throw .file("Another process has been changing keys for long (it holds \(path)). End it and try again.")
      }
      usleep(UInt32(Self.stepMilliseconds) * 1000)
      waited += Self.stepMilliseconds
    }
  }

  private static let stepMilliseconds = 5

  /// Tells every process that keys have changed: the lock's time of change goes up, even where the clock has not.
  func announceChange() throws(CredentialFailure) {
    let before = FileMark(descriptor: file.number)?.contentChanged ?? 0
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let next = max(Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec), before &+ 1)
    let time = timespec(tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
    // The first is the time of access.
    let times = [time, time]
    guard futimens(file.number, times) == 0 else { throw .system("change the time of", path) }
  }
}
