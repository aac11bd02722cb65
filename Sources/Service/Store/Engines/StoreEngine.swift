import AtelierProtocol

/// A database under a store: what each of the two kinds does in its own way. The statements are the same for both, see
/// ``SQLSession``.
protocol StoreEngine: Sendable {
  /// The changes that wait for a transaction.
  var writes: WriteQueue { get }

  /// Runs `work` in one read-only transaction, in parallel with writers.
  func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value

  /// Runs `work` as ``read(_:)`` does, on the calling thread, which waits for the connection.
  func readNow<Value: Sendable>(_ work: (any SQLSession) throws -> Value) throws -> Value

  /// Runs a read of the whole database, which no other read and no write waits for. One runs at a time.
  func readWhole<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value

  /// Runs `work` as ``readWhole(_:)`` does, outside of any transaction: it sees every change.
  func watchWhole<Value: Sendable>(_ work: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value

  /// Copies one moment of the database into the new file `path` as a database of SQLite, readable by its owner only, and
  /// makes it durable; writers do not wait.
  /// - Parameter live: what ``watchWhole(_:)`` gives.
  func copyDatabase(_ live: any SQLSession, to path: String) throws

  /// Whether ``finishWholeReads()`` was called.
  var hasFinishedWholeReads: Bool { get }

  /// Interrupts the running read of the whole and refuses every later one. Returns when none is left.
  func finishWholeReads() async

  /// Looks whether what was opened is still what its name leads to.
  /// - Throws: what ``fault(_:)`` explains.
  func checkGround() throws

  /// Writes something that changes nothing, so that a fault shows.
  /// - Parameter changes: made and undone, where the database can lack something that the data directory has.
  func tryWriting(_ changes: [TriedChange]) async throws

  /// Puts in safety what was promised, after the database has lost its name.
  func rescue() async

  /// Removes what was deleted from where the engine still has it.
  /// - Returns: false when that is not possible now.
  func forgetDeleted() async -> Bool

  /// What is wrong with the database, as it finds by itself: one line for each damage.
  func damage(in session: any SQLSession) throws -> [String]

  /// The rows that refer to rows which are not there: the tables of both.
  func brokenReferences(in session: any SQLSession) throws -> [(table: String, parent: String)]

  /// What an operator should know about the server that keeps the database; nothing where there is none.
  func examine() async throws -> [IntegrityReport.Finding]

  /// The size of the database in bytes.
  func bytes(in session: any SQLSession) throws -> Int

  /// What an error of the database means; nil for an error of something else.
  func fault(_ error: any Error) -> EngineFault?

  /// Closes the connections, after the gate.
  /// - Parameter presence: takes leave after the last change, when another process need not look for what this one has
  ///   left; nil when it must.
  func close(releasing presence: (any Presence)?) async
}

/// What an error of the database means, whatever its engine.
struct EngineFault {
  /// What it says about the machine or the server; nil when the statement itself is at fault.
  var reason: StoreError?
  /// For a caller on the wire, with the code of the engine.
  var wireError: AtelierError
  /// Whether the stored data contradict themselves.
  var isDamage: Bool
  /// The engine's own words.
  var message: String
}
