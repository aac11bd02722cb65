import AtelierProtocol
import GRDB

extension Store {
  /// Writes bytes to a temporary file of this process and makes them durable. They stay once ``finish(_:)`` or
  /// ``keepPrepared(_:)`` refers to them.
  /// - Parameter mimeType: what the bytes were recognised as; decides the extension.
  /// - Throws: `storage_full`.
  public func stage(_ bytes: [UInt8], mimeType: String) async throws(AtelierError) -> StagedArtifact {
    let number = staged.add(1, ordering: .relaxed).newValue
    return try await file { [directory, owner] in
      let name = StoredArtifact.name(sha256: StoredArtifact.digest(bytes), mimeType: mimeType)
      try directory.makeFolder(ofArtifact: name)
      let temporaryPath = "\(directory.temporary(of: owner))/\(number)"
      try FileSystem.writeDurably(bytes, to: temporaryPath)
      return StagedArtifact(
        artifact: StoredArtifact(name: name, mimeType: mimeType, bytes: bytes.count, in: directory),
        temporaryPath: temporaryPath)
    }
  }

  /// Removes a staged file that will not be needed. One that became an artifact keeps its place there.
  public func discard(_ staged: StagedArtifact) async {
    // What cannot be removed now is removed with the rest of this process's temporary files.
    _ = try? await file { try FileSystem.remove(staged.temporaryPath) }
  }

  /// The bytes of an artifact, compared with its digest.
  /// - Throws: `not_found` when it was deleted meanwhile, `internal` when the file was altered.
  public func read(_ artifact: StoredArtifact) async throws(AtelierError) -> [UInt8] {
    try await file { [directory] in
      // The path of a value made elsewhere is not trusted; its digest leads to the file.
      guard DataDirectory.isArtifactName(artifact.name) else { throw AtelierError(.notFound) }
      let bytes: [UInt8]
      do throws(FileFailure) {
        bytes = try FileSystem.read(directory.path(ofArtifact: artifact.name))
      } catch where error.isMissing {
        throw AtelierError(.notFound, "That image was deleted from history meanwhile.")
      }
      guard StoredArtifact.digest(bytes) == artifact.sha256 else { throw AtelierError.fileAltered }
      return bytes
    }
  }

  /// Gives a file its place among the artifacts and its row, in the caller's transaction, before the row that refers
  /// to it.
  ///
  /// A link leaves the temporary file where it is, so a transaction that fails can be tried again.
  func place(_ source: ArtifactSource, in database: Database, now: Timestamp) throws {
    let artifact = source.artifact
    let isKnown = try self.artifact(artifact.name, in: database) != nil
    guard case .staged(let staged) = source else {
      if isKnown { return }
      throw AtelierError(.notFound, "The earlier result was deleted from history meanwhile: try again.")
    }
    let path = directory.path(ofArtifact: artifact.name)
    let isThere = try FileKind(path: path).map { $0.isRegularFile && $0.bytes == artifact.bytes }
    if isKnown && isThere == true { return }
    if isThere == false { try FileSystem.remove(path) }
    if isThere != true { _ = try FileSystem.link(staged.temporaryPath, as: path) }
    try FileSystem.syncDirectory(directory.folder(ofArtifact: artifact.name))
    try database.cachedStatement(
      sql: "INSERT INTO artifact (name, mime_type, bytes, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    ).execute(arguments: [artifact.name, artifact.mimeType, artifact.bytes, now.milliseconds])
  }
}

extension DataDirectory {
  /// Makes the two levels of folders for an artifact, durable before anything is in them.
  fileprivate func makeFolder(ofArtifact name: String) throws(FileFailure) {
    let first = "\(artifacts)/\(name.prefix(2))"
    if try FileSystem.makeDirectory(first) { try FileSystem.syncDirectory(artifacts) }
    if try FileSystem.makeDirectory(folder(ofArtifact: name)) { try FileSystem.syncDirectory(first) }
  }
}
