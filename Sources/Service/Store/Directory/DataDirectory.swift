import Glibc
import POSIX

/// The directory of all durable data; only the user it belongs to can access it.
///
/// ```
/// atelier.sqlite (-wal, -shm)     history; -journal while it switches to its log
/// artifacts/ab/cd/<sha256>.<ext>  images, named by their content
/// cache/ab/cd/<sha256>.<ext>      copies of images whose place is a bucket
/// temporary/<process>/              images no row refers to yet, which are the pending notes of their content
/// processes/<process>.lock             held for as long as the process lives
/// migration.lock                  held while the database is created or migrated
/// log-origin.json                 which database the log beside it belongs to, see ``LogOrigin``
/// credentials.json, .lock         API keys, not managed by the store
/// templates/*.json                the operator's hairstyles and their pictures, read only
/// models/                         the operator's networks, see `NetworkCatalogue`
/// backup.id                       tells this directory from others; an id
/// atelier.sqlite.replaced         the database that the last restoration replaced
/// ```
public struct DataDirectory: Sendable, Hashable {
  /// Absolute.
  public let path: String

  /// - Parameter path: resolved against the working directory if relative. Nothing is created before the store opens.
  public init(path: String) {
    var absolute = path
    if !path.hasPrefix("/"), let working = getcwd(nil, 0) {
      absolute = path.isEmpty ? String(cString: working) : "\(String(cString: working))/\(path)"
      free(working)
    }
    while absolute.count > 1 && absolute.hasSuffix("/") { absolute.removeLast() }
    self.path = absolute
  }

  /// The database file, which exists once the directory has been used.
  public var database: String { "\(path)/atelier.sqlite" }
  /// Whether the directory has been used.
  public var hasDatabase: Bool { access(database, F_OK) == 0 }
  var migrationLock: String { "\(path)/migration.lock" }
  var logOrigin: String { "\(path)/log-origin.json" }
  var logOriginDraft: String { "\(logOrigin).new" }
  /// The folder of the pictures.
  public var artifacts: String { "\(path)/artifacts" }
  /// Copies of pictures whose place is a bucket.
  var cache: String { "\(path)/cache" }
  var temporary: String { "\(path)/temporary" }
  var processes: String { "\(path)/processes" }

  /// The folder of the operator's templates, which need not exist.
  public var templates: String { "\(path)/templates" }

  /// The folder of the operator's networks, which need not exist.
  public var models: String { "\(path)/models" }

  /// The parts that are directories.
  var parts: [String] { [artifacts, temporary, processes] }
  /// The parts that are files, whether or not they exist.
  var databaseFiles: [String] { [database] + logs }
  /// The files SQLite puts beside the database: changes that are not in it yet, or that it rolls back.
  var logs: [String] { sharedLogs + ["\(database)-journal"] }
  /// The write-ahead log and its index, which exist as long as a process has the database open.
  var sharedLogs: [String] { [log, "\(database)-shm"] }
  var log: String { "\(database)-wal" }

  /// Other files that this directory may contain; other code manages them.
  var otherFiles: [String] {
    [
      "\(path)/credentials.json", "\(path)/credentials.json.new", "\(path)/credentials.lock", templates, models,
      identityFile, strayLog,
    ]
  }

  func temporary(of process: ProcessID) -> String { "\(temporary)/\(process.rawValue)" }
  func lock(of process: ProcessID) -> String { "\(processes)/\(process.rawValue).lock" }
}

extension DataDirectory {
  /// Creates missing parts and checks existing ones: on a local file system, ours, writable, closed to others.
  func prepare() throws(StoreError) {
    do {
      try makeWithParents()
      try checkRoot()
      var isNew = false
      let present = try FileStatus(path: cache) == nil ? parts : parts + [cache]
      for part in present where try prepare(part: part) { isNew = true }
      if isNew { try FileSystem.syncDirectory(path) }
      for file in databaseFiles { try check(file: file) }
    } catch let error as StoreError {
      throw error
    } catch let failure as FileFailure {
      throw unusable(failure)
    } catch {
      throw StoreError(.failed, "\(error)")
    }
  }

  /// The error for a failed system call, with advice for the common ones.
  func unusable(_ failure: FileFailure) -> StoreError {
    if failure.isStorageFull { return StoreError(.storageFull, "\(failure.sentence) Free some space on its disk.") }
    if failure.isOutOfDescriptors {
      return StoreError(.tooManyOpenFiles, "\(failure.sentence) Allow this process more open files (ulimit -n).")
    }
    let advice =
      switch failure.code {
      case EACCES, EPERM: "Give your user the right to write there, or choose another directory with --data-dir."
      case EROFS: "Its file system is mounted read-only. Choose another directory with --data-dir."
      case ENOTDIR: "A part of the path is a file. Choose another directory with --data-dir."
      case ELOOP: "A part of it is a symbolic link. Replace it by what it leads to, or choose another directory."
      case EIO: "The disk or its connection fails. Look at the system's log, and save what can be read."
      default: "Choose another directory with --data-dir."
      }
    return StoreError(.directoryUnusable, "\(failure.sentence) \(advice)")
  }

  private func refusal(_ sentence: String) -> StoreError { StoreError(.directoryUnusable, sentence) }

  private func makeWithParents() throws {
    guard path.utf8.count <= Int(PATH_MAX) - 256 else {
      throw refusal("The data directory's path is too long. Choose a shorter one with --data-dir.")
    }
    guard !path.utf8.contains(0) else { throw refusal("The data directory's path contains a zero byte.") }
    try FileSystem.makeDirectories(path)
  }

  /// The directory itself may be reached by a symbolic link, for example when a home directory keeps its data on
  /// another disk.
  private func checkRoot() throws {
    guard let kind = try FileStatus(path: path, followingLinks: true), kind.isDirectory else {
      throw refusal("\(path) is not a directory. Choose another one with --data-dir.")
    }
    guard kind.owner == geteuid() else {
      throw refusal(
        "\(path) belongs to another user (uid \(kind.owner)). Choose a directory of your own with --data-dir.")
    }
    try checkMount(MountTable.current())
    if kind.isShared { try narrowRoot() }
    guard access(path, R_OK | W_OK | X_OK) == 0 else {
      throw FileFailure(operation: "write to", path: path, code: errno)
    }
  }

  func checkMount(_ table: MountTable) throws {
    guard let resolved = realpath(path, nil) else { throw FileFailure(operation: "resolve", path: path, code: errno) }
    defer { free(resolved) }
    guard let mount = table.mount(of: String(cString: resolved)), mount.isRemote else { return }
    throw StoreError(
      .networkFileSystem,
      "\(path) is on a network file system (\(mount.type)), where the database's locks do not hold. "
        + "Choose a directory on a local disk with --data-dir.")
  }

  /// Closes the directory to other users. Does not touch a directory that contains foreign files, which may be meant
  /// for others.
  private func narrowRoot() throws {
    let ours = parts + [cache] + databaseFiles + otherFiles + [migrationLock, logOrigin, logOriginDraft]
    let known = Set(ours.map { String($0.dropFirst(path.count + 1)) })
    // Restorations number what they keep.
    let replaced = replacedDatabase.dropFirst(path.count + 1)
    let others = try FileSystem.names(in: path).filter { !known.contains($0) && !$0.hasPrefix(replaced) }
    guard others.isEmpty else {
      throw refusal(
        "\(path) is open to other users and holds other things (\(others[0])). "
          + "Close it with chmod 700, or choose an empty directory with --data-dir.")
    }
    try FileSystem.narrow(path, to: 0o700)
  }

  /// - Returns: whether it was created.
  private func prepare(part: String) throws -> Bool {
    if try FileSystem.makeDirectory(part) { return true }
    guard let kind = try FileStatus(path: part), kind.isDirectory else {
      throw refusal("\(part) is not a directory. Move it away and start again.")
    }
    try checkOwner(kind, of: part)
    if kind.permissions & 0o777 != 0o700 { try FileSystem.narrow(part, to: 0o700) }
    return false
  }

  private func check(file: String) throws {
    guard let kind = try FileStatus(path: file) else { return }
    guard kind.isRegularFile else {
      throw refusal("\(file) is not a regular file. Move it away and start again.")
    }
    try checkOwner(kind, of: file)
    if kind.permissions & 0o777 != 0o600 { try FileSystem.narrow(file, to: 0o600) }
  }

  private func checkOwner(_ kind: FileStatus, of part: String) throws {
    guard kind.owner == geteuid() else {
      throw refusal("\(part) belongs to another user (uid \(kind.owner)). Take it over with chown and start again.")
    }
  }
}
