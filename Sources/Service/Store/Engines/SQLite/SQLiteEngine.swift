import AtelierProtocol
import GRDB
import POSIX
import Synchronization

/// The connections of one process to the database, and the threads that they are used on.
final class SQLiteEngine: StoreEngine {
  let writer: DatabaseQueue
  let reader: DatabaseQueue
  let busyPolicy: BusyWait.Policy
  let writes: WriteQueue
  let snapshots: SnapshotReader
  let opened: OpenedFiles
  private let directory: DataDirectory
  /// The lock of this process.
  let claim: ProcessLock
  private let ground: DatabaseGround
  private let gate: OpenGate
  private let writing: ThreadPool
  private let reading: ThreadPool

  /// Opens the database, which is created when it is missing.
  /// - Parameters:
  ///   - writing: a pool of one thread, like `reading`.
  ///   - claim: makes the lock of this process, once the database is open.
  /// - Throws: ``StoreError``, or what it can be made of.
  init(
    _ directory: DataDirectory, surroundings: StoreSurroundings, writing: ThreadPool, reading: ThreadPool,
    gate: OpenGate, claim: () throws -> ProcessLock
  ) throws {
    self.directory = directory
    let opening = DatabaseOpening(directory: directory, random: surroundings.random)
    busyPolicy = opening.busyPolicy
    writer = try opening.writer()
    reader = try opening.reader()
    let writeLock = try FairWriteLock(
      path: directory.artifacts, wait: BusyWait(random: surroundings.random, policy: busyPolicy))
    opened = try OpenedFiles(directory)
    self.claim = try claim()
    ground = try DatabaseGround(directory, opened: opened, claim: self.claim, writer: writer, busyPolicy: busyPolicy)
    writes = WriteQueue(
      connection: SQLiteWriter(connection: writer, busyPolicy: busyPolicy, writeLock: writeLock, ground: ground),
      thread: writing, gate: gate)
    snapshots = SnapshotReader(opening: opening, opened: opened)
    self.gate = gate
    self.writing = writing
    self.reading = reading
  }

  func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
    try await withReader { try work(SQLiteSession($0)) }
  }

  func readNow<Value: Sendable>(_ work: (any SQLSession) throws -> Value) throws -> Value {
    try opened.checkDatabase()
    return try reader.read { try work(SQLiteSession($0)) }
  }

  func readWhole<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
    try await snapshots.run(work)
  }

  func watchWhole<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
    try await snapshots.run(work)
  }

  func copyDatabase(_ live: any SQLSession, to path: String) throws { try BackupFile.copyDatabase(live, to: path) }

  var hasFinishedWholeReads: Bool { snapshots.isFinished }

  func finishWholeReads() async { await snapshots.finish() }

  /// Runs `work` with the writing connection, on its thread, outside of any transaction.
  func withWriter<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await writing.run { [self] in
      try gate.check()
      return try writer.writeWithoutTransaction(work)
    }
  }

  /// Runs `work` with the reading connection, on its thread, in one transaction.
  func withReader<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await reading.run { [self] in
      try gate.check()
      // Another process may have opened what lies there now, and written into the log that both share.
      try opened.checkDatabase()
      return try reader.read(work)
    }
  }

  func checkGround() throws { try opened.check() }

  /// What is undone is never written; the disk is that of the data directory, where as much is tried as has failed.
  func tryWriting(_ changes: [TriedChange]) async throws {
    try await writes.run(isAlone: true) { session in try DatabaseHealth.rewriteFirstPage(in: session) }
  }

  func rescue() async {
    _ = try? await withWriter { [self] in try ground.check($0) }
  }

  /// Empties the write-ahead log, in which deleted data can still be read. A reader in another process may prevent it.
  func forgetDeleted() async -> Bool {
    let isEmpty = try? await withWriter { [busyPolicy] database in
      // Transfer most of the log while others may write; little is left for the truncation, which blocks writers.
      _ = try? database.checkpoint(.passive)
      return try busyPolicy.waitingBriefly { try database.checkpoint(.truncate).walFrameCount == 0 }
    }
    return isEmpty == true
  }

  func damage(in session: any SQLSession) throws -> [String] { try DatabaseHealth.damage(in: session) }

  func brokenReferences(in session: any SQLSession) throws -> [(table: String, parent: String)] {
    try DatabaseHealth.brokenReferences(in: session)
  }

  func examine() -> [IntegrityReport.Finding] { [] }

  /// The size of the file, without the write-ahead log.
  func bytes(in session: any SQLSession) throws -> Int {
    let (pages, bytes): (Int?, Int?) = (try session.value("PRAGMA page_count"), try session.value("PRAGMA page_size"))
    return (pages ?? 0) * (bytes ?? 0)
  }

  func fault(_ error: any Error) -> EngineFault? { SQLiteError.fault(error, in: directory) }

  func close(releasing presence: (any Presence)?) async {
    if ground.isOverwritten {
      // The last reference to a connection closes it as well, so that these are never given up.
      for connection in [reader, writer] { _ = Unmanaged.passRetained(connection) }
      return
    }
    _ = try? await reading.run { [self] in try reader.close() }
    _ = try? await writing.run { [self] in
      try writer.close()
      try presence?.release()
    }
  }
}

/// Tracks whether the store is open. It closes before the connections do: work that runs on their queues after that
/// must not use them.
final class OpenGate: Sendable {
  private let closed = Atomic<Bool>(false)

  var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }

  /// - Returns: false when it was already closed.
  func close() -> Bool { !closed.exchange(true, ordering: .sequentiallyConsistent) }

  func check() throws(AtelierError) {
    if isClosed { throw .storeClosed }
  }
}

/// Runs reads of the whole database, one at a time. Each has its own connection and all share a separate thread, so
/// that no other read or write waits for them.
final class SnapshotReader: Sendable {
  private let opening: DatabaseOpening
  private let opened: OpenedFiles
  private let thread = LazyThreadPool(width: 1)
  private let state = Mutex(State())

  private struct State {
    /// The connection of the running read.
    var connection: DatabaseQueue?
    var isFinished = false
  }

  init(opening: DatabaseOpening, opened: OpenedFiles) {
    self.opening = opening
    self.opened = opened
  }

  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Runs `work` with a read-only connection, outside of any transaction.
  func run<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
    try await runOnConnection { try work(SQLiteSession($0)) }
  }

  /// Runs work that is SQLite's own, as ``run(_:)`` does.
  func runOnConnection<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await thread.run { [self] in
      let connection = try begin()
      defer { end(connection) }
      return try connection.writeWithoutTransaction(work)
    }
  }

  /// Interrupts the running read and refuses every later one. Returns when no connection is left.
  func finish() async {
    state.withLock { state in
      state.isFinished = true
      state.connection?.interrupt()
    }
    await thread.finish()
  }

  private func begin() throws -> DatabaseQueue {
    if isFinished { throw AtelierError.storeClosed }
    let connection = try opening.reader()
    // It was opened by its name, which may lead to another database by now.
    try opened.checkDatabase()
    return try state.withLock { state in
      guard !state.isFinished else { throw AtelierError.storeClosed }
      state.connection = connection
      return connection
    }
  }

  private func end(_ connection: DatabaseQueue) {
    state.withLock { $0.connection = nil }
    // A connection that cannot be closed here is closed with its last reference.
    try? connection.close()
  }
}
