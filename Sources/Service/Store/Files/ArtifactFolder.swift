import Glibc
import POSIX

/// The files in the data directory that rows refer to, each named by its content, and the *pending notes* of those that a
/// row is about to refer to. Knows nothing of the database.
///
/// A staged file is the pending note of its content: it is there before the content gets its final name, and until the
/// transaction that refers to it is over. A file is removed only if neither a note nor a row names it, which is looked up
/// in this order, under a lock on the name that whoever gives the name holds as well. A note that comes after the look
/// comes before its file is put, and that waits for the lock; a note that was gone at the look has left its row.
struct ArtifactFolder: Sendable {
  let directory: DataDirectory
  let process: ProcessID
  let folders: FolderSync
  /// For the length of waits.
  let random: @Sendable () -> UInt64
  /// Called after each step; tests look at what a kill would leave there.
  let reached: @Sendable (FileStep) -> Void

  // MARK: Staging

  /// Writes the bytes of an artifact to a temporary file of this process and makes them durable.
  /// - Parameter number: tells this process's temporary files apart.
  func stage(_ bytes: [UInt8], as artifact: StoredArtifact, number: UInt64) throws(FileFailure) -> StagedArtifact {
    let path = "\(directory.temporary(of: process))/\(number)-\(artifact.name)"
    try FileSystem.writeDurably(bytes, to: path)
    reached(.staged)
    return StagedArtifact(artifact: artifact, temporaryPath: path, number: number)
  }

  /// The staged files of this process.
  func staged() throws(FileFailure) -> [(name: String, path: String)] {
    let folder = directory.temporary(of: process)
    return try FileSystem.names(in: folder).compactMap { entry in
      Self.artifactName(ofNote: entry).map { (name: $0, path: "\(folder)/\(entry)") }
    }
  }

  // MARK: Putting and removing

  /// Gives a staged file its final name, unless its content is there. The staged file stays.
  /// - Parameter recorded: what rows say about its place.
  /// - Returns: the folders to sync before a row may refer to it.
  func put(_ staged: StagedArtifact, _ recorded: RecordedPlace) throws -> Set<String> {
    let name = staged.artifact.name
    let (first, second) = (directory.firstFolder(ofArtifact: name), directory.folder(ofArtifact: name))
    // A folder that is there may be one that another process has made and not yet synced.
    var unsynced: Set<String> = [second]
    if try FileSystem.makeDirectory(first) || !recorded.isFirstFolder { unsynced.insert(directory.artifacts) }
    if try FileSystem.makeDirectory(second) || !recorded.isSecondFolder { unsynced.insert(first) }
    let isNew = try withLock(onName: name) { try giveName(to: staged) }
    reached(.named)
    return isNew || !recorded.isFile ? unsynced : []
  }

  /// - Returns: false when the file was there.
  private func giveName(to staged: StagedArtifact) throws -> Bool {
    let path = directory.path(ofArtifact: staged.artifact.name)
    // Without its note, the file could be removed before a row refers to it.
    guard try FileStatus(path: staged.temporaryPath) != nil else {
      throw FileFailure(operation: "name", path: path, code: ENOENT)
    }
    if let status = try FileStatus(path: path) {
      // What is made again mends what is damaged, were it of the right size.
      if status.isRegularFile, status.bytes == staged.artifact.bytes,
        try StoredArtifact.digest(FileSystem.read(path)) == staged.artifact.sha256
      {
        return false
      }
      try FileSystem.remove(path)
    }
    if Glibc.link(staged.temporaryPath, path) == 0 { return true }
    guard FileSystem.isWithoutLinks(errno) else { throw FileFailure(operation: "name", path: path, code: errno) }
    try copy(staged, to: path)
    return true
  }

  /// Gives a copy of a staged file the final name, where the file system has no hard links.
  func copy(_ staged: StagedArtifact, to path: String) throws(FileFailure) {
    let draft = "\(staged.temporaryPath).copy"
    _ = try FileCopy.copy(staged.temporaryPath, to: draft)
    guard rename(draft, path) == 0 else { throw FileFailure(operation: "name", path: path, code: errno) }
  }

  /// Makes what ``put(_:_:)`` has named durable.
  func sync(_ folders: Set<String>) throws(FileFailure) {
    try self.folders.sync(folders)
    reached(.synced)
  }

  /// Removes a file unless a note or a row names it.
  /// - Parameter isKnown: whether a row names it, as of now: asked after the look for notes.
  /// - Returns: whether it was removed.
  func remove(_ name: String, unless isKnown: () throws -> Bool) throws -> Bool {
    guard try FileStatus(path: directory.firstFolder(ofArtifact: name)) != nil else { return false }
    return try withLock(onName: name) {
      if try isPending(name) || isKnown() { return false }
      reached(.foundUnreferenced)
      try FileSystem.remove(directory.path(ofArtifact: name))
      reached(.removed)
      return true
    }
  }

  // MARK: Notes

  /// Whether a staged file of a living process has this content. What the dead have staged, no row will refer to.
  private func isPending(_ name: String) throws -> Bool {
    try processes().contains { other in try notes(of: other).contains(name) && isAlive(other) }
  }

  /// The contents that living processes have staged.
  func pendingNames() throws -> Set<String> {
    var pending: Set<String> = []
    for other in try processes() {
      let notes = try notes(of: other)
      if try !notes.isEmpty && isAlive(other) { pending.formUnion(notes) }
    }
    return pending
  }

  private func processes() throws -> [ProcessID] {
    try FileSystem.names(in: directory.temporary).map { ProcessID(rawValue: $0) }
      .filter { try $0.isFileName && FileStatus(path: directory.temporary(of: $0))?.isDirectory == true }
  }

  private func notes(of other: ProcessID) throws -> Set<String> {
    Set(try FileSystem.names(in: directory.temporary(of: other)).compactMap(Self.artifactName(ofNote:)))
  }

  /// True also where the lock is missing: somebody may have removed that of a living process.
  private func isAlive(_ other: ProcessID) throws -> Bool {
    let lock = directory.lock(of: other)
    return try other == process || FileStatus(path: lock) == nil || !FileLock.isFree(lock)
  }

  /// - Returns: nil for a file that is no note.
  private static func artifactName(ofNote entry: String) -> String? {
    guard let hyphen = entry.firstIndex(of: "-") else { return nil }
    let name = String(entry[entry.index(after: hyphen)...])
    return DataDirectory.isArtifactName(name) ? name : nil
  }

  // MARK: The lock on a name

  /// Runs `work` while nobody else, in this process or another, gives or takes a name that begins with the same two
  /// digits. Their folder is what is locked. Where there are hard links, nobody holds it while waiting for the disk.
  /// - Throws: a ``StoreError`` when others have held it for too long.
  private func withLock<Value>(onName name: String, _ work: () throws -> Value) throws -> Value {
    let folder = directory.firstFolder(ofArtifact: name)
    let wait = BusyWait(random: random)
    var tries = 0
    while true {
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileFailure(operation: "open the directory", path: folder, code: errno) }
      defer { close(descriptor) }
      if try FileLock.lock(descriptor, path: folder) {
        // A child process that is being started may have the descriptor as well.
        defer { flock(descriptor, LOCK_UN) }
        return try work()
      }
      guard wait.wait(after: tries) else {
        throw StoreError(.busy, "Another process has kept \(folder) locked for too long.")
      }
      tries += 1
    }
  }
}

/// What rows say about the place of a file: it is durable as far as a row relies on it.
struct RecordedPlace: Sendable {
  /// A row names the file.
  var isFile: Bool
  /// A row names a file in its folder.
  var isSecondFolder: Bool
  /// A row names a file in the folder of that.
  var isFirstFolder: Bool
}

/// The moments between which files and rows differ, in the order of a put and of a removal.
enum FileStep: Sendable, CaseIterable {
  case staged, named, synced, withdrawing, withdrawn
  case foundUnreferenced, removed
}
