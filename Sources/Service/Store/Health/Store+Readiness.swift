import AtelierProtocol
import Glibc
import POSIX

/// Whether what a provider will deliver can be kept: found out before it is asked, because its work is paid for.
extension Store {
  /// Call this before a provider is asked.
  ///
  /// While the store is sound as far as is known, this only compares names with what was opened, and creates an empty
  /// file. After a failed write it writes as a result is written, and waits for the disk; one trial serves all callers.
  /// - Throws: `storage_unavailable`, `storage_full`, `overloaded` when files or connections have run out, or `internal`
  ///   when the database is damaged.
  public func checkReady() async throws(AtelierError) {
    if let fault = await currentFault() { throw fault.reason.atelierError }
  }

  /// Does the same before work that is paid. The first time, and again after a fault, everything that keeping a result needs
  /// is tried, with every right and every part of the store.
  /// - Throws: as ``checkReady()``.
  public func checkReadyToPay() async throws(AtelierError) {
    if let fault = await currentFault(isThorough: !condition.isProven) { throw fault.reason.atelierError }
  }

  /// Why nothing can be kept now; nil when it can. Notices both that it no longer can and that it can again.
  /// - Parameters:
  ///   - isThorough: true to write and wait for the disk even if the last write succeeded.
  ///   - bytes: the size of a file that a thorough trial must be able to keep.
  func currentFault(isThorough: Bool = false, bytes: Int = 0) async -> StorageFault? {
    if isThorough || condition.fault != nil {
      return await condition.share { [self] in await tryWriting(bytes: bytes) }
    }
    do {
      try await withFiles(isUrgent: true) { [self] in try look() }
      try await files.checkReady(trying: nil)
      return nil
    } catch {
      let fault = noteFault(in: error)
      // The writer knows how to put what was promised in safety.
      if fault?.reason.kind == .moved { await engine.rescue() }
      return fault
    }
  }

  /// Remembers what a failed write says about the machine.
  /// - Parameters:
  ///   - file: what was to be written.
  ///   - change: what has failed, where it is a change to the database.
  ///   - isOfResult: whether it is a result that could not be kept.
  @discardableResult
  func noteFault(
    in error: any Error, writing file: FileTrial = FileTrial(), of change: TriedChange? = nil, isOfResult: Bool = false
  ) -> StorageFault? {
    guard var fault = StorageFault(error, in: directory, engine: engine) else { return nil }
    fault.trial = fault.trial.including(file)
    condition.note(fault, of: change, isOfResult: isOfResult)
    return fault
  }

  /// What can be seen without waiting for the disk. Makes the folder of temporary files and the lock of this process
  /// again where they were removed: nothing else depends on them.
  private func look() throws {
    try engine.checkGround()
    try directory.makeTemporaryFolder(of: process)
    try claim.keep()
    try FileSystem.tryCreating(in: directory.temporary(of: process), name: Self.trialName)
    guard access(directory.artifacts, W_OK | X_OK) == 0 else {
      throw FileFailure(operation: "write to", path: directory.artifacts, code: errno)
    }
  }

  /// Writes everywhere where a result is written, and what failed last as it failed, and waits for the disk.
  private func tryWriting(bytes: Int) async -> StorageFault? {
    let (fault, failed) = (condition.fault, condition.failed)
    if let fault, fault.isLasting { return fault }
    var trial = FileTrial(bytes: max(bytes, FileTrial.leastBytes))
    if let fault { trial = fault.trial.including(trial) }
    trial.bytes = min(trial.bytes, FileTrial.mostBytes)
    do {
      try await withFiles(isUrgent: true) { [self, trial] in
        try look()
        try FileSystem.tryCreating(in: directory.temporary(of: process), name: Self.trialName, bytes: trial.bytes)
        let name = "\(process.rawValue).trial"
        for folder in Set([directory.artifacts, trial.folder ?? directory.artifacts]) {
          // A folder of a deleted picture may be gone, which prevents nothing.
          guard try FileStatus(path: folder) != nil else { continue }
          try FileSystem.tryCreating(in: folder, name: name, bytes: 1)
        }
      }
      try await files.checkReady(trying: trial)
      try await engine.tryWriting([writeTrial] + failed.changes)
      condition.noteSound(since: failed.count)
    } catch {
      // Something that is no fault, such as another process that writes for long, decides nothing.
      noteFault(in: error)
    }
    return condition.fault
  }

  /// Writes into the tables that a result is written into: rows that are together larger than what a page has left, so
  /// that a disk without room shows. What is written is undone.
  @Sendable private func writeTrial(in session: any SQLSession) throws {
    let now = surroundings.now()
    for number in 0..<Self.trialRows {
      // No two are the same, and nothing makes them smaller.
      let text = (0..<40).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
      let acceptance = Acceptance(
        id: GenerationID(rawValue: surroundings.makeIdentifier("gen_")), account: .owner, recipe: .create,
        request: ["prompt": .string(text)], prompt: text, paramsHash: [UInt8](repeating: 0, count: 32), timeLimitMs: 0)
      try session.generations.insert(try acceptance.row(process: process, now: now))
      if number > 0 { continue }
      let artifact = StoredArtifact(
        sha256: StoredArtifact.digest(Array(text.utf8)), mimeType: "image/png", bytes: 0, path: nil)
      // Staged files have positive numbers.
      try session.fileNotes.insert(artifact.name, by: process, number: 0)
      try session.artifacts.insert(artifact, created: now)
      try session.files.insert(
        GenerationFile(source: .stored(artifact), width: 1, height: 1), of: acceptance.id)
    }
  }

  /// Each has more than 1,000 bytes; a page of PostgreSQL 8,192.
  private static var trialRows: Int { 6 }

  /// The name of a trial in the folder of temporary files; staged files have numbers.
  private static var trialName: String { "trial" }
}
