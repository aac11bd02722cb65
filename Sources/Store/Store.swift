import AtelierProtocol
import GRDB
import POSIX
import Synchronization

/// What Atelier remembers: generations from acceptance to end, their images, prepared inputs, and who works on what.
///
/// Any number of processes share one ``DataDirectory``. Every function that changes something does so in one
/// transaction, which calls that come together share; it is durable when they return. None is cut short when the
/// calling task is cancelled. Files come first: an image is durable before its row, and its row is gone before the
/// file. All changes to `artifacts/` happen while this process holds SQLite's write lock, so no process removes a file
/// that another is about to refer to.
///
/// A store that is released without ``close()`` counts as a process that died.
public final class Store: Sendable {
  public let directory: DataDirectory
  /// This process among those that share the directory.
  public var owner: OwnerID { claim.id }

  let surroundings: StoreSurroundings
  let creditRules: CreditRules
  let claim: OwnerLock
  let writer: DatabaseQueue
  let reader: DatabaseQueue
  let patience: BusyWait.Patience
  let writes: WriteQueue
  private let writing: BlockingQueue
  private let reading = BlockingQueue(label: "atelier.store.reading")
  /// Many files at a time: each waits for the disk most of its time, and the disk makes many durable in hardly more
  /// time than one. The threads come with the work and go when there is none.
  let filing = BlockingPool(label: "atelier.store.filing", width: 32)
  let look: SnapshotReader
  let ledgerWatch: LedgerMonitor
  private let gate = OpenGate()
  /// Numbers this process's temporary files.
  let staged = Atomic<UInt64>(0)
  /// True when a failed change may have left a file no row refers to; the next recovery looks for it.
  let leftFiles = Atomic<Bool>(false)
  /// When the time was last recorded, in milliseconds since 1970.
  let notedTime = Atomic<Int64>(.min)
  /// True when the write-ahead log may still hold what was deleted.
  let owesLog = Atomic<Bool>(false)

  /// Opens the store in `directory`, which is made when it is missing.
  ///
  /// Call ``recover()`` next: it settles what processes that died left behind.
  /// - Parameter begun: called on the store's own thread, before anything is done there.
  /// - Throws: ``StoreError``; nothing that was there has been changed or deleted then.
  public static func open(
    directory: DataDirectory, surroundings: StoreSurroundings, creditRules: CreditRules = CreditRules(),
    begun: @escaping @Sendable () -> Void = {}
  ) async throws(StoreError) -> Store {
    let writing = BlockingQueue(label: "atelier.store.writing")
    do {
      return try await writing.run {
        begun()
        return try Store(directory: directory, surroundings: surroundings, creditRules: creditRules, writing: writing)
      }
    } catch let error as StoreError {
      throw error
    } catch let failure as FileFailure {
      throw directory.unusable(failure)
    } catch {
      throw StoreError(.failed, "\(directory.path) could not be opened: \(error)")
    }
  }

  private init(
    directory: DataDirectory, surroundings: StoreSurroundings, creditRules: CreditRules, writing: BlockingQueue
  ) throws {
    try directory.prepare()
    let opening = DatabaseOpening(directory: directory, random: surroundings.random)
    patience = opening.patience
    writer = try opening.writer()
    reader = try opening.reader()
    let turnstile = try FairWriteLock(
      path: directory.artifacts, wait: BusyWait(random: surroundings.random, patience: patience))
    writes = WriteQueue(
      connection: writer, patience: patience, thread: writing, turnstile: turnstile,
      folders: FolderSync(pool: filing), gate: gate)
    look = SnapshotReader(opening: opening)
    ledgerWatch = LedgerMonitor(look: look, log: surroundings.log)
    claim = try OwnerLock(directory: directory, makeIdentifier: surroundings.makeIdentifier)
    self.directory = directory
    self.surroundings = surroundings
    self.creditRules = creditRules
    self.writing = writing
  }

  /// Ends this process's part. What is still queued is left for the next process; every later call fails.
  public func close() async {
    guard gate.close() else { return }
    // Nothing is lost when one of these fails: the next process to recover finds a lock it can take.
    await look.finish()
    await filing.finish()
    _ = try? await reading.run { [self] in try reader.close() }
    _ = try? await writing.run { [self] in
      try writer.close()
      if !leftFiles.load(ordering: .relaxed) { try claim.release() }
    }
  }

  /// Runs `work` with the connection that writes, on its queue, outside of any transaction.
  func withWriter<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await writing.run { [self] in
      try gate.check()
      return try writer.writeWithoutTransaction(work)
    }
  }

  /// Runs `work` with the connection that reads, on its queue, in one transaction.
  func withReader<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await reading.run { [self] in
      try gate.check()
      return try reader.read(work)
    }
  }

  /// Runs work on files, on one of their queues.
  func withFiles<Value: Sendable>(
    isUrgent: Bool, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await filing.run(isUrgent: isUrgent) { [self] in
      try gate.check()
      return try work()
    }
  }
}

/// Everything that would make two runs of the store differ: passed in.
public struct StoreSurroundings: Sendable {
  /// The time of day, for records and expiry.
  public var now: @Sendable () -> Timestamp
  /// A new opaque id that begins with `prefix`, of letters, digits, `_` and `-`; unique across processes.
  public var makeIdentifier: @Sendable (_ prefix: String) -> String
  /// Randomness for the length of waits.
  public var random: @Sendable () -> UInt64
  /// Told in one line what an operator should know, and whether it is a fault.
  public var log: Log

  public typealias Log = @Sendable (_ isFault: Bool, _ line: String) -> Void

  public init(
    now: @escaping @Sendable () -> Timestamp,
    makeIdentifier: @escaping @Sendable (_ prefix: String) -> String,
    random: @escaping @Sendable () -> UInt64,
    log: @escaping Log = { _, _ in }
  ) {
    self.now = now
    self.makeIdentifier = makeIdentifier
    self.random = random
    self.log = log
  }
}

/// Whether the store is open. Closed before its connections are: what runs on their queues after that must not touch
/// them.
final class OpenGate: Sendable {
  private let isClosed = Atomic<Bool>(false)

  /// - Returns: false when it was closed before.
  func close() -> Bool { !isClosed.exchange(true, ordering: .sequentiallyConsistent) }

  func check() throws(AtelierError) {
    if isClosed.load(ordering: .sequentiallyConsistent) { throw .storeClosed }
  }
}
