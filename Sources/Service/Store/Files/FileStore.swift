import AtelierProtocol
import POSIX

/// Where the files are that rows refer to, each named by its content: a folder or a bucket.
///
/// Every file has a *pending note* from before it is there under its name until the transaction that refers to it is over. A
/// file is removed only if neither a note of a living process nor a row names it, which is looked up under a lock on the
/// name. So a row never names a file that is missing, and a file that nothing names is found by its note.
protocol FileStore: Sendable {
  /// Notes that a row may soon refer to bytes, and makes both durable.
  /// - Parameter number: tells this process's notes apart.
  func stage(_ bytes: [UInt8], as artifact: StoredArtifact, number: UInt64) async throws -> StagedArtifact

  /// Finds out whether files can be stored, as far as that is not seen at the data directory: all that storing needs is
  /// tried before the first one is.
  /// - Parameter trial: what to try anew; nil to trust in what was tried.
  /// - Throws: why they cannot be.
  func checkReady(trying trial: FileTrial?) async throws

  /// Whether the note of a staged file is gone, so that it must be staged again.
  func hasLost(_ staged: StagedArtifact) async throws -> Bool

  /// Makes sure that staged files are durable under their final names. The notes stay.
  func put(_ staged: [StagedArtifact]) async throws

  /// Called in the transaction that is about to refer to staged files, after ``put(_:)``.
  /// - Throws: when the note of one is gone, and so perhaps its file: somebody took this process for dead.
  func confirm(_ staged: [StagedArtifact], in session: any SQLSession) throws

  /// What ``confirm(_:in:)`` reads.
  func confirming(_ staged: [StagedArtifact]) -> [SQLQuery]

  /// Removes notes, then the files that they named and neither a row nor another note does.
  func withdraw(_ staged: [StagedArtifact]) async throws -> FileRemoval

  /// Removes all notes of this process, after the gate of the store has closed.
  /// - Throws: when some are left for whoever finds this process dead.
  func withdrawAll() async throws

  /// Removes those of the named files that neither a note nor a row names.
  func removeUnreferenced(_ names: [String]) async throws -> FileRemoval

  /// Carries out some of the removals that were begun and could not be ended.
  /// - Returns: how many are still to be carried out.
  func finishRemovals() async throws -> Int

  /// How many removals were begun and could not be ended: those files are still there, though nothing names them.
  func unfinishedRemovals() async throws -> Int

  /// Waits in the background until removals may be tried again; nil where nobody has to wait, because the files are here.
  var rest: (@Sendable (Duration) async throws -> Void)? { get }

  /// The bytes of a file, compared with the digest in its name.
  /// - Throws: `not_found` when it was deleted, `internal` when it was altered.
  func read(_ artifact: StoredArtifact) async throws -> [UInt8]

  /// Reads a file where it is kept, and no copy of it.
  /// - Throws: as ``read(_:)``.
  func fetch(_ artifact: StoredArtifact) async throws -> [UInt8]

  /// A link with which anybody can read a file that a row names, without a key.
  /// - Returns: nil where there is none.
  func link(to artifact: StoredArtifact, forSeconds seconds: Int) async throws -> FileLink?

  /// Whether there is something to sweep that no lock of a dead process on this machine tells of.
  func hasLeftovers() async throws -> Bool

  /// The first two digits of the names of files that dead processes may have left.
  func foldersToSweep() async throws -> [String]

  /// The files that dead processes have left and neither a note nor a row names.
  /// - Parameter folder: the first two digits of their names.
  func leftovers(in folder: String) async throws -> [String]

  /// All files that neither a note nor a row names. Looks at all there are, so it takes a while.
  func unreferenced() async throws -> [String]

  /// Forgets copies of files that were deleted elsewhere.
  func tidy() async throws

  /// Removes the notes of dead processes, after the files that they named.
  /// - Parameter locks: the paths of the locks of the dead.
  func forgetNotes(ofTheDead locks: Set<String>) async throws
}

/// A link with which anybody can read a file.
public struct FileLink: Sendable, Equatable {
  public let url: SecretLink
  /// When it ends, by the clock of this machine.
  public let expires: Timestamp
}

/// What became of files that were to be removed.
struct FileRemoval: Sendable, Equatable {
  /// How many were removed.
  var removed = 0
  /// Whether some are still there that nothing names.
  var hasLeftSome = false

  static func + (first: FileRemoval, second: FileRemoval) -> FileRemoval {
    FileRemoval(removed: first.removed + second.removed, hasLeftSome: first.hasLeftSome || second.hasLeftSome)
  }
}

/// The threads on which files are handled.
struct FileThreads: Sendable {
  let pool: ThreadPool
  let gate: OpenGate

  /// - Parameter isUrgent: true for quick work, which does not wait behind slow work.
  func run<Value: Sendable>(isUrgent: Bool, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await pool.run(isUrgent: isUrgent) {
      try gate.check()
      return try work()
    }
  }
}
