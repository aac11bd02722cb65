import Glibc

/// An flock on a file, held until it is released or the value is gone. The kernel gives it back when the process dies, however it
/// dies.
package final class FileLock: Sendable {
  package let path: String
  package let descriptor: Int32

  /// Whether a lock file is there and nobody holds it. Any number of processes may look at the same time without one
  /// taking the other for its holder.
  package static func isFree(_ path: String) throws(FileFailure) -> Bool {
    try FileLock(path: path, creating: false, isShared: true) != nil
  }

  /// Locks `path`, which is made when it is not there.
  /// - Parameter isShared: whether others may hold it as well, in the same way.
  /// - Returns: nil when somebody else holds the lock, or took the file away meanwhile.
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

  /// Gives the lock back now: the value itself may live on for a moment, on the thread that made it.
  package func release() { flock(descriptor, LOCK_UN) }

  /// A lock taken on a file that was unlinked between opening and locking locks nothing anybody else can see: the name
  /// must still lead to the same inode.
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
