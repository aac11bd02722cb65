import Glibc
import JSONRPC

/// The data directory, as far as keys are concerned: it may be needed before anything else has made it.
struct CredentialDirectory {
  let path: String

  var exists: Bool { FileMark(path, followingLinks: true) != nil }

  /// Makes the directory and what is missing on the way to it, for its owner alone, and checks that nobody else could
  /// put another file in the place of the keys.
  func prepare() throws(CredentialFailure) {
    do throws(CredentialFailure) { try makeAndCheck() } catch { throw error.aboutDirectory }
  }

  private func makeAndCheck() throws(CredentialFailure) {
    if !exists { try makeWithParents() }
    guard let mark = FileMark(path, followingLinks: true) else { throw .system("look at", path) }
    guard mark.isDirectory else { throw .file("\(path) is not a folder. Choose another one with --data-dir.") }
    guard mark.owner == geteuid() else {
      throw .file("\(path) belongs to another user (uid \(mark.owner)). Choose a folder of your own with --data-dir.")
    }
    guard mark.permissions & 0o022 == 0 else {
      throw .file(
        "Other users can put files into \(path), so keys are not kept there. "
          + "Close it with “chmod 700 \(ShellWord(path))”.")
    }
  }

  /// Makes the names in it survive a power failure.
  func sync() throws(CredentialFailure) { try Self.sync(path) }

  private func makeWithParents() throws(CredentialFailure) {
    var parent = ""
    for component in path.split(separator: "/") {
      let child = "\(parent)/\(component)"
      if mkdir(child, 0o700) == 0 {
        try Self.sync(parent.isEmpty ? "/" : parent)
      } else if errno != EEXIST {
        // On a read-only file system what is there already is not even looked at.
        let code = errno
        guard FileMark(child, followingLinks: true) != nil else {
          throw .system("create the folder", child, code: code)
        }
      }
      parent = child
    }
  }

  private static func sync(_ path: String) throws(CredentialFailure) {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .system("open the folder", path) }
    let folder = FileDescriptor(owning: number)
    // Some file systems cannot sync a folder and say EINVAL; there is nothing more one can do there.
    guard fsync(folder.number) == 0 || errno == EINVAL else { throw .system("sync the folder", path) }
  }
}

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
