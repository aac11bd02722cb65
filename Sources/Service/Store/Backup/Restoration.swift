import AtelierProtocol
import Glibc
import Localization
import ObjectStorage
import POSIX

/// Puts a backup in the place of a data directory's content.
///
/// Everything is copied and checked first, beside what is there: pictures are named by their content and disturb
/// nothing. Then one rename replaces the database. Broken off at any moment, the data directory is either as it was or
/// restored, and the next attempt goes on. No process can open the directory meanwhile.
public struct Restoration: Sendable {
  /// What was restored.
  public struct Report: Codable, Sendable, Equatable {
    /// The data directory.
    public var path: String
    /// The moment that the data directory shows now.
    public var madeAt: Timestamp
    /// The pictures that are there, and how many of them came from the backup.
    public var pictures: Int
    public var copied: Int
    /// The pictures that the backup does not have, or only damaged.
    public var lost: [String]
    /// Whether the file of API keys was replaced, and whether the backup has one.
    public var restoredCredentials: Bool
    public var hasCredentials: Bool
    /// The database that was there before; nil when there was none.
    public var replaced: String?
    /// The database on a server that has history and credits; nil for one in the data directory.
    public var server: String?
    /// What the database of the backup had otherwise than Atelier makes it, such as `trigger name`: it was left out or made
    /// anew.
    public var mended: [String]
  }

  /// The steps of a restoration, in their order.
  enum Step: Sendable, CaseIterable {
    case checked, picturesCopied, logsRemoved, oldKept, databaseReplaced, filesPlaced
  }

  let folder: BackupFolder
  let directory: DataDirectory
  /// Where history and ledger go; nil for a file in the directory.
  let server: PostgreSQLServer?
  /// Where the pictures go; nil for the folder in the data directory.
  let bucket: PictureBucket?
  let surroundings: StoreSurroundings
  /// Called after each step; tests break off there.
  var reached: @Sendable (Step) throws -> Void = { _ in }

  /// - Parameters:
  ///   - server: an empty database; nil for a file in the directory.
  ///   - bucket: where the pictures go; nil for the folder in the data directory.
  public init(
    of path: String, into directory: DataDirectory, server: PostgreSQLServer? = nil, bucket: PictureBucket? = nil,
    surroundings: StoreSurroundings
  ) {
    self.server = server
    folder = BackupFolder(path: path)
    (self.directory, self.bucket) = (directory, bucket)
    self.surroundings = surroundings
  }

  /// - Parameters:
  ///   - includingCredentials: whether the file of API keys is replaced as well.
  ///   - skippingDamaged: whether pictures that the backup has lost are left out; otherwise nothing is restored then.
  /// - Throws: ``StoreError`` for a data directory that cannot be used or is in use, `AtelierError` for a backup that
  ///   cannot be.
  public func run(includingCredentials: Bool = false, skippingDamaged: Bool = false) async throws -> Report {
    try await DedicatedThread.run { [self] in
      do {
        return try restore(includingCredentials, skippingDamaged)
      } catch let failure as FileFailure {
        throw failure.path.hasPrefix("\(directory.path)/") ? directory.unusable(failure) : folder.error(failure)
      } catch {
        if let fault = error as? PostgreSQLFault, let server {
          throw PostgreSQLError.fault(fault, server: server)?.reason
            ?? StoreError(.failed, "The database \(server.address.shown) cannot be filled: \(fault.message).")
        }
        guard let fault = SQLiteError.fault(error, in: directory) else { throw error }
        throw AtelierError(.internal, "The backup in \(folder.path) is damaged: \(fault.message).")
      }
    }
  }

  private func restore(_ includingCredentials: Bool, _ skippingDamaged: Bool) throws -> Report {
    let manifest = try usableManifest()
    let backupLock = try folder.lockForReading()
    defer { backupLock?.release() }
    try directory.prepare()
    let entrance = try DirectoryEntrance(directory, isExclusive: true)
    defer { entrance.leave() }
    try directory.requireUnused()
    // Its files are removed with it; if this process dies, by the next one.
    let process = try ProcessLock(directory: directory, makeIdentifier: surroundings.makeIdentifier)
    defer { try? process.release() }

    let staging = Staging(folder: folder, path: directory.temporary(of: process.id))
    let database = try staging.take(manifest, BackupManifest.database, as: "database")
    let names = try BackupFile.read(database, random: surroundings.random) { try checked($0, manifest) }
    let mended = try mendSchema(database)
    if server != nil { try DatabaseDraft.bringUpToDate(database, random: surroundings.random) }
    var others = manifest.files.filter { $0.path.hasPrefix(BackupManifest.templates) }.map(\.path)
    let hasCredentials = manifest.file(BackupManifest.credentials) != nil
    if includingCredentials, hasCredentials { others.append(BackupManifest.credentials) }
    let files = try others.enumerated().map { number, path in
      (path: path, draft: try staging.take(manifest, path, as: "file-\(number)"))
    }
    try server.map { try PostgreSQLFilling(server: $0).check() }
    try bucket.map { place in try waiting(for: { try await BucketVersions(place).check() }) }
    try reached(.checked)

    let (lost, copied) = try bucket.map { try put(names, staging, in: $0.bucket) } ?? copyPictures(names, staging)
    if let first = lost.first(where: { !manifest.lost.contains($0) }), !skippingDamaged {
      throw AtelierError(
        .internal, "\(lost.count) pictures of the backup are missing or damaged, such as \(folder.path(ofArtifact: first)). "
          + "Nothing was replaced. --skip-damaged restores the rest.")
    }
    try reached(.picturesCopied)
    let replaced = try server == nil ? replaceDatabase(by: database) : nil
    if let server {
      _ = try BackupFile.read(database, random: surroundings.random) { session in
        try PostgreSQLFilling(server: server).fill(from: session, TableCopy())
      }
    }
    try reached(.databaseReplaced)
    for file in files { try place(file.draft, at: file.path) }
    try FileSystem.replace(
      directory.identityFile, with: Array("\(manifest.dataDirectory)\n".utf8), temporary: "\(staging.path)/identity",
      permissions: 0o600)
    try FileSystem.syncDirectory(directory.path)
    try reached(.filesPlaced)
    return Report(
      path: directory.path, madeAt: manifest.madeAt, pictures: names.count - lost.count, copied: copied, lost: lost,
      restoredCredentials: includingCredentials && hasCredentials, hasCredentials: hasCredentials, replaced: replaced,
      server: server?.address.shown, mended: mended)
  }

  // MARK: What is restored

  private func usableManifest() throws -> BackupManifest {
    guard try FileStatus(path: folder.path, followingLinks: true)?.isDirectory == true,
      let manifest = try folder.readManifest()
    else {
      throw AtelierError(.notFound, "\(folder.path) is not a backup that `atelier backup` made: backup.json is not there.")
    }
    guard manifest.isComplete else {
      throw AtelierError(.notFound, "The backup in \(folder.path) was never completed. Choose another one.")
    }
    guard manifest.schemaVersion <= Store.schemaVersion else { throw newer(manifest.schemaVersion) }
    try folder.check(apartFrom: directory)
    return manifest
  }

  private func newer(_ version: Int) -> AtelierError {
    folder.refusal(
      "The backup in \(folder.path) was made by a newer version of Atelier (its schema is \(version), this one knows "
        + "\(Store.schemaVersion)). Install that version.")
  }

  /// - Returns: the names of all pictures.
  private func checked(_ session: any SQLSession, _ manifest: BackupManifest) throws -> [String] {
    let (application, version) = try BackupFile.identity(in: session)
    guard application != SQLiteSchema.unreleasedApplicationID else {
      throw AtelierError(
        .internal, "The backup in \(folder.path) is of a development version of Atelier, before 0.1.0: restore it with that "
          + "version, and save its pictures with `atelier export`.")
    }
    guard version <= Store.schemaVersion else { throw newer(version) }
    guard application == SQLiteSchema.applicationID, version > 0 else {
      throw AtelierError(.internal, "The backup in \(folder.path) has no database of Atelier.")
    }
    return try DatabaseFile.pictures(in: session)
  }

  /// Somebody may have added a rule to the database that was backed up, which would change whatever is written from now on.
  private func mendSchema(_ draft: String) throws -> [String] {
    do {
      return try DatabaseDraft.mendSchema(draft, random: surroundings.random)
    } catch let foreign as SchemaObjects.ForeignTable {
      throw AtelierError(
        .internal, "The database of the backup in \(folder.path) is not as Atelier makes it: \(foreign.name). Nothing was "
          + "replaced. Choose another backup.")
    }
  }

  // MARK: Pictures

  /// Copies what is not there, or not what its name says.
  private func copyPictures(_ names: [String], _ staging: Staging) throws -> (lost: [String], copied: Int) {
    var (lost, copied) = ([String](), 0)
    var folders: Set<String> = []
    for name in names {
      let (sha256, target) = (String(name.prefix(64)), directory.path(ofArtifact: name))
      if try folder.has(target, sha256: sha256) { continue }
      guard let draft = try staging.take(folder.path(ofArtifact: name), sha256: sha256, as: "picture") else {
        lost.append(name)
        continue
      }
      let (first, second) = (directory.firstFolder(ofArtifact: name), directory.folder(ofArtifact: name))
      if try FileSystem.makeDirectory(first) { folders.insert(directory.artifacts) }
      if try FileSystem.makeDirectory(second) { folders.insert(first) }
      try rename(draft, to: target)
      folders.insert(second)
      copied += 1
    }
    for folder in folders { try FileSystem.syncDirectory(folder) }
    return (lost, copied)
  }

  /// Puts into the bucket what is not there, or not what its name says.
  private func put(_ names: [String], _ staging: Staging, in bucket: Bucket) throws -> (lost: [String], copied: Int) {
    var (lost, copied) = ([String](), 0)
    for name in names {
      let sha256 = String(name.prefix(64))
      guard let draft = try staging.take(folder.path(ofArtifact: name), sha256: sha256, as: "picture") else {
        lost.append(name)
        continue
      }
      let bytes = try FileSystem.read(draft)
      do {
        let mimeType = StoredArtifact.mimeType(ofName: name)
        let outcome = try waiting(for: { try await bucket.put(bytes, as: S3Files.key(name), mimeType: mimeType) })
        if outcome == .stored { copied += 1 }
      } catch let error as BucketError {
        throw StoreError(error)
      }
    }
    return (lost, copied)
  }

  // MARK: The database

  /// - Returns: where the database that was there is kept.
  private func replaceDatabase(by draft: String) throws -> String? {
    guard try FileStatus(path: directory.database) != nil else {
      // Logs of a database that is gone would be applied to the new one.
      for log in directory.logs { try FileSystem.remove(log) }
      try reached(.logsRemoved)
      try reached(.oldKept)
      try rename(draft, to: directory.database)
      try FileSystem.syncDirectory(directory.path)
      return nil
    }
    try setStrayLogAside()
    let isSound = try foldLogs()
    // A name more: the database keeps its own until the new one takes it.
    let (kept, isNew) = try keep(directory.database)
    for suffix in ["-wal", "-shm", "-journal"] {
      // What an attempt that was broken off has put there belongs to it.
      if isNew { try FileSystem.remove(kept + suffix) }
      // Without its log, a damaged database could be rescued less well.
      if !isSound, suffix != "-shm", try FileStatus(path: directory.database + suffix) != nil {
        try rename(directory.database + suffix, to: kept + suffix)
      }
      try FileSystem.remove(directory.database + suffix)
    }
    try FileSystem.syncDirectory(directory.path)
    try reached(.logsRemoved)
    try reached(.oldKept)
    try rename(draft, to: directory.database)
    try FileSystem.syncDirectory(directory.path)
    return kept
  }

  /// Gives a database a second name that nothing has: what an earlier restoration kept is somebody's as well.
  /// - Returns: the name, and whether it is new: an attempt that was broken off may have given it already.
  private func keep(_ database: String) throws -> (path: String, isNew: Bool) {
    let identity = try FileStatus(path: database)?.identity
    var number = 1
    while true {
      let name = number == 1 ? directory.replacedDatabase : "\(directory.replacedDatabase).\(number)"
      if let present = try FileStatus(path: name) {
        if present.identity == identity { return (name, false) }
      } else if try FileSystem.link(database, as: name) {
        return (name, true)
      }
      number += 1
    }
  }

  /// A log that belongs to another database is kept under a name of its own: applied to this one, it would damage both.
  private func setStrayLogAside() throws {
    do {
      try LogOrigin.check(directory)
    } catch let error as StoreError where error.kind == .strayLog {
      try rename(directory.log, to: directory.strayLog)
      for log in directory.logs { try FileSystem.remove(log) }
    }
  }

  /// Writes all changes from the log into the old database, which then needs no log: broken off after this, the old one
  /// is whole.
  /// - Returns: false when it is too damaged for that.
  /// - Throws: ``StoreError`` when another program works with it.
  private func foldLogs() throws -> Bool {
    switch BackupFile.foldLog(into: directory.database) {
    case .folded: return true
    case .damaged: return false
    case .inUse: throw StoreError(.busy, "Another program works with \(directory.database). End it, then restore.")
    }
  }

  // MARK: Other files

  /// Puts a file in its place in the data directory.
  private func place(_ draft: String, at path: String) throws {
    var parent = directory.path
    for part in path.split(separator: "/").dropLast() {
      let child = "\(parent)/\(part)"
      if try FileSystem.makeDirectory(child) { try FileSystem.syncDirectory(parent) }
      parent = child
    }
    try rename(draft, to: "\(directory.path)/\(path)")
    try FileSystem.syncDirectory(parent)
  }

  private func rename(_ draft: String, to target: String) throws(FileFailure) {
    guard Glibc.rename(draft, target) == 0 else { throw FileFailure(operation: "replace", path: target, code: errno) }
  }
}

/// Copies of a backup's files, each compared with its digest, on the disk where they are to stay.
private struct Staging {
  let folder: BackupFolder
  let path: String

  /// - Throws: when the file of the backup is not what was backed up.
  func take(_ manifest: BackupManifest, _ name: String, as draftName: String) throws -> String {
    guard let file = manifest.file(name),
      let draft = try take(folder.path(ofFile: file.sha256), sha256: file.sha256, as: draftName)
    else {
      throw AtelierError(
        .internal, "The backup in \(folder.path) is damaged: its \(name) is missing or not what was backed up. Nothing was "
          + "replaced. Choose another backup.")
    }
    return draft
  }

  /// - Returns: nil when the file is missing, unreadable, or has another digest.
  func take(_ source: String, sha256: String, as draftName: String) throws -> String? {
    let draft = "\(path)/\(draftName)"
    let content: FileCopy.Content
    do throws(FileFailure) {
      content = try FileCopy.copy(source, to: draft)
    } catch {
      guard error.isOfSource(source) else { throw error }
      return nil
    }
    if content.sha256 == sha256 { return draft }
    try FileSystem.remove(draft)
    return nil
  }
}
