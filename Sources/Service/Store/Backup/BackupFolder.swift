import AtelierProtocol
import Glibc
import Localization
import POSIX

/// The folder of a backup; only the user it belongs to can access it.
///
/// ```
/// backup.json                       what belongs to the backup; replacing it completes one
/// backup.lock                       held while a backup is written or restored
/// files/<sha256>                    the database, the templates and, if asked for, the API keys
/// artifacts/ab/cd/<sha256>.<ext>    the pictures, as in the data directory
/// partial/                          what is being written
/// ```
/// Every file is named by its content, so it is never overwritten by another one, and the next backup needs only what
/// is new.
struct BackupFolder: Sendable {
  /// Absolute.
  let path: String

  /// - Parameter path: resolved against the working directory if relative.
  init(path: String) { self.path = DataDirectory(path: path).path }

  var manifest: String { "\(path)/backup.json" }
  var lock: String { "\(path)/backup.lock" }
  var files: String { "\(path)/files" }
  var artifacts: String { "\(path)/artifacts" }
  var partial: String { "\(path)/partial" }

  private var parts: [String] { [files, artifacts, partial] }
  private static let names: Set<String> = [
    "backup.json", "backup.json.new", "backup.lock", "files", "artifacts", "partial", "lost+found",
  ]

  func path(ofFile sha256: String) -> String { "\(files)/\(sha256)" }

  /// As in a data directory of this path.
  func path(ofArtifact name: String) -> String { DataDirectory(path: path).path(ofArtifact: name) }

  static func isDigest(_ text: String) -> Bool { DataDirectory.isArtifactName("\(text).x") }
}

extension BackupFolder {
  /// Makes the folder, or checks that it is one of a backup, and closes it to other users.
  /// - Throws: `AtelierError` when something else is there, `FileFailure`.
  func prepare(for directory: DataDirectory) throws {
    try check(apartFrom: directory)
    if let there = try FileStatus(path: path, followingLinks: true), !there.isDirectory {
      throw refusal("\(path) is a file. A backup is a folder: name a new one.")
    }
    try FileSystem.makeDirectories(path)
    // What was made by a symbolic link to nowhere, or meanwhile.
    try check(apartFrom: directory)
    guard let there = try FileStatus(path: path, followingLinks: true) else {
      throw refusal("\(path) is a symbolic link to nothing. Name another folder.")
    }
    guard there.owner == geteuid() else {
      throw refusal("\(path) belongs to another user. Name a folder of your own.")
    }
    if try FileStatus(path: manifest) == nil, let other = try foreign() {
      throw refusal("\(path) holds other things (\(other)). Name an empty or a new folder.")
    }
    if there.permissions & 0o777 != 0o700 { try FileSystem.narrow(path, to: 0o700) }
    for part in parts { try prepare(part: part) }
  }

  private func prepare(part: String) throws {
    if try FileSystem.makeDirectory(part) { return try FileSystem.syncDirectory(path) }
    guard let kind = try FileStatus(path: part), kind.isDirectory else {
      throw refusal("\(part) is not a folder. Move it away and try again.")
    }
    if kind.permissions & 0o777 != 0o700 { try FileSystem.narrow(part, to: 0o700) }
  }

  /// The name of something that no backup contains.
  private func foreign() throws -> String? {
    try FileSystem.names(in: path).first { !Self.names.contains($0) }
  }

  /// A backup in its own data directory would be lost with it; folders are compared by what they are, not by name.
  func check(apartFrom directory: DataDirectory) throws {
    guard try !Self.contains(directory.path, path), try !Self.contains(path, directory.path) else {
      throw refusal("\(path) and the data directory \(directory.path) are inside one another. Name a folder elsewhere.")
    }
  }

  /// Whether `path`, or what of it exists, is below `folder` or the same.
  private static func contains(_ folder: String, _ path: String) throws -> Bool {
    guard let outer = try FileStatus(path: folder, followingLinks: true) else { return false }
    var place = path
    while true {
      if let resolved = realpath(place, nil) {
        place = String(cString: resolved)
        free(resolved)
        if try FileStatus(path: place)?.isSameFile(as: outer) == true { return true }
      }
      guard place != "/", let slash = place.lastIndex(of: "/") else { return false }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
  }

  /// Takes the folder for this process.
  func lockForWriting() throws -> FileLock {
    guard let held = try FileLock(path: lock, creating: true) else { throw taken }
    return held
  }

  /// Takes the folder for this process, where that is possible: a backup may be on a disk that cannot be written to.
  func lockForReading() throws -> FileLock? {
    do throws(FileFailure) {
      if let held = try FileLock(path: lock, creating: true) { return held }
    } catch {
      if [EROFS, EACCES, EPERM].contains(error.code) { return nil }
      throw error
    }
    throw taken
  }

  private var taken: AtelierError {
    AtelierError(.overloaded, "Another process is writing or restoring the backup in \(path). Wait until it is done.")
  }

  /// - Returns: nil when there is none.
  func readManifest() throws -> BackupManifest? {
    guard try FileStatus(path: manifest) != nil else { return nil }
    guard let found = BackupManifest(parsing: try FileSystem.read(manifest)) else {
      throw refusal("\(manifest) is damaged, so the backup cannot be used. Name another folder.")
    }
    guard found.format <= BackupManifest.currentFormat else {
      throw refusal("The backup in \(path) was made by a newer version of Atelier. Install that version.")
    }
    guard found.isSafe else { throw refusal("\(manifest) names files that no backup has. Name another folder.") }
    return found
  }

  /// Replaces the manifest, which completes the backup; everything in it is durable.
  func write(_ new: BackupManifest) throws {
    for part in [files, artifacts] { try FileSystem.syncDirectory(part) }
    try FileSystem.replace(manifest, with: try new.serialized, temporary: "\(manifest).new", permissions: 0o600)
    try FileSystem.syncDirectory(path)
  }

  /// Whether the backup has a file with this content; a damaged one does not count.
  func has(_ path: String, sha256: String) throws(FileFailure) -> Bool {
    let content: FileCopy.Content
    do throws(FileFailure) {
      content = try FileCopy.content(of: path)
    } catch {
      guard error.isOfSource(path) else { throw error }
      return false
    }
    return content.sha256 == sha256
  }

  /// - Parameter sentence: for the operator.
  func refusal(_ sentence: String) -> AtelierError {
    AtelierError(.fileAccessDenied, Sentence(verbatim: sentence))
  }
}

extension FileFailure {
  /// True when `path` is not there, or cannot be read as a file: it is damaged, no file, or not ours to read.
  func isOfSource(_ path: String) -> Bool {
    let unreadable = [EIO, ELOOP, EINVAL, EISDIR, EACCES, EPERM, EBADMSG, EUCLEAN]
    return self.path == path && (isMissing || unreadable.contains(code))
  }
}
