import AtelierProtocol
import GRDB
import Glibc
import POSIX

/// A new file that becomes a copy of the database: there under its name only when it is whole and durable.
struct BackupFile: Sendable {
  let path: String
  /// Where it is written first.
  private let temporary: String

  /// - Parameter suffix: makes the name it has while it is written.
  init(path: String, suffix: String) {
    self.path = DataDirectory(path: path).path
    temporary = "\(self.path).\(suffix)"
  }

  private var folder: String {
    let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    return parent.isEmpty ? "/" : String(parent)
  }

  /// Copies the database as it is at one moment; what is written meanwhile waits for nothing.
  /// - Parameter database: outside of any transaction.
  /// - Returns: its size.
  /// - Throws: `AtelierError` that says what is in the way; nothing is left then.
  func write(from database: Database) throws -> Int {
    do {
      guard try FileStatus(path: path) == nil else { throw taken }
      try createEmpty()
      defer { unlink(temporary) }
      // SQLite takes an empty file for a new one, and leaves its rights as they are.
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
  /// Copies the database into a new file that only its owner may read, while every process goes on with its work. Put in
  /// the place of `atelier.sqlite` in a data directory, it is the history and the ledger as they were.
  ///
  /// The picture files are not in it: they lie in ``DataDirectory/artifacts`` and are copied as files, after the backup,
  /// so that what the backup knows is among them.
  /// - Returns: its size in bytes.
  /// - Throws: `file_access_denied` when the file is there or cannot be made, `storage_full`; nothing is left then.
  @discardableResult
  public func backup(to path: String) async throws(AtelierError) -> Int {
    let file = BackupFile(path: path, suffix: surroundings.makeIdentifier("partial_"))
    do {
      return try await look.run { try file.write(from: $0) }
    } catch {
      throw atelierError(error)
    }
  }
}
