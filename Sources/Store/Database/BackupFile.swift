import AtelierProtocol
import GRDB
import Glibc
import POSIX

/// A new file for a copy of the database. It gets its name only when it is complete and durable.
struct BackupFile: Sendable {
  let path: String
  /// The temporary path while the file is written.
  private let temporary: String

  /// - Parameter suffix: appended to the path while the file is written.
  init(path: String, suffix: String) {
    self.path = DataDirectory(path: path).path
    temporary = "\(self.path).\(suffix)"
  }

  private var folder: String {
    let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    return parent.isEmpty ? "/" : String(parent)
  }

  /// Copies a snapshot of the database; concurrent writers do not wait.
  /// - Parameter database: outside of any transaction.
  /// - Returns: its size.
  /// - Throws: `AtelierError` that states the cause; no file is left then.
  func write(from database: Database) throws -> Int {
    do {
      guard try FileStatus(path: path) == nil else { throw taken }
      try createEmpty()
      defer { unlink(temporary) }
      // SQLite treats an empty file as a new database and keeps its permissions.
      try database.execute(sql: "VACUUM INTO ?", arguments: [temporary])
      try sync()
      guard try FileSystem.link(temporary, as: path) else { throw taken }
      try FileSystem.syncDirectory(folder)
      return try FileStatus(path: path)?.bytes ?? 0
    } catch let failure as FileFailure {
      throw failure.isStorageFull ? full : refusal(failure.reason)
    } catch let error as DatabaseError where !error.isDamage {
      throw FileSystem.isFull(folder) || error.resultCode == .SQLITE_FULL
        ? full : refusal(error.message ?? "SQLite says \(error.extendedResultCode)")
    }
  }

  private func createEmpty() throws(FileFailure) {
    let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure(operation: "create", path: path, code: errno) }
    close(descriptor)
  }

  private func sync() throws(FileFailure) {
    let descriptor = open(temporary, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open", path: path, code: errno) }
    defer { close(descriptor) }
    try FileSystem.sync(descriptor, path: path)
  }

  private var taken: AtelierError { refusal("there is something of that name, and a backup replaces nothing") }

  private var full: AtelierError {
    AtelierError(.storageFull, "The disk of \(path) is full. Free some space, or name a file on another disk.")
  }

  private func refusal(_ reason: String) -> AtelierError {
    AtelierError(.fileAccessDenied, "\(path) cannot be written: \(reason). Name another file.")
  }
}

extension Store {
  /// Copies the database into a new file that only its owner may read, while every process continues its work. Placed
  /// as `atelier.sqlite` in a data directory, the copy restores the history and the ledger of that moment.
  ///
  /// The picture files are not included: copy them from ``DataDirectory/artifacts`` after the backup, so that they
  /// include all files the backup refers to.
  /// - Returns: its size in bytes.
  /// - Throws: `file_access_denied` when the file exists or cannot be created, `storage_full`; no file is left then.
  @discardableResult
  public func backup(to path: String) async throws(AtelierError) -> Int {
    let file = BackupFile(path: path, suffix: surroundings.makeIdentifier("partial_"))
    do {
      return try await snapshots.run { try file.write(from: $0) }
    } catch {
      throw atelierError(error)
    }
  }
}
