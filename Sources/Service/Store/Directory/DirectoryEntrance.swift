import Glibc
import POSIX

/// A lock on the data directory itself. Processes hold it together while they open the directory, until their own
/// lock can be seen; whoever replaces the content holds it alone. So nobody opens half of one content and half of
/// another.
final class DirectoryEntrance: Sendable {
  private let folder: Descriptor

  /// - Throws: ``StoreError`` when another process holds the lock in a way that excludes this one.
  init(_ directory: DataDirectory, isExclusive: Bool = false) throws {
    let number = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw FileFailure(operation: "open the directory", path: directory.path, code: errno) }
    folder = Descriptor(number)
    var tries = 0
    while flock(number, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      // Others open it for a moment only.
      case EWOULDBLOCK where isExclusive && tries < 100:
        tries += 1
        usleep(10_000)
      case EWOULDBLOCK:
        throw StoreError(
          .busy,
          isExclusive
            ? "Another process is opening, restoring or copying \(directory.path). Try again when it is done."
            : "\(directory.path) is being restored or copied. Try again when that is done.")
      // A file system without such locks has no restoration that excludes others.
      default: return
      }
    }
  }

  /// Lets others in.
  func leave() { flock(folder.number, LOCK_UN) }
}

extension DataDirectory {
  /// - Parameter next: what the operator does after that.
  /// - Throws: ``StoreError`` when a process works with this directory. None can begin while the entrance is held.
  func requireUnused(to next: String = "restore") throws {
    for name in try FileSystem.names(in: processes) {
      let path = "\(processes)/\(name)"
      guard try FileStatus(path: path)?.isRegularFile == true, try !FileLock.isFree(path) else { continue }
      // One that has ended meanwhile is no obstacle.
      guard try FileStatus(path: path) != nil else { continue }
      throw StoreError(.busy, "A service or another command of Atelier uses \(self.path). End it, then \(next).")
    }
  }

  /// Where a restoration keeps the database that it replaces.
  var replacedDatabase: String { "\(database).replaced" }
  /// Where it keeps a log that belongs to another database than the one beside it.
  var strayLog: String { "\(database).stray-wal" }
}
