import POSIX
import Synchronization

/// Makes names in folders survive a power failure. Several folders are synced in parallel: the disk does that in hardly
/// more time than one.
struct FolderSync: Sendable {
  let pool: ThreadPool

  /// Makes all names in these folders durable.
  /// - Throws: the first failure; the other folders are synced nevertheless.
  func sync(_ folders: Set<String>) throws(FileFailure) {
    if folders.isEmpty { return }
    let failure = FirstFailure()
    pool.forEach(Array(folders)) { folder in
      do throws(FileFailure) {
        try FileSystem.syncDirectory(folder)
      } catch {
        failure.note(error)
      }
    }
    if let failure = failure.value { throw failure }
  }

  private final class FirstFailure: Sendable {
    private let first = Mutex<FileFailure?>(nil)

    var value: FileFailure? { first.withLock { $0 } }

    func note(_ failure: FileFailure) { first.withLock { $0 = $0 ?? failure } }
  }
}
