import GRDB
import GRDBSQLite
import POSIX
import Synchronization

/// Whether what a connection writes has a name and so lasts: compares what is open with what lies there.
///
/// A file with its right name may still have been overwritten by `cp`. That shows too: since SQLite keeps a log, it writes
/// the database file only when it copies frames of the log, and its index counts these.
final class DatabaseGround: Sendable {
  private let directory: DataDirectory
  private let opened: OpenedFiles
  private let claim: ProcessLock
  private let busyPolicy: BusyWait.Policy
  private let state: Mutex<State>

  private struct State {
    /// The database file as it was last seen, and the log it belongs to.
    var seen: LogOrigin?
    /// Whether the log was emptied since the database lost its name.
    var isRescued = false
    var isOverwritten = false
  }

  /// - Parameters:
  ///   - writer: its database is open and current.
  ///   - busyPolicy: that of the writer.
  /// - Throws: a ``StoreError`` when the database was replaced while it was being opened.
  init(
    _ directory: DataDirectory, opened: OpenedFiles, claim: ProcessLock, writer: DatabaseQueue, busyPolicy: BusyWait.Policy
  ) throws {
    self.directory = directory
    self.opened = opened
    self.claim = claim
    self.busyPolicy = busyPolicy
    let note = LogOrigin.load(from: directory.logOrigin)
    let log = opened.database.first { $0.path == directory.log }
    // A log without frames has no number of its own yet, and its file may be a new one in the place of the noted one.
    let isOfThisLog = note.map { $0.index.frames > 0 && $0.log == log?.identity && $0.boot == LogOrigin.bootIdentifier }
    state = Mutex(State(seen: isOfThisLog == true ? note : nil))
    try writer.writeWithoutTransaction { database in
      guard let files = ConnectionFiles(database) else { return }
      if files.hasMoved { throw overwritten }
      // After a crash, the index does not tell what was copied; copying all of it makes that known.
      if files.index?.isFullyCopied == false { _ = try? database.checkpoint(.passive) }
      // A reader that has the database to itself has a log without frames, and nothing to compare.
      if isOfThisLog == true || files.index.map({ $0.frames > 0 }) == true { try observe(files) }
    }
  }

  /// Whether the database file has another content than the connections believe. They must not be closed then: SQLite
  /// would copy its log into the file.
  var isOverwritten: Bool { state.withLock { $0.isOverwritten } }

  /// Call this on the writer's thread before a transaction begins, and again before its results are told.
  /// - Throws: a ``StoreError`` when the database or one of its parts was moved, deleted, replaced or overwritten;
  ///   `FileFailure` when that cannot be found out.
  func check(_ database: Database) throws {
    do {
      try opened.checkDatabase()
    } catch {
      rescue(database)
      throw error
    }
    state.withLock { $0.isRescued = false }
    try claim.keep()
    if let files = ConnectionFiles(database) { try observe(files) }
  }

  private func observe(_ files: ConnectionFiles) throws {
    guard let status = try FileStatus(path: directory.database), let index = files.index else { return }
    let before = state.withLock { $0.seen }
    if let before, !before.isWritten(since: status), before.index.isSameCopy(as: index) {
      return try checkLog(files, index)
    }
    // Another process may be copying at this moment: only what stands still can be compared. It is, the next time.
    guard let sample = LogOrigin.pageSample(bytes: status.bytes, files.read),
      try FileStatus(path: directory.database) == status, files.index?.isSameCopy(as: index) == true,
      let log = opened.database.first(where: { $0.path == directory.log })
    else { return }
    try checkLog(files, index)
    if let before, before.isWritten(since: status), index.hasCopiedNothing(since: before.index), before.sample != sample {
      state.withLock { $0.isOverwritten = true }
      throw overwritten
    }
    let now = LogOrigin(
      database: status.identity, bytes: status.bytes, changed: status.contentChanged, sample: sample, log: log.identity,
      index: index, boot: LogOrigin.bootIdentifier)
    state.withLock { $0.seen = now }
    now.save(in: directory)
  }

  private func checkLog(_ files: ConnectionFiles, _ index: LogIndex) throws {
    guard !files.hasLog(of: index), files.index == index else { return }
    throw StoreError(
      .moved,
      "\(directory.log) was overwritten or shortened while Atelier runs. Nothing more is recorded. Start Atelier again.")
  }

  /// Copies what was promised before the database lost its name into the open file, wherever that is now, and empties the
  /// log: it keeps its name, and would be applied to the database that has come in the place of this one.
  private func rescue(_ database: Database) {
    let isOurs = opened.database.contains { entry in
      entry.path == directory.log && (try? FileStatus(path: entry.path))?.identity == entry.identity
    }
    let (seen, isRescued) = state.withLock { ($0.seen, $0.isRescued) }
    // A process that has opened the other database has begun the log anew.
    guard isOurs, !isRescued, ConnectionFiles(database)?.index?.salts == seen?.index.salts else { return }
    _ = try? database.checkpoint(.passive)
    let isEmpty = try? busyPolicy.waitingBriefly { try database.checkpoint(.truncate).walFrameCount == 0 }
    if isEmpty == true { state.withLock { $0.isRescued = true } }
  }

  private var overwritten: StoreError {
    StoreError(
      .moved,
      "\(directory.database) was overwritten while Atelier runs. Nothing more is recorded. Start Atelier again to learn "
        + "what to do.")
  }
}

/// The files of one connection as SQLite has them open, whatever their names lead to. Reading them here opens nothing:
/// closing another descriptor of the database would drop all locks that this process has on it.
///
/// Used on the connection's thread and within the call that has the connection.
struct ConnectionFiles {
  private let connection: OpaquePointer

  init?(_ database: Database) {
    guard let connection = database.sqliteConnection else { return nil }
    self.connection = connection
  }

  /// Whether the name of the database leads to another file than the open one, as SQLite sees it.
  var hasMoved: Bool {
    var moved: Int32 = 0
    return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
  }

  /// Nil when the database has no log in use.
  var index: LogIndex? {
    var page: UnsafeMutableRawPointer?
    // The first region of the index, of 32 KiB, is mapped for as long as the connection uses a log. SQLite keeps it
    // mapped, so the bytes can be copied; a copy that another process disturbs is no valid index.
    guard let file = file(SQLITE_FCNTL_FILE_POINTER), let map = file.pointee.pMethods?.pointee.xShmMap,
      map(file, 0, 32_768, 0, &page) == SQLITE_OK, let page
    else { return nil }
    return LogIndex(Array(UnsafeRawBufferPointer(start: page, count: LogIndex.bytes)))
  }

  /// Bytes of the open database file; nil when they cannot be read.
  func read(_ offset: Int, _ count: Int) -> [UInt8]? { read(SQLITE_FCNTL_FILE_POINTER, offset, count) }

  /// Whether the open log is the one that the index describes: nobody has shortened or overwritten it.
  func hasLog(of index: LogIndex) -> Bool {
    guard index.frames > 0 else { return true }
    var size: Int64 = 0
    guard let file = file(SQLITE_FCNTL_JOURNAL_POINTER), let measure = file.pointee.pMethods?.pointee.xFileSize,
      measure(file, &size) == SQLITE_OK, let header = read(SQLITE_FCNTL_JOURNAL_POINTER, 0, 32)
    else { return true }
    return size >= index.logBytes && header[16..<24].reduce(0) { $0 << 8 | UInt64($1) } == index.salts
  }

  private func file(_ operation: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    // SQLite stores a pointer to a file that lives as long as the connection.
    guard sqlite3_file_control(connection, "main", operation, &file) == SQLITE_OK else { return nil }
    return file
  }

  private func read(_ operation: Int32, _ offset: Int, _ count: Int) -> [UInt8]? {
    guard let file = file(operation), let read = file.pointee.pMethods?.pointee.xRead else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return read(file, &bytes, Int32(count), Int64(offset)) == SQLITE_OK ? bytes : nil
  }
}
