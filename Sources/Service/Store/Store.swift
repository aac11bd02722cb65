import POSIX
import Synchronization

/// The durable state of Atelier: generations from acceptance to end, their images, prepared inputs, and the process of
/// each generation.
///
/// Any number of processes share one ``DataDirectory``. Every function that changes something does so in one
/// transaction, which concurrent calls share; the change is durable when the function returns. Cancelling the calling
/// task interrupts no function. An image file is durable before the transaction that refers to it begins, and a row is
/// deleted before its file. Until that transaction is over, a pending note keeps every process from removing the file, see
/// ``FileStore``; no file changes while this process holds the write lock of the database.
///
/// A store that is released without ``close()`` is treated as the store of a dead process.
public final class Store: Sendable {
  public let directory: DataDirectory
  /// Identifies this process among those that share the directory.
  public var process: ProcessID { claim.id }

  let surroundings: StoreSurroundings
  let creditRules: CreditRules
  /// Whether history and ledger are in a database on a server.
  let isOnServer: Bool
  /// For how long another process counts as alive after it was last heard of; 0 where the system knows at once.
  let leaseMs: Int64
  let engine: any StoreEngine
  let claim: ProcessLock
  let presence: any Presence
  let files: any FileStore
  let localFiles: LocalFiles
  /// Handles several files in parallel: each waits for the disk most of its time, and the disk syncs several in hardly
  /// more time than one.
  let filing: ThreadPool
  let ledgerMonitor: LedgerMonitor
  let condition: StoreCondition
  let gate = OpenGate()
  /// Numbers this process's temporary files.
  let staged = Atomic<UInt64>(0)
  /// True when a failed change may have left a file without a row; the next recovery looks for it.
  let leftFiles = Atomic<Bool>(false)
  /// Whether removals that failed are being tried again.
  let isFinishingRemovals = Atomic<Bool>(false)
  /// When the time was last recorded, in milliseconds since 1970.
  let notedTime = Atomic<Int64>(.min)
  /// True when the write-ahead log may still contain deleted data.
  let owesLog = Atomic<Bool>(false)
  /// Counts in tests what each transaction would cost on an engine that is far away.
  let observer = Mutex<(any SessionObserver)?>(nil)

  /// Opens the store in `directory`, which is created when it is missing.
  ///
  /// Call ``recover()`` next: it recovers the work that dead processes left behind.
  /// - Parameters:
  ///   - server: where history and ledger are; nil for a file in the directory.
  ///   - bucket: where the pictures are; nil for a folder in the directory.
  ///   - begun: called on the store's own thread before any other work there.
  /// - Throws: ``StoreError``; existing data is then neither changed nor deleted.
  public static func open(
    directory: DataDirectory, server: PostgreSQLServer? = nil, bucket: PictureBucket? = nil,
    surroundings: StoreSurroundings, creditRules: CreditRules = CreditRules(), begun: @escaping @Sendable () -> Void = {}
  ) async throws(StoreError) -> Store {
    do {
      // All threads that a store cannot do without are there before it is opened, so none is missing when it closes.
      let writing = try ThreadPool(width: 1)
      let (reading, filing) = (try ThreadPool(width: 1), try ThreadPool(width: Self.filingThreads))
      return try await writing.run {
        begun()
        return try Store(
          directory: directory, server: server, bucket: bucket, surroundings: surroundings, creditRules: creditRules,
          writing: writing, reading: reading, filing: filing)
      }
    } catch let error as StoreError {
      throw error
    } catch let failure as FileFailure {
      throw directory.unusable(failure)
    } catch let failure as SystemError {
      throw StoreError(.failed, "\(failure) Allow this user more processes and threads (ulimit -u), or try again later.")
    } catch {
      if let server, let fault = PostgreSQLError.fault(error, server: server) {
        throw fault.reason ?? StoreError(.failed, "The database \(server.address.shown) cannot be used: \(fault.message).")
      }
      throw StoreError(.failed, "\(directory.path) could not be opened: \(error)")
    }
  }

  private static let filingThreads = 3

  private init(
    directory: DataDirectory, server: PostgreSQLServer?, bucket: PictureBucket?, surroundings: StoreSurroundings,
    creditRules: CreditRules, writing: ThreadPool, reading: ThreadPool, filing: ThreadPool
  ) throws {
    var surroundings = surroundings
    try directory.prepare()
    let entrance = try DirectoryEntrance(directory)
    self.filing = filing
    condition = StoreCondition(log: surroundings.log)
    if let server {
      claim = try ProcessLock(directory: directory, makeIdentifier: surroundings.makeIdentifier)
      let leases: PostgreSQLPresence
      do {
        let onServer = try PostgreSQLEngine(
          server, in: directory, surroundings: surroundings, writing: writing, reading: reading, gate: gate,
          process: claim.id)
        engine = onServer
        leases = try PostgreSQLPresence(server, over: onServer.heartbeats, onServer.reach, process: claim.id)
      } catch {
        // Opening is tried again while a server is away: each try would leave the files of a dead process.
        try? claim.release()
        throw error
      }
      if server.givesTime { surroundings.now = leases.time(orElse: surroundings.now) }
      presence = OwnPresences(claim: claim, leases: leases)
    } else {
      let sqlite = try SQLiteEngine(
        directory, surroundings: surroundings, writing: writing, reading: reading, gate: gate
      ) {
        try ProcessLock(directory: directory, makeIdentifier: surroundings.makeIdentifier)
      }
      (engine, claim) = (sqlite, sqlite.claim)
      presence = LockPresence(directory: directory, claim: claim)
    }
    ledgerMonitor = LedgerMonitor(engine: engine, log: surroundings.log)
    entrance.leave()
    let folder = ArtifactFolder(
      directory: directory, process: claim.id, folders: FolderSync(pool: filing), random: surroundings.random,
      reached: surroundings.reached)
    let threads = FileThreads(pool: filing, gate: gate)
    if let bucket {
      let inBucket = S3Files(
        bucket, in: directory, process: claim.id, presence: presence, engine: engine, threads: threads,
        surroundings: surroundings)
      (files, localFiles) = (inBucket, LocalFiles(directory: directory, cache: inBucket.cache))
    } else {
      files = FolderFiles(
        folder: folder, engine: engine, threads: threads, isRecordedElsewhere: server != nil)
      localFiles = LocalFiles(directory: directory, cache: nil)
    }
    self.directory = directory
    self.surroundings = surroundings
    self.creditRules = creditRules
    isOnServer = server != nil
    leaseMs = server?.leases.lease.wholeMilliseconds ?? 0
  }

  /// Closes the store. Queued generations are left for the next process; every later call fails.
  public func close() async {
    guard gate.close() else { return }
    // Nothing is lost if one of these fails: the next recovery finds a lock that it can take.
    await engine.finishWholeReads()
    await filing.finish()
    await withdrawAll()
    await engine.close(releasing: leftFiles.load(ordering: .relaxed) ? nil : presence)
  }

  /// Withdraws the notes of files that were neither used nor discarded: those that were put would remain.
  private func withdrawAll() async {
    do {
      try await files.withdrawAll()
    } catch {
      leftFiles.store(true, ordering: .relaxed)
    }
  }

  /// Runs file work on one of the threads for files.
  func withFiles<Value: Sendable>(
    isUrgent: Bool, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await FileThreads(pool: filing, gate: gate).run(isUrgent: isUrgent, work)
  }
}
