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

  /// Why nothing can be kept now; nil when it can. Notices both that it no longer can and that it can again.
  /// - Parameter isThorough: true to write and wait for the disk even if the last write succeeded.
  func currentFault(isThorough: Bool = false) async -> StorageFault? {
    if isThorough || condition.fault != nil { return await condition.share { [self] in await tryWriting() } }
    do {
      try await withFiles(isUrgent: true) { [self] in try look() }
      try await files.checkReady(isThorough: false)
      return nil
    } catch {
      let fault = noteFault(in: error)
      // The writer knows how to put what was promised in safety.
      if fault?.reason.kind == .moved { await engine.rescue() }
      return fault
    }
  }

  /// Remembers what a failed write says about the machine.
  /// - Parameter bytes: how much was to be written.
  @discardableResult
  func noteFault(in error: any Error, bytes: Int = 0) -> StorageFault? {
    guard var fault = StorageFault(error, in: directory, engine: engine) else { return nil }
    fault.bytes = max(fault.bytes, bytes)
    condition.note(fault)
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

  /// Writes everywhere where a result is written, and where a write failed last, and waits for the disk.
  private func tryWriting() async -> StorageFault? {
    let fault = condition.fault
    if let fault, fault.isLasting { return fault }
    do {
      try await withFiles(isUrgent: true) { [self] in
        try look()
        let bytes = fault?.bytes ?? StorageFault.leastBytes
        try FileSystem.tryCreating(in: directory.temporary(of: process), name: Self.trialName, bytes: bytes)
        let name = "\(process.rawValue).trial"
        for folder in Set([directory.artifacts, fault?.folder ?? directory.artifacts]) {
          // A folder of a deleted picture may be gone, which prevents nothing.
          guard try FileStatus(path: folder) != nil else { continue }
          try FileSystem.tryCreating(in: folder, name: name, bytes: 1)
        }
      }
      try await files.checkReady(isThorough: true)
      try await engine.tryWriting()
      condition.noteSound()
      return condition.fault
    } catch {
      // Something that is no fault, such as another process that writes for long, decides nothing.
      guard var found = noteFault(in: error) ?? fault, let fault else { return condition.fault }
      found.bytes = max(found.bytes, fault.bytes)
      found.folder = found.folder ?? fault.folder
      condition.note(found)
      return found
    }
  }

  /// The name of a trial in the folder of temporary files; staged files have numbers.
  private static var trialName: String { "trial" }
}
