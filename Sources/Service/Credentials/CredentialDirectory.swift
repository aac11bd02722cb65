import Glibc
import POSIX

/// The data directory as the location of keys, which may be needed before anything else has created it.
struct CredentialDirectory {
  let path: String

  private var status: FileStatus? { try? FileStatus(path: path, followingLinks: true) }
  var exists: Bool { status != nil }

  /// Creates the directory and its missing parents, accessible to the owner only, and checks that no other user could
  /// replace the file of keys.
  func prepare() throws(CredentialFailure) {
    do throws(CredentialFailure) { try makeAndCheck() } catch { throw error.aboutDirectory }
  }

  private func makeAndCheck() throws(CredentialFailure) {
    do throws(FileFailure) { try FileSystem.makeDirectories(path) } catch { throw .system(error) }
    guard let status else { throw .system("look at", path) }
    guard status.isDirectory else { throw .file("\(path) is not a folder. Choose another one with --data-dir.") }
    guard status.owner == geteuid() else {
      throw .file("\(path) belongs to another user (uid \(status.owner)). Choose a folder of your own with --data-dir.")
    }
    guard status.permissions & 0o022 == 0 else {
      throw .file(
        "Other users can put files into \(path), so keys are not kept there. "
          + "Close it with “chmod 700 \(ShellWord(path))”.")
    }
  }
}

/// A lock for changing keys, held by one process at a time until the value is destroyed; the kernel releases it when
/// the process dies. Acquiring it blocks.
struct CredentialLock: ~Copyable {
  private let lock: FileLock

  /// - Parameter milliseconds: how long to wait for another process that holds it.
  init(path: String, milliseconds: Int) throws(CredentialFailure) {
    var waited = 0
    while true {
      do throws(FileFailure) {
        if let lock = try FileLock(path: path, creating: true) {
          self.lock = lock
          return
        }
      } catch {
        throw .system(error)
      }
      guard waited < milliseconds else {
        throw .file("Another process has been changing keys for long (it holds \(path)). End it and try again.")
      }
      usleep(UInt32(Self.stepMilliseconds) * 1000)
      waited += Self.stepMilliseconds
    }
  }

  private static let stepMilliseconds = 5

  /// Notifies all processes that keys have changed: the lock's modification time increases, even if the clock has not.
  func announceChange() throws(CredentialFailure) {
    let before = (try? FileStatus(descriptor: lock.descriptor, path: lock.path))?.contentChanged ?? 0
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let next = max(Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec), before &+ 1)
    let time = timespec(tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
    // The first is the access time.
    let times = [time, time]
    guard futimens(lock.descriptor, times) == 0 else { throw .system("change the time of", lock.path) }
  }
}
