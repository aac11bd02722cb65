import AtelierProtocol
import Glibc
import POSIX

extension Store {
  /// Copies the database, the pictures and the templates into a folder, while every process continues its work. The
  /// backup is one moment of history and ledger, with all pictures of that moment.
  ///
  /// A folder that holds an earlier backup of this data directory is brought up to date: what it has is compared with
  /// its digest, only the rest is copied, and what the new backup does not name is removed in the end. Whenever this
  /// breaks off, the earlier backup stays whole, and the next call goes on where this one stopped.
  /// - Parameter includingCredentials: whether the file of API keys is copied as well.
  /// - Throws: `file_access_denied` for a folder that cannot be used, `storage_full`, `overloaded` while another process
  ///   uses the folder, `internal` when the database is damaged.
  public func backup(into path: String, includingCredentials: Bool = false) async throws(AtelierError) -> BackupReport {
    let folder = BackupFolder(path: path)
    do {
      return try await engine.watchWhole { [self] live in
        do {
          return try BackupRun(store: self, folder: folder, live: live).run(includingCredentials)
        } catch let failure as FileFailure {
          throw folder.error(failure)
        }
      }
    } catch {
      throw atelierError(error)
    }
  }
}

/// What a backup consists of, and what became of it.
public struct BackupReport: Codable, Sendable, Equatable {
  /// The folder.
  public var path: String
  /// The moment that the backup shows.
  public var madeAt: Timestamp
  /// The pictures in the backup, and how many of them are new there.
  public var pictures: Int
  public var copied: Int
  /// The size of the database.
  public var databaseBytes: Int
  /// Whether the API keys of the file are in it.
  public var hasCredentials: Bool
  /// The pictures that are lost: their files are missing or damaged, and no backup of them was there.
  public var lost: [String]
}

/// The making of one backup, on one thread.
private struct BackupRun {
  let store: Store
  let folder: BackupFolder
  /// Sees every change, outside of any transaction.
  let live: any SQLSession

  private var directory: DataDirectory { store.directory }

  /// How often a new moment is taken because pictures of the last one were deleted while they were copied. Each time
  /// only those are copied that were made meanwhile, so this ends soon.
  private static let mostMoments = 20

  private struct Snapshot {
    var file: BackupManifest.File
    var madeAt: Timestamp
    var pictures: [String]
    var generations: Int
    var lastTransfer: BackupManifest.LastTransfer?
  }

  private struct Copied {
    /// The pictures that the backup has, each compared with its digest.
    var present: Set<String> = []
    var lost: [String] = []
    var isDeletedMeanwhile = false
    var new = 0
  }

  func run(_ includingCredentials: Bool) throws -> BackupReport {
    try folder.prepare(for: directory)
    let lock = try folder.lockForWriting()
    defer { lock.release() }
    let identity = try directory.backupIdentity(makeIdentifier: store.surroundings.makeIdentifier)
    let earlier = try folder.readManifest()
    if let earlier { try check(earlier, identity) }
    try FileSystem.clearFlatDirectory(folder.partial)
    var manifest =
      earlier
      ?? BackupManifest(dataDirectory: identity, madeAt: store.surroundings.now(), schemaVersion: Store.schemaVersion)
    // From here on the folder is known as one of a backup, even if nothing more is written.
    if earlier == nil { try folder.write(manifest) }

    var copied = Copied()
    var snapshot = try takeSnapshot(after: earlier)
    for moment in 1...Self.mostMoments {
      try copyPictures(of: snapshot, into: &copied)
      if !copied.isDeletedMeanwhile { break }
      guard moment < Self.mostMoments else {
        throw AtelierError(.overloaded, "Pictures are deleted faster than they can be copied. Try again later.")
      }
      snapshot = try takeSnapshot(after: earlier)
    }
    manifest = BackupManifest(dataDirectory: identity, madeAt: snapshot.madeAt, schemaVersion: Store.schemaVersion)
    manifest.files = [snapshot.file] + (try copyTemplates())
    if includingCredentials, let keys = try copyCredentials() { manifest.files.append(keys) }
    (manifest.pictures, manifest.lost) = (snapshot.pictures.count, copied.lost)
    (manifest.generations, manifest.lastTransfer) = (snapshot.generations, snapshot.lastTransfer)
    try folder.write(manifest)
    try folder.removeAllBut(manifest, pictures: Set(snapshot.pictures))
    return BackupReport(
      path: folder.path, madeAt: snapshot.madeAt, pictures: snapshot.pictures.count - copied.lost.count, copied: copied.new,
      databaseBytes: snapshot.file.bytes, hasCredentials: manifest.file(BackupManifest.credentials) != nil,
      lost: copied.lost.map { store.localFiles.place(of: $0) })
  }

  // MARK: Whether it is the same data directory

  private func check(_ earlier: BackupManifest, _ identity: String) throws {
    guard earlier.dataDirectory == identity else {
      throw other("The backup in \(folder.path) is one of another data directory")
    }
    guard let last = earlier.lastTransfer else { return }
    guard try live.transfers.hash(of: last.seq) == last.hash else {
      throw other("The backup in \(folder.path) has movements of credits that \(directory.path) does not have")
    }
  }

  private func other(_ fact: String) -> AtelierError {
    folder.refusal("\(fact), and would be replaced. Name another folder, or restore that backup with `atelier restore`.")
  }

  // MARK: The database

  private func takeSnapshot(after earlier: BackupManifest?) throws -> Snapshot {
    let draft = "\(folder.partial)/database"
    try FileSystem.remove(draft)
    let madeAt = store.surroundings.now()
    try store.engine.copyDatabase(live, to: draft)
    var snapshot = try BackupFile.read(draft, random: store.surroundings.random) { session in
      try DatabaseFile.check(session)
      return Snapshot(
        file: BackupManifest.File(path: BackupManifest.database, sha256: "", bytes: 0), madeAt: madeAt,
        pictures: try DatabaseFile.pictures(in: session), generations: try session.generations.count(),
        lastTransfer: try DatabaseFile.lastTransfer(in: session))
    }
    if snapshot.generations == 0, snapshot.lastTransfer == nil, let earlier, earlier.generations > 0 {
      throw other("\(directory.path) is empty; the backup in \(folder.path) has \(earlier.generations) generations")
    }
    let content = try FileCopy.content(of: draft)
    (snapshot.file.sha256, snapshot.file.bytes) = (content.sha256, content.bytes)
    try give(draft, folder.path(ofFile: content.sha256))
    return snapshot
  }

  // MARK: Pictures

  private func copyPictures(of snapshot: Snapshot, into copied: inout Copied) throws {
    copied.isDeletedMeanwhile = false
    copied.lost = []
    for name in snapshot.pictures where !copied.present.contains(name) {
      let (target, sha256) = (folder.path(ofArtifact: name), String(name.prefix(64)))
      if try folder.has(target, sha256: sha256) {
        copied.present.insert(name)
      } else if try copy(picture: name, to: target, sha256: sha256) {
        copied.present.insert(name)
        copied.new += 1
      } else if try live.artifacts.known(among: [name]).isEmpty {
        copied.isDeletedMeanwhile = true
      } else {
        copied.lost.append(name)
      }
    }
  }

  /// - Returns: false when the source is not there, or not what its name says.
  private func copy(picture name: String, to target: String, sha256: String) throws -> Bool {
    let found =
      store.localFiles.cache == nil
      ? try draft(of: directory.path(ofArtifact: name), named: "picture") : try draft(ofObject: name)
    guard let draft = found, draft.content.sha256 == sha256 else { return false }
    let second = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
    let first = String(second[..<(second.lastIndex(of: "/") ?? second.startIndex)])
    for (part, parent) in [(first, folder.artifacts), (second, first)] where try FileSystem.makeDirectory(part) {
      try FileSystem.syncDirectory(parent)
    }
    try give(draft.path, target)
    try FileSystem.syncDirectory(second)
    return true
  }

  /// Writes a picture of the bucket into the folder of what is being written.
  /// - Returns: nil when it is not there, or not what its name says.
  /// - Throws: when the bucket cannot be read now: a backup without its pictures would be none.
  private func draft(ofObject name: String) throws -> (path: String, content: FileCopy.Content)? {
    guard let artifact = try live.artifacts.artifact(named: name, in: store.localFiles) else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try waiting { [store] in try await store.fetch(artifact) }
    } catch let error as AtelierError where [.notFound, .internal].contains(error.kind) {
      return nil
    }
    let path = "\(folder.partial)/picture"
    try FileSystem.remove(path)
    try FileSystem.writeNew(bytes, to: path, isDurable: true)
    return (path, FileCopy.Content(sha256: artifact.sha256, bytes: bytes.count))
  }

  /// Copies a file into the folder of what is being written.
  /// - Returns: nil when the source is not there, or cannot be read.
  private func draft(of source: String, named name: String) throws -> (path: String, content: FileCopy.Content)? {
    let path = "\(folder.partial)/\(name)"
    let content: FileCopy.Content
    do throws(FileFailure) {
      content = try FileCopy.copy(source, to: path)
    } catch {
      guard error.isOfSource(source) else { throw error }
      return nil
    }
    return (path, content)
  }

  private func give(_ draft: String, _ target: String) throws(FileFailure) {
    guard rename(draft, target) == 0 else { throw FileFailure(operation: "replace", path: target, code: errno) }
  }

  // MARK: Other files

  private func copyTemplates() throws -> [BackupManifest.File] {
    try directory.templateFiles().compactMap { try copyFile($0.source, as: $0.path) }
  }

  private func copyCredentials() throws -> BackupManifest.File? {
    try copyFile("\(directory.path)/\(BackupManifest.credentials)", as: BackupManifest.credentials)
  }

  /// - Returns: nil when it is gone.
  private func copyFile(_ source: String, as path: String) throws -> BackupManifest.File? {
    let draft = "\(folder.partial)/file"
    let content: FileCopy.Content
    do throws(FileFailure) {
      content = try FileCopy.copy(source, to: draft)
    } catch {
      guard error.isMissing, error.path == source else { throw error }
      return nil
    }
    try give(draft, folder.path(ofFile: content.sha256))
    return BackupManifest.File(path: path, sha256: content.sha256, bytes: content.bytes)
  }
}

extension BackupFolder {
  /// Removes what the complete backup does not name.
  fileprivate func removeAllBut(_ manifest: BackupManifest, pictures: Set<String>) throws {
    let named = Set(manifest.files.map(\.sha256))
    for name in try FileSystem.names(in: files) where !named.contains(name) { try FileSystem.remove("\(files)/\(name)") }
    for name in try DataDirectory(path: path).artifactFiles() where !pictures.contains(name) {
      try FileSystem.remove(path(ofArtifact: name))
    }
  }

  /// The error for a failed system call.
  func error(_ failure: FileFailure) -> AtelierError {
    if failure.isStorageFull {
      return AtelierError(
        .storageFull,
        "The disk of \(failure.path) is full. Free some space and repeat the command: it goes on where it stopped.")
    }
    return refusal(failure.sentence)
  }
}

extension FileSystem {
  /// Removes the files in the directory `path`.
  static func clearFlatDirectory(_ path: String) throws(FileFailure) {
    for name in try names(in: path) { try remove("\(path)/\(name)") }
  }
}
