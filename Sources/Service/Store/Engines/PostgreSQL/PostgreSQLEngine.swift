import AtelierProtocol
import POSIX
import Synchronization

/// The connections of one process to a database on a server, and the threads that they are used on.
final class PostgreSQLEngine: StoreEngine {
  let writes: WriteQueue
  private let server: PostgreSQLServer
  private let random: @Sendable () -> UInt64
  /// What all connections know of the server.
  let reach: PostgreSQLReach
  /// For the lease of this process.
  let heartbeats: PostgreSQLLink
  private let writer: PostgreSQLLink
  private let reader: PostgreSQLLink
  private let opened: OpenedFiles
  private let gate: OpenGate
  private let writing: ThreadPool
  private let reading: ThreadPool
  private let readingWhole = LazyThreadPool(width: 1)
  private let isFinished = Atomic<Bool>(false)

  private static let readOnly = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

  /// Opens the database, whose tables are created when it is empty.
  /// - Parameters:
  ///   - directory: for everything that is not in the database.
  ///   - writing: a pool of one thread, like `reading`.
  ///   - process: this one.
  /// - Throws: ``StoreError``, or what ``fault(_:)`` explains.
  init(
    _ server: PostgreSQLServer, in directory: DataDirectory, surroundings: StoreSurroundings, writing: ThreadPool,
    reading: ThreadPool, gate: OpenGate, process: ProcessID
  ) throws {
    self.server = server
    random = surroundings.random
    self.gate = gate
    self.writing = writing
    self.reading = reading
    let (reach, opening) = (PostgreSQLReach(clock: server.clock), PostgreSQLOpening(server: server))
    self.reach = reach
    let first = try opening.openAll(over: reach)
    opened = try OpenedFiles(directory, hasDatabase: false)
    let link = { (use: PostgreSQLServer.Use, connection: PostgreSQLConnection) in
      PostgreSQLLink(
        server, for: use, over: reach, beginningWith: connection, examining: opening.requireKnownVersion)
    }
    (writer, reader) = (link(.writing, first.writing), link(.reading, first.reading))
    heartbeats = link(.heartbeats, first.heartbeats)
    writes = WriteQueue(
      connection: PostgreSQLWriter(
        writer, process: process, makeIdentifier: surroundings.makeIdentifier, random: surroundings.random),
      thread: writing, gate: gate)
  }

  // MARK: Reading

  func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
    try await reading.run { [self] in
      try gate.check()
      return try readNow(work)
    }
  }

  func readNow<Value: Sendable>(_ work: (any SQLSession) throws -> Value) throws -> Value {
    try reader.retrying(random) { try reader.withConnection { try Self.reading(over: $0, work) } }
  }

  func readWhole<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
    try await readingWhole.run { [self] in
      if hasFinishedWholeReads { throw AtelierError.storeClosed }
      return try whole.withConnection { try Self.reading(over: $0, work) }
    }
  }

  func watchWhole<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
    try await readingWhole.run { [self] in
      if hasFinishedWholeReads { throw AtelierError.storeClosed }
      return try whole.withConnection { try work(PostgreSQLSession($0, beginning: [])) }
    }
  }

  func copyDatabase(_ live: any SQLSession, to path: String) throws {
    try whole.withConnection { connection in
      try Self.reading(over: connection) { session in
        // Its disk may be slower than a transaction may be idle.
        try session.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        _ = try DatabaseDraft.write(to: path, from: session, TableCopy(), random: random)
      }
    }
  }

  /// A connection of its own.
  private var whole: PostgreSQLLink {
    PostgreSQLLink(
      server, for: .readingWhole, over: reach, examining: PostgreSQLOpening(server: server).requireKnownVersion,
      givingUpIf: { [weak self] in self?.hasFinishedWholeReads != false })
  }

  /// One snapshot, whatever the number of statements.
  private static func reading<Value>(
    over connection: PostgreSQLConnection, _ work: (any SQLSession) throws -> Value
  ) throws -> Value {
    let session = PostgreSQLSession(connection, beginning: [.init(text: readOnly)])
    do {
      let value = try work(session)
      session.leave(with: .init(text: "COMMIT"))
      return value
    } catch {
      session.leave(with: .init(text: "ROLLBACK"))
      throw error
    }
  }

  var hasFinishedWholeReads: Bool { isFinished.load(ordering: .sequentiallyConsistent) }

  func finishWholeReads() async {
    isFinished.store(true, ordering: .sequentiallyConsistent)
    await readingWhole.finish()
  }

  // MARK: Ground

  func checkGround() throws {
    try opened.check()
    try reach.checkKnown()
  }

  /// Asks over each connection that storing needs, and whether every right is still there.
  func tryWriting(_ changes: [TriedChange]) async throws {
    try await read { [server] session in
      guard let session = session as? PostgreSQLSession else { return }
      try PostgreSQLOpening(server: server).requireRights(session)
    }
    for change in changes { try await tryOut(change) }
    try await writes.run(isAlone: true) { _ in }
  }

  /// Undoes a change that was tried.
  private struct TriedOut: Error {}

  private func tryOut(_ change: @escaping TriedChange) async throws {
    do {
      try await writes.run(isAlone: true) { session in
        try change(session)
        // What was deferred is written now, and what is checked at the end is checked.
        _ = try session.rows("SET CONSTRAINTS ALL IMMEDIATE")
        throw TriedOut()
      }
    } catch is TriedOut {
    } catch where (error is PostgreSQLFault || error is SQLFault) && fault(error)?.reason != nil {
      throw error
    } catch {
      // By now the change itself is refused, which says nothing about the server.
      try gate.check()
    }
  }

  /// What was committed is on the server.
  func rescue() async {}

  /// What was deleted is the server's affair: it lies in dead rows until the next VACUUM.
  func forgetDeleted() async -> Bool { true }

  /// The server checks its pages itself, where they have checksums.
  func damage(in session: any SQLSession) -> [String] { [] }

  /// The server sees to it with every change.
  func brokenReferences(in session: any SQLSession) -> [(table: String, parent: String)] { [] }

  func examine() async throws -> [IntegrityReport.Finding] {
    try await readingWhole.run { [server] in try PostgreSQLExamination(server: server).findings() }
  }

  func bytes(in session: any SQLSession) throws -> Int {
    try session.value("SELECT pg_database_size(current_database())") ?? 0
  }

  func fault(_ error: any Error) -> EngineFault? { PostgreSQLError.fault(error, server: server) }

  func close(releasing presence: (any Presence)?) async {
    _ = try? await reading.run { [self] in reader.close() }
    _ = try? await writing.run { [self] in
      writer.close()
      try presence?.release()
    }
  }
}
