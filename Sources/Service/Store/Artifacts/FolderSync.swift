import POSIX
import Synchronization

/// Folders whose entries must survive a power failure before the rows that refer to them do. Each is synced once per
/// transaction, several in parallel: the disk does that in hardly more time than one.
final class FolderSync: Sendable {
  private let pool: ThreadPool
  private let state = Mutex(State())

  private struct State {
    /// Folders with new names since the last transaction.
    var unsynced: Set<String> = []
    /// Folders that could not be synced: entries created in them exist, but may not survive a power failure.
    var failed: Set<String> = []
  }

  init(pool: ThreadPool) { self.pool = pool }

  /// Records that a name in `folder` is new.
  func add(_ folder: String) { state.withLock { _ = $0.unsynced.insert(folder) } }

  /// Creates `folder` in `parent`, unless it exists and is durable.
  func make(_ folder: String, in parent: String) throws(FileFailure) {
    let isNew = try FileSystem.makeDirectory(folder)
    state.withLock { state in
      if isNew || state.failed.contains(parent) { state.unsynced.insert(parent) }
    }
  }

  /// Makes the new names durable. They are forgotten even when that fails: a transaction that runs again adds its own.
  func sync() throws(FileFailure) {
    let folders = state.withLock { state in
      defer { state.unsynced = [] }
      return Array(state.unsynced)
    }
    var firstFailure: FileFailure?
    for (folder, failure) in zip(folders, failures(of: folders)) {
      state.withLock { state in
        if failure == nil { state.failed.remove(folder) } else { state.failed.insert(folder) }
      }
      firstFailure = firstFailure ?? failure
    }
    if let firstFailure { throw firstFailure }
  }

  /// The sync error of each folder.
  private func failures(of folders: [String]) -> [FileFailure?] {
    if folders.count == 1 { return [Self.failure(of: folders[0])] }
    let failures = Failures(count: folders.count)
    pool.forEach(Array(folders.enumerated())) { position, folder in
      if let failure = Self.failure(of: folder) { failures.set(failure, at: position) }
    }
    return failures.all
  }

  private static func failure(of folder: String) -> FileFailure? {
    do throws(FileFailure) {
      try FileSystem.syncDirectory(folder)
      return nil
    } catch {
      return error
    }
  }

  private final class Failures: Sendable {
    private let failures: Mutex<[FileFailure?]>

    init(count: Int) { failures = Mutex(Array(repeating: nil, count: count)) }

    var all: [FileFailure?] { failures.withLock { $0 } }

    func set(_ failure: FileFailure, at position: Int) { failures.withLock { $0[position] = failure } }
  }
}
