import Glibc

/// An flock on a file, held until it is released or the object is deallocated. The kernel releases it when the process
/// ends, for whatever reason.
package final class FileLock: Sendable {
  package let path: String
  package let descriptor: Int32

  /// Whether the lock file exists and nobody holds its lock. Any number of processes may check at the same time without
  /// one mistaking another for the holder.
  package static func isFree(_ path: String) throws(FileFailure) -> Bool {
    try FileLock(path: path, creating: false, isShared: true) != nil
  }

  /// Locks `path`, creating it if `creating` is set.
  /// - Parameter isShared: whether other processes may also hold the lock in shared mode.
  /// - Returns: nil when another process holds the lock, or removed the file meanwhile.
  package init?(path: String, creating: Bool, isShared: Bool = false) throws(FileFailure) {
    let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | (creating ? O_CREAT : 0)
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      if errno == ENOENT, !creating { return nil }
      throw FileFailure(operation: "open the lock", path: path, code: errno)
    }
    do {
      guard try Self.lock(descriptor, path: path, isShared: isShared) else {
        close(descriptor)
        return nil
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Releases the lock now: the object itself may live on briefly on the thread that made it.
  package func release() { flock(descriptor, LOCK_UN) }

  /// Locks the open file and checks that `path` still names the same inode: a lock on a file that was unlinked between
  /// opening and locking is invisible to everyone else.
  package static func lock(_ descriptor: Int32, path: String, isShared: Bool = false) throws(FileFailure) -> Bool {
    while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw FileFailure(operation: "lock", path: path, code: errno) }
    }
    let held = try FileStatus(descriptor: descriptor, path: path)
    guard let named = try FileStatus(path: path) else { return false }
    return held.isSameFile(as: named)
  }
}
