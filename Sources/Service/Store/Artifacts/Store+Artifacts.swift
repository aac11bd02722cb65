import AtelierProtocol
import POSIX

extension Store {
  /// Writes bytes to a temporary file of this process and makes them durable. The file is kept once ``finish(_:)`` or
  /// ``keepPrepared(_:)`` refers to it.
  /// - Parameter mimeType: the type detected from the bytes; determines the extension.
  /// - Throws: `storage_full`, `storage_unavailable`, `overloaded`: it may succeed later.
  public func stage(_ bytes: [UInt8], mimeType: String) async throws(AtelierError) -> StagedArtifact {
    let number = staged.add(1, ordering: .relaxed).newValue
    do {
      return try await withFiles(isUrgent: false) { [self] in
        let name = StoredArtifact.name(sha256: StoredArtifact.digest(bytes), mimeType: mimeType)
        let path = "\(directory.temporary(of: process))/\(number)"
        do {
          try FileSystem.writeDurably(bytes, to: path)
        } catch let failure as FileFailure where failure.isMissing {
          try makeTemporaryFolder()
          try FileSystem.writeDurably(bytes, to: path)
        }
        return StagedArtifact(
          artifact: StoredArtifact(name: name, mimeType: mimeType, bytes: bytes.count, in: directory),
          temporaryPath: path)
      }
    } catch {
      noteFault(in: error, bytes: bytes.count)
      throw atelierError(error)
    }
  }

  /// Makes the folder of this process's temporary files again: cleaning programs and people remove what is called
  /// temporary. Not where the data directory itself is gone or another one.
  func makeTemporaryFolder() throws {
    try engine.opened.check()
    _ = try FileSystem.makeDirectory(directory.temporary)
    _ = try FileSystem.makeDirectory(directory.temporary(of: process))
  }

  /// Whether the staged file of bytes is gone, so that they must be staged again. False for bytes that have none.
  public func hasLost(_ source: ArtifactSource) async -> Bool {
    guard let staged = source.staged else { return false }
    let isGone = try? await file(isUrgent: true) { [directory] in
      let places = [directory.path(ofArtifact: staged.artifact.name), staged.temporaryPath]
      return try places.allSatisfy { try FileStatus(path: $0) == nil }
    }
    return isGone ?? false
  }

  /// Describes the bytes of a private generation, which are never written.
  /// - Parameter mimeType: as for ``stage(_:mimeType:)``.
  public func unstored(_ bytes: [UInt8], mimeType: String) -> ArtifactSource {
    let name = StoredArtifact.name(sha256: StoredArtifact.digest(bytes), mimeType: mimeType)
    return .unstored(StoredArtifact(name: name, mimeType: mimeType, bytes: bytes.count, in: directory))
  }

  /// Removes a staged file that is not needed. An artifact made from it stays.
  public func discard(_ staged: StagedArtifact) async {
    await discard([staged])
  }

  func discard(_ staged: [StagedArtifact]) async {
    if staged.isEmpty { return }
    // Files that cannot be removed now are removed with the other temporary files of this process.
    _ = try? await file(isUrgent: true) { for one in staged { try? FileSystem.remove(one.temporaryPath) } }
  }

  /// Removes the staged file of bytes that are not needed; stored bytes stay.
  public func discard(_ source: ArtifactSource) async {
    if let staged = source.staged { await discard(staged) }
  }

  /// An artifact that has a row; nil when none has this name.
  func artifact(_ name: String, in session: any SQLSession) throws -> StoredArtifact? {
    try session.artifacts.artifact(named: name, in: directory)
  }

  /// The bytes of an artifact, compared with its digest.
  /// - Throws: `not_found` when it was deleted meanwhile, `internal` when the file was altered.
  public func read(_ artifact: StoredArtifact) async throws(AtelierError) -> [UInt8] {
    try await file { [directory] in
      // A path made elsewhere is not trusted; the digest determines the file.
      guard DataDirectory.isArtifactName(artifact.name) else { throw AtelierError(.notFound) }
      let bytes: [UInt8]
      do throws(FileFailure) {
        bytes = try FileSystem.read(directory.path(ofArtifact: artifact.name))
      } catch where error.isMissing {
        throw AtelierError(.notFound, "That image has been deleted from history.")
      }
      guard StoredArtifact.digest(bytes) == artifact.sha256 else { throw AtelierError.fileAltered }
      return bytes
    }
  }

  /// Places a file among the artifacts and inserts its row, in the caller's transaction, before the row that refers to
  /// it.
  ///
  /// A link keeps the temporary file, so a failed transaction can be tried again. The folders with new names are synced
  /// before the transaction commits.
  func place(_ source: ArtifactSource, in session: any SQLSession, now: Timestamp) throws {
    let artifact = source.artifact
    let isKnown = try self.artifact(artifact.name, in: session) != nil
    guard case .staged(let staged) = source else {
      if isKnown { return }
      throw AtelierError(.notFound, "The earlier photo or result was deleted meanwhile: try again.")
    }
    let path = directory.path(ofArtifact: artifact.name)
    let isThere = try FileStatus(path: path).map { $0.isRegularFile && $0.bytes == artifact.bytes }
    if isKnown && isThere == true { return }
    // A file in another folder of this name would be missing when the right one is back.
    try engine.opened.check()
    try makeFolders(ofArtifact: artifact.name)
    if isThere == false { try FileSystem.remove(path) }
    if isThere != true { _ = try FileSystem.link(staged.temporaryPath, as: path) }
    folders.add(directory.folder(ofArtifact: artifact.name))
    try session.artifacts.insert(artifact, created: now)
  }

  /// Creates the two levels of folders for an artifact.
  func makeFolders(ofArtifact name: String) throws(FileFailure) {
    let (first, second) = (directory.firstFolder(ofArtifact: name), directory.folder(ofArtifact: name))
    try folders.make(first, in: directory.artifacts)
    try folders.make(second, in: first)
  }
}
