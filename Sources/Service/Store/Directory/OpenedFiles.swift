import Glibc
import POSIX

/// The files and folders that this process has open, as what they are and not by their names.
///
/// A name may come to lead elsewhere while a service runs: something is deleted, moved, replaced by a backup, or another
/// disk is mounted over it. What is written into a file without a name is lost, and what is written beside another file
/// damages that one. So the names are compared with what was opened before anything is promised. Comparing takes some
/// microseconds.
struct OpenedFiles: Sendable {
  /// A name and what it led to when it was opened.
  struct Entry: Sendable, Equatable {
    var path: String
    var identity: FileIdentity
    /// What it is, for the sentence.
    var role: Role
  }

  enum Role: String, Sendable {
    case database = "the history database"
    case log = "the database's log"
    case pictures = "the folder of the pictures"
  }

  /// The database and SQLite's files beside it; nothing where the database is on a server.
  let database: [Entry]
  let artifacts: Entry

  /// - Parameters:
  ///   - directory: every connection to its database is open by now.
  ///   - hasDatabase: false where the database is on a server.
  /// - Throws: a ``StoreError`` when a name is already gone.
  init(_ directory: DataDirectory, hasDatabase: Bool = true) throws {
    func entry(_ path: String, _ role: Role) throws -> Entry {
      guard let status = try FileStatus(path: path) else { throw Self.moved(path, role, isGone: true) }
      return Entry(path: path, identity: status.identity, role: role)
    }
    database =
      hasDatabase ? try [entry(directory.database, .database)] + directory.sharedLogs.map { try entry($0, .log) } : []
    artifacts = try entry(directory.artifacts, .pictures)
  }

  /// - Throws: a ``StoreError`` when the database, or one of SQLite's files beside it, is no longer what its name leads
  ///   to; `FileFailure`.
  func checkDatabase() throws {
    for entry in database { try check(entry) }
  }

  /// - Throws: likewise for everything.
  func check() throws {
    try checkDatabase()
    try check(artifacts)
  }

  private func check(_ entry: Entry) throws {
    // A symbolic link is not followed: the files that SQLite puts beside a database would be elsewhere.
    let status = try FileStatus(path: entry.path)
    if status?.identity != entry.identity { throw Self.moved(entry.path, entry.role, isGone: status == nil) }
  }

  private static func moved(_ path: String, _ role: Role, isGone: Bool) -> StoreError {
    StoreError(
      .moved,
      "\(path) is \(isGone ? "gone" : "another file now"): \(role.rawValue) was moved, deleted or replaced while Atelier "
        + "runs. Nothing more is recorded. Put the right one back, or start Atelier again to use what is there.")
  }
}
