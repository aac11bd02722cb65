import AtelierProtocol
import POSIX

/// Files in the data directory, which every process of this machine shares.
struct FolderFiles: FileStore {
  let folder: ArtifactFolder
  let engine: any StoreEngine
  let threads: FileThreads
  /// Whether the records of these files are elsewhere than in the data directory.
  let isRecordedElsewhere: Bool

  private var directory: DataDirectory { folder.directory }

  func stage(_ bytes: [UInt8], as artifact: StoredArtifact, number: UInt64) async throws -> StagedArtifact {
    try await threads.run(isUrgent: false) {
      do throws(FileFailure) {
        return try folder.stage(bytes, as: artifact, number: number)
      } catch where error.isMissing {
        // Cleaning programs and people remove what is called temporary. Not where the data directory itself is gone or
        // another one.
        try engine.checkGround()
        try directory.makeTemporaryFolder(of: folder.process)
        return try folder.stage(bytes, as: artifact, number: number)
      }
    }
  }

  /// All is seen at the data directory.
  func checkReady(trying trial: FileTrial?) {}

  func hasLost(_ staged: StagedArtifact) async throws -> Bool {
    try await threads.run(isUrgent: true) { try FileStatus(path: staged.temporaryPath) == nil }
  }

  func put(_ staged: [StagedArtifact]) async throws {
    try await threads.run(isUrgent: true) {
      // A file in another folder of this name would be missing when the right one is back.
      try engine.checkGround()
      let places = try engine.readNow { session in
        try staged.map { try session.artifacts.recordedPlace(of: $0.artifact.name) }
      }
      var unsynced: Set<String> = []
      for (file, place) in zip(staged, places) { unsynced.formUnion(try folder.put(file, place)) }
      try folder.sync(unsynced)
    }
  }

  /// The lock of a living process is never free, so nobody takes its notes.
  func confirm(_ staged: [StagedArtifact], in session: any SQLSession) {}
  func confirming(_ staged: [StagedArtifact]) -> [SQLQuery] { [] }

  func link(to artifact: StoredArtifact, forSeconds seconds: Int) -> FileLink? { nil }

  // MARK: Removing

  func withdraw(_ staged: [StagedArtifact]) async throws -> FileRemoval {
    let notes = staged.map { (name: $0.artifact.name, path: $0.temporaryPath) }
    return try await threads.run(isUrgent: true) { try withdraw(notes) }
  }

  func withdrawAll() async throws {
    let removal = try await threads.pool.run {
      let staged = try folder.staged()
      return staged.isEmpty ? FileRemoval() : try withdraw(staged)
    }
    if removal.hasLeftSome { throw StoreError(.failed, "Some files could not be removed.") }
  }

  /// If somebody deletes a row of one of the files meanwhile, the one who looks last removes it.
  private func withdraw(_ notes: [(name: String, path: String)]) throws -> FileRemoval {
    folder.reached(.withdrawing)
    // A note that cannot be removed now is removed with the other temporary files of this process.
    for note in notes { try? FileSystem.remove(note.path) }
    folder.reached(.withdrawn)
    let names = try notes.map(\.name).filter { try FileStatus(path: directory.path(ofArtifact: $0)) != nil }
    if names.isEmpty { return FileRemoval() }
    let known = try engine.readNow { try $0.artifacts.known(among: names) }
    return try names.filter { !known.contains($0) }.reduce(FileRemoval()) { try $0 + remove($1) }
  }

  func removeUnreferenced(_ names: [String]) async throws -> FileRemoval {
    var (removal, rest) = (FileRemoval(), names[...])
    while !rest.isEmpty {
      let names = rest
      let (some, done) = try await threads.run(isUrgent: true) { try removeSome(names) }
      removal = removal + some
      rest = rest.dropFirst(done)
    }
    return removal
  }

  /// Removes as many as fit in a short time, in which other file work waits.
  private func removeSome(_ names: ArraySlice<String>) throws -> (removal: FileRemoval, done: Int) {
    let end = ContinuousClock.now + .milliseconds(10)
    var (removal, done) = (FileRemoval(), 0)
    for name in names {
      removal = try removal + remove(name)
      done += 1
      if .now >= end { break }
    }
    return (removal, done)
  }

  /// What cannot be removed now is found by the next sweep.
  func finishRemovals() -> Int { 0 }
  func unfinishedRemovals() -> Int { 0 }
  var rest: (@Sendable (Duration) async throws -> Void)? { nil }

  private func remove(_ name: String) throws -> FileRemoval {
    // In another directory, everything would belong to nothing.
    try engine.checkGround()
    do {
      let isRemoved = try folder.remove(name) {
        try engine.readNow { try !$0.artifacts.known(among: [name]).isEmpty }
      }
      return FileRemoval(removed: isRemoved ? 1 : 0)
    } catch is FileFailure {
      // No row refers to it, so only disk space is lost; the next recovery tries again.
      return FileRemoval(hasLeftSome: true)
    }
  }

  // MARK: Reading

  func read(_ artifact: StoredArtifact) async throws -> [UInt8] {
    try await threads.run(isUrgent: false) {
      // A path made elsewhere is not trusted; the digest determines the file.
      guard DataDirectory.isArtifactName(artifact.name) else { throw AtelierError(.notFound) }
      let bytes: [UInt8]
      do throws(FileFailure) {
        bytes = try FileSystem.read(directory.path(ofArtifact: artifact.name))
      } catch where error.isMissing {
        throw AtelierError.fileDeleted
      }
      guard StoredArtifact.digest(bytes) == artifact.sha256 else { throw AtelierError.fileAltered }
      return bytes
    }
  }

  func fetch(_ artifact: StoredArtifact) async throws -> [UInt8] { try await read(artifact) }

  // MARK: Sweeping

  /// Every file that was left has the lock of its process beside it.
  func hasLeftovers() -> Bool { false }

  /// There are no copies.
  func tidy() {}

  func foldersToSweep() async throws -> [String] {
    try await threads.run(isUrgent: false) {
      try FileSystem.names(in: directory.artifacts).filter { $0.utf8.count == 2 }
    }
  }

  /// What is unknown to a database on a server may be known to the one in the data directory, which somebody has not copied
  /// yet or works with again.
  func leftovers(in folder: String) async throws -> [String] {
    if isRecordedElsewhere, directory.hasDatabase { return [] }
    return try await unknown(in: folder)
  }

  /// Files, notes and rows are looked up in this order: a file that becomes an artifact meanwhile has its row by the time
  /// its note is gone.
  private func unknown(in folder: String) async throws -> [String] {
    let found = try await threads.run(isUrgent: false) { try directory.artifactFiles(in: folder) }
    if found.isEmpty { return [] }
    let pending = try await threads.run(isUrgent: false) { try self.folder.pendingNames() }
    let known = Set(try await engine.read { try $0.artifacts.names(beginningWith: folder) })
    return found.filter { !pending.contains($0) && !known.contains($0) }
  }

  func unreferenced() async throws -> [String] {
    var files: [String] = []
    for folder in try await foldersToSweep() { files += try await unknown(in: folder) }
    return files
  }

  /// They are among the temporary files of the dead.
  func forgetNotes(ofTheDead locks: Set<String>) async throws {
    try await threads.run(isUrgent: false) { try directory.removeTemporaryFiles(ofTheDead: locks, but: folder.process) }
  }
}

extension DataDirectory {
  /// Makes the folder of a process's temporary files again.
  func makeTemporaryFolder(of process: ProcessID) throws(FileFailure) {
    _ = try FileSystem.makeDirectory(temporary)
    _ = try FileSystem.makeDirectory(temporary(of: process))
  }

  /// - Parameters:
  ///   - locks: the paths of the locks of the dead.
  ///   - process: the one that asks.
  func removeTemporaryFiles(ofTheDead locks: Set<String>, but process: ProcessID) throws {
    for name in try FileSystem.names(in: temporary) {
      let other = ProcessID(rawValue: name)
      guard other != process, other.isFileName else { continue }
      let path = lock(of: other)
      guard try locks.contains(path) || FileStatus(path: path) == nil else { continue }
      // A directory that cannot be removed does no harm; the next sweep finds it again.
      try? FileSystem.removeFlatDirectory(temporary(of: other))
    }
  }
}
