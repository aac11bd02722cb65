import Glibc
import POSIX
import Synchronization

/// This process's claim on the generations it works on: an flock that the kernel releases when the process dies.
final class ProcessLock: Sendable {
  let id: ProcessID
  private let directory: DataDirectory
  private let lock: Mutex<FileLock>

  /// Claims a new name and creates its folder for temporary files.
  ///
  /// The file is locked before it gets its visible name: a visible lock file that can be locked belongs to a dead
  /// process.
  init(directory: DataDirectory, makeIdentifier: (String) -> String) throws {
    for _ in 0..<16 {
      let id = ProcessID(rawValue: makeIdentifier("proc_"))
      guard id.isFileName else { continue }
      guard let lock = try Self.claim(id, in: directory) else { continue }
      _ = try FileSystem.makeDirectory(directory.temporary(of: id))
      self.id = id
      self.directory = directory
      self.lock = Mutex(lock)
      return
    }
    throw StoreError(
      .failed, "No free name for this process could be found in \(directory.processes). Empty it when no Atelier runs.")
  }

  /// - Returns: nil when the name is taken.
  private static func claim(_ id: ProcessID, in directory: DataDirectory) throws(FileFailure) -> FileLock? {
    let starting = "\(directory.processes)/\(id.rawValue).starting"
    guard let lock = try FileLock(path: starting, creating: true) else { return nil }
    defer { unlink(starting) }
    return try FileSystem.link(starting, as: directory.lock(of: id)) ? lock : nil
  }

  /// Makes the lock again if it was removed: without it, other processes take this one for dead and end its work.
  /// - Throws: a ``StoreError`` when something else has its name.
  func keep() throws {
    let path = directory.lock(of: id)
    try lock.withLock { lock in
      let held = try FileStatus(descriptor: lock.descriptor, path: path)
      if let named = try FileStatus(path: path), named.isSameFile(as: held) { return }
      guard try FileStatus(path: path) == nil else { throw taken(path) }
      _ = try FileSystem.makeDirectory(directory.processes)
      guard let again = try Self.claim(id, in: directory) else { throw taken(path) }
      lock = again
    }
  }

  private func taken(_ path: String) -> StoreError {
    StoreError(.moved, "\(path) is another file now: it was replaced while Atelier runs. Start Atelier again.")
  }

  /// Releases the claim; queued generations are left for the next process.
  func release() throws(FileFailure) {
    try FileSystem.removeFlatDirectory(directory.temporary(of: id))
    try FileSystem.remove(directory.lock(of: id))
  }
}
