import AtelierProtocol
import ObjectStorage
import POSIX

/// A bucket for the pictures of a store.
public struct PictureBucket: Sendable {
  public var bucket: Bucket
  /// How many bytes of it are kept on this machine as well.
  public var cacheBytes: Int
  /// Whether the operator has confirmed that deleted pictures may stay in it.
  public var mayKeepVersions: Bool
  /// Milliseconds on a clock that never jumps.
  public var uptimeMs: @Sendable () -> Int64
  /// Waits, or throws when the task is cancelled.
  public var wait: @Sendable (Duration) async throws -> Void
  /// Waits in the background until something is tried again that nobody waits for.
  public var rest: @Sendable (Duration) async throws -> Void

  public init(
    bucket: Bucket, cacheBytes: Int, mayKeepVersions: Bool = false, uptimeMs: @escaping @Sendable () -> Int64,
    wait: @escaping @Sendable (Duration) async throws -> Void, rest: @escaping @Sendable (Duration) async throws -> Void
  ) {
    (self.bucket, self.cacheBytes, self.mayKeepVersions) = (bucket, cacheBytes, mayKeepVersions)
    (self.uptimeMs, self.wait, self.rest) = (uptimeMs, wait, rest)
  }
}

/// Files in a bucket, which processes of many machines share. Notes are rows, and what was read or made here is in a cache.
///
/// A file is removed in three steps, so that no lock is held while the bucket is spoken to: a transaction finds under the
/// lock on the name that neither a note of a living process nor a row names it, and says that it is being removed; the
/// object is deleted; another transaction says that this is over. Whoever stages the same content notes it under the same
/// lock. So either the removal finds the note, or the note finds the removal, and then waits for its end and puts anew.
struct S3Files: FileStore {
  let bucket: Bucket
  let cache: ArtifactCache
  let engine: any StoreEngine
  let threads: FileThreads
  let directory: DataDirectory
  let process: ProcessID
  let presence: any Presence
  let reach: BucketReach
  let versions: BucketVersions
  let rest: (@Sendable (Duration) async throws -> Void)?
  let removals = OwnRemovals()
  /// Waits while another process removes a file of the same content.
  let wait: @Sendable (Duration) async throws -> Void

  init(
    _ place: PictureBucket, in directory: DataDirectory, process: ProcessID, presence: any Presence,
    engine: any StoreEngine, threads: FileThreads, surroundings: StoreSurroundings
  ) {
    (bucket, wait, rest) = (place.bucket, place.wait, place.rest)
    (reach, versions) = (BucketReach(uptimeMs: place.uptimeMs), BucketVersions(place))
    (self.directory, self.process, self.presence) = (directory, process, presence)
    (self.engine, self.threads) = (engine, threads)
    let drafts = directory.temporary(of: process)
    cache = ArtifactCache(folder: directory.cache, mostBytes: place.cacheBytes) {
      "\(drafts)/\(surroundings.makeIdentifier("draft_"))"
    }
  }

  /// How often it is looked whether a removal is over, every tenth of a second.
  private static let mostLooks = 100

  /// `ab/cd/<sha256>.<ext>`, as below the folder of the pictures: one can be copied to the other.
  static func key(_ name: String) -> String { "\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)" }

  // MARK: Staging

  func stage(_ bytes: [UInt8], as artifact: StoredArtifact, number: UInt64) async throws -> StagedArtifact {
    try await uninterrupted {
      try await versions.check()
      var staged = StagedArtifact(artifact: artifact, temporaryPath: cache.path(of: artifact.name), number: number)
      if try await note(artifact.name, number: number) { return staged }
      do throws(BucketError) {
        _ = try await bucket.put(bytes, as: Self.key(artifact.name), mimeType: artifact.mimeType)
      } catch {
        reach.noteFailure()
        // Its answer may be lost, and the object there.
        _ = try? await withdraw([staged])
        throw StoreError(error)
      }
      reach.noteSuccess()
      let isKept = try? await threads.run(isUrgent: false) { try cache.keep(bytes, as: artifact.name) }
      if isKept == true { staged.artifact.path = cache.path(of: artifact.name) }
      return staged
    }
  }

  private enum Noting {
    /// - Parameter isKnown: whether a row names the file, so that it is there.
    case noted(isKnown: Bool)
    case isBeingRemoved
    case mustBeRemoved
  }

  /// Notes a name, as soon as nobody removes a file of it.
  /// - Returns: whether the file is there.
  private func note(_ name: String, number: UInt64) async throws -> Bool {
    for _ in 0..<Self.mostLooks {
      let isKnown = try await removals.run { removal -> Bool? in
        switch try await tryNoting(name, number: number, removal) {
        case .noted(let isKnown): return isKnown
        case .mustBeRemoved: if try await remove([name]).hasLeftSome { try await wait(.milliseconds(100)) }
        case .isBeingRemoved: try await wait(.milliseconds(100))
        }
        return nil
      }
      if let isKnown { return isKnown }
    }
    throw StoreError(.busy, "Another process has not finished removing a picture from the bucket for too long.")
  }

  private func tryNoting(_ name: String, number: UInt64, _ removal: Int) async throws -> Noting {
    try await engine.writes.run { session in
      try session.lock(.file(name: name))
      if let remover = try session.fileNotes.remover(of: name) {
        if try isRemoving(name, remover) { return .isBeingRemoved }
        removals.begin(name, removal)
        try session.fileNotes.beginRemoval(of: name, by: process)
        return .mustBeRemoved
      }
      let isKnown = try !session.artifacts.known(among: [name]).isEmpty
      try session.fileNotes.insert(name, by: process, number: number)
      return .noted(isKnown: isKnown)
    }
  }

  /// Whether a process may still refer to what its notes name, or end what it removes. One that was not heard of for long
  /// may.
  func isAlive(_ other: ProcessID) throws -> Bool {
    if other == .nobody { return false }
    return try other == process || presence.absences(among: [other])[other] != .ended
  }

  /// Whether a removal is under way.
  func isRemoving(_ name: String, _ remover: ProcessID) throws -> Bool {
    try remover == process ? removals.contains(name) : isAlive(remover)
  }

  func hasLost(_ staged: StagedArtifact) async throws -> Bool {
    try await engine.read { session in
      try !session.fileNotes.notes(of: process).contains { $0.number == staged.number }
    }
  }

  /// It was put when it was staged.
  func put(_ staged: [StagedArtifact]) async throws {}

  func confirming(_ staged: [StagedArtifact]) -> [SQLQuery] { staged.isEmpty ? [] : [FileNoteTable.notes(of: process)] }

  func confirm(_ staged: [StagedArtifact], in session: any SQLSession) throws {
    if staged.isEmpty { return }
    let numbers = Set(try session.fileNotes.notes(of: process).map(\.number))
    guard staged.allSatisfy({ numbers.contains($0.number) }) else {
      throw StoreError(.busy, "Another process took this one for dead, and may have removed what it had stored.")
    }
  }

  // MARK: Removing

  func withdraw(_ staged: [StagedArtifact]) async throws -> FileRemoval {
    try await uninterrupted {
      try await removals.run { removal in
        let claimed = try await engine.writes.run { session in
          for file in staged { try session.fileNotes.delete(of: process, number: file.number) }
          return try claim(staged.map(\.artifact.name), removal, in: session)
        }
        return try await remove(claimed)
      }
    }
  }

  /// The gate is closed, so nothing can be written any more.
  func withdrawAll() async throws {
    let isAnyLeft = try engine.readNow { try !$0.fileNotes.notes(of: process).isEmpty }
    if isAnyLeft { throw StoreError(.failed, "Some pictures in the bucket are left for the next process to remove.") }
  }

  func removeUnreferenced(_ names: [String]) async throws -> FileRemoval {
    try await uninterrupted {
      var removal = FileRemoval()
      var rest = names[...]
      while !rest.isEmpty {
        let some = Array(rest.prefix(Self.mostTogether))
        rest = rest.dropFirst(some.count)
        let part = try await removals.run { removal in
          try await remove(try await engine.writes.run { session in try claim(some, removal, in: session) })
        }
        removal = removal + part
      }
      return removal
    }
  }

  func finishRemovals() async throws -> Int {
    let names = try await engine.read { try $0.fileNotes.leftRemovals(atMost: Self.mostTogether) }
    if !names.isEmpty { _ = try await removeUnreferenced(names) }
    return try await engine.read { try $0.fileNotes.countLeftRemovals() }
  }

  func unfinishedRemovals() async throws -> Int { try await engine.read { try $0.fileNotes.countLeftRemovals() } }

  /// How many removals are carried out in one go.
  private static let mostTogether = 100

  /// Says of those names that neither a note nor a row has that this process removes their files.
  private func claim(_ names: [String], _ removal: Int, in session: any SQLSession) throws -> [String] {
    let names = Set(names.filter(DataDirectory.isArtifactName)).sorted()
    if names.isEmpty { return [] }
    // In one order, so that nobody waits for somebody who waits.
    for name in names { try session.lock(.file(name: name)) }
    var kept = try session.artifacts.known(among: names)
    for note in try session.fileNotes.processes(noting: names) {
      if try isAlive(note.process) {
        kept.insert(note.name)
      } else {
        // One that comes back all the same, as from a long sleep, finds that it must put its file again.
        try session.fileNotes.delete(note.name, of: note.process)
      }
    }
    return try names.filter { name in
      if kept.contains(name) { return false }
      if let remover = try session.fileNotes.remover(of: name), try isRemoving(name, remover) { return false }
      removals.begin(name, removal)
      try session.fileNotes.beginRemoval(of: name, by: process)
      return true
    }
  }

  /// How many objects are deleted at a time.
  private static let width = 8

  /// Removes files whose removal this process has begun.
  private func remove(_ names: [String]) async throws -> FileRemoval {
    if names.isEmpty { return FileRemoval() }
    _ = try? await threads.run(isUrgent: true) { for name in names { try? cache.remove(name) } }
    var (deleted, left) = ([String](), [String]())
    await withTaskGroup(of: (name: String, isDeleted: Bool).self) { group in
      var rest = names[...]
      func begin() {
        guard let name = rest.popFirst() else { return }
        group.addTask {
          do throws(BucketError) {
            try await bucket.delete(Self.key(name))
            return (name, true)
          } catch {
            return (name, false)
          }
        }
      }
      for _ in 0..<Self.width { begin() }
      while let outcome = await group.next() {
        if outcome.isDeleted { deleted.append(outcome.name) } else { left.append(outcome.name) }
        begin()
      }
    }
    let ended = (deleted: deleted, left: left)
    try await engine.writes.run { session in
      for name in ended.deleted { try session.fileNotes.endRemoval(of: name, by: process) }
      for name in ended.left { try session.fileNotes.leaveRemoval(of: name, by: process) }
    }
    return FileRemoval(removed: deleted.count, hasLeftSome: !left.isEmpty)
  }

  /// Runs `work` to its end also where the task is cancelled: half of it would leave what nobody refers to.
  private func uninterrupted<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await Task(operation: work).value
  }
}
