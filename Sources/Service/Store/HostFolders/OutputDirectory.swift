import AtelierProtocol
import Glibc
import Localization
import POSIX

/// The folder for copies of pictures that a host requested. Nothing in it is ever overwritten.
public struct OutputDirectory: Sendable {
  public let path: String
  /// The folders that it must be in; nil if it may be anywhere.
  let allowed: AllowedFolders?

  public init(path: String, within allowed: AllowedFolders? = nil) {
    self.path = path
    self.allowed = allowed
  }

  /// - Throws: `file_access_denied` when it is not a folder in which files can be created, with the reason and a
  ///   remedy.
  public func check() async throws {
    try await LazyThreadPool.hostFiles.run { _ = try openNow() }
  }

  /// Writes a copy durably under a name not yet taken: `stem.jpg`, else `stem-2.jpg`, ….
  /// - Parameters:
  ///   - temporary: the name of the file while it is written; by default one of this stem, which must then belong to one
  ///     writer.
  ///   - permissions: the access rights of the copy; nil leaves them to the umask.
  ///   - number: that of the first name to try: 2 for `stem-2.jpg`.
  ///   - keepsEqual: whether a file with the same bytes stands for the copy, which is then not written once more.
  /// - Returns: the path of the copy.
  /// - Throws: `file_access_denied`, or `storage_full`.
  public func place(
    _ bytes: [UInt8], stem: String, fileExtension: String, temporary: String? = nil, permissions: mode_t? = 0o600,
    from number: Int = 1, keepsEqual: Bool = false
  ) async throws -> String {
    try await LazyThreadPool.hostFiles.run {
      let folder = try openNow()
      let temporary = "\(folder.path)/\(temporary ?? ".\(stem).\(fileExtension).partial")"
      defer { unlink(temporary) }
      try write(bytes, to: temporary, permissions: permissions)
      for attempt in (keepsEqual ? 1 : number)...(number + 10_000) {
        let name = "\(Self.numbered(stem, attempt)).\(fileExtension)"
        if keepsEqual, Self.isFile("\(folder.path)/\(name)", with: bytes) { return "\(path)/\(name)" }
        if attempt < number { continue }
        if try give(temporary, name: "\(folder.path)/\(name)") {
          // A copy lost in a power failure is still in the store.
          try? FileSystem.syncDirectory(folder.path)
          return "\(path)/\(name)"
        }
      }
      throw AtelierError(
        .fileAccessDenied, "The folder \(path) holds too many pictures of this name already. Choose another folder.")
    }
  }

  /// The name without its extension for the copy with this number: `stem`, `stem-2`, ….
  public static func numbered(_ stem: String, _ number: Int) -> String { number == 1 ? stem : "\(stem)-\(number)" }

  private static func isFile(_ path: String, with bytes: [UInt8]) -> Bool {
    guard let status = try? FileStatus(path: path), status.isRegularFile, status.bytes == bytes.count else { return false }
    return (try? FileSystem.read(path)) == bytes
  }

  /// Removes copies whose generation did not succeed in the end.
  /// - Parameter copies: their paths, as ``place(_:stem:fileExtension:)`` returned them.
  public func remove(_ copies: [String]) async {
    guard !copies.isEmpty else { return }
    try? await LazyThreadPool.hostFiles.run {
      let folder = try openNow()
      for copy in copies { unlink("\(folder.path)/\(copy.dropFirst(path.count + 1))") }
    }
  }

  // MARK: Leftovers of a dead process

  /// The prefix of the names of a generation's copies; no other files have it.
  public static func stem(of recipe: Recipe, _ id: GenerationID) -> String { "\(recipe.rawValue)-\(id.rawValue)" }

  /// Removes the files that a dead process had put into hosts' folders for generations it did not finish. Files that
  /// cannot be removed stay: the folder belongs to the host.
  public static func removeLeftovers(of rows: [GenerationRow]) async {
    let places = rows.compactMap { row in
      row.request["output"]?["directory"]?.string.map { (path: $0, stem: stem(of: row.recipe, row.id)) }
    }
    guard !places.isEmpty else { return }
    try? await LazyThreadPool.hostFiles.run {
      for place in places {
        let names = (try? FileSystem.names(in: place.path)) ?? []
        for name in names where isCopy(name, stem: place.stem) { unlink("\(place.path)/\(name)") }
      }
    }
  }

  private static func isCopy(_ name: String, stem: String) -> Bool {
    if name.hasPrefix(".\(stem)") { return name.hasSuffix(".partial") }
    return name.hasPrefix("\(stem).") || name.hasPrefix("\(stem)-")
  }

  // MARK: Files

  /// The folder, in which files can be created.
  /// - Throws: `file_access_denied`.
  func openNow() throws -> OpenedFolder {
    let folder: OpenedFolder
    if let allowed {
      guard let found = OpenedFolder(path: path, within: allowed) else { throw outside(of: allowed) }
      folder = found
    } else {
      folder = OpenedFolder(path: path)
    }
    try check(folder)
    return folder
  }

  /// Says the same of a folder that is not there and of one that is elsewhere, as for photos.
  private func outside(of allowed: AllowedFolders) -> AtelierError {
    allowed.paths.isEmpty
      ? AtelierError(
        .fileAccessDenied, "Atelier may not write files here.",
        hint: "Ask for the pictures with output.inline, or open a folder to the connection with access.write.")
      : AtelierError(
        .fileAccessDenied, "There is no folder at “\(path)” that may be written to here. Choose another folder.",
        hint: "The connection may write to the folders that are opened with access.write.")
  }

  func check(_ folder: OpenedFolder) throws {
    var status = stat()
    guard stat(folder.path, &status) == 0 else {
      if errno == ENOENT {
        throw AtelierError(
          .fileAccessDenied, "The output folder \(path) does not exist. Create it, or name another one.")
      }
      throw failure("The output folder cannot be reached", errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw AtelierError(.fileAccessDenied, "\(path) is a file, not a folder. Name a folder for the pictures.")
    }
    guard access(folder.path, W_OK | X_OK) == 0 else { throw failure("The output folder cannot be written to", errno) }
  }

  /// Writes a file durably and replaces one left by a dead process.
  func write(_ bytes: [UInt8], to file: String, permissions: mode_t? = 0o600) throws {
    do {
      try FileSystem.remove(file)
      try FileSystem.writeDurably(bytes, to: file, permissions: permissions)
    } catch {
      throw failure("The picture could not be written", error.code)
    }
  }

  /// - Returns: false when a file of that name is there.
  func give(_ temporary: String, name target: String) throws -> Bool {
    do {
      // Use a hard link instead of a rename, because it fails when the name is taken. On file systems without hard
      // links, no other process uses a name with this generation's id.
      return try FileSystem.link(temporary, as: target)
    } catch {
      throw failure("The picture could not be written", error.code)
    }
  }

  /// - Parameter what: what failed, as a clause.
  func failure(_ what: Sentence, _ code: Int32) -> AtelierError {
    switch code {
    case ENOSPC, EDQUOT:
      AtelierError(.storageFull, "\(what): the disk of \(path) is full. Make room and try again.")
    case EACCES, EPERM:
      AtelierError(
        .fileAccessDenied,
        "\(what): the permission to write to \(path) is missing. Allow it, or name another folder.",
        hint: "The owner of the folder can allow it with chmod u+wx.")
    case EMFILE, ENFILE: .tooManyOpenFiles
    case EROFS:
      AtelierError(.fileAccessDenied, "\(what): \(path) is on a read-only file system. Name another folder.")
    default:
      AtelierError(.fileAccessDenied, "\(what). \(path): \(String(cString: strerror(code))). Name another folder.")
    }
  }
}
