import GRDB
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
