import AtelierProtocol
import Glibc
import POSIX

/// The folder for copies of pictures that a host requested. Nothing in it is ever overwritten.
public struct OutputDirectory: Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  /// - Throws: `file_access_denied` when it is not a folder in which files can be created, with the reason and a
  ///   remedy.
  public func check() async throws {
    try await DedicatedThread.run { try checkNow() }
  }

  /// Writes a copy durably under a name not yet taken: `stem.jpg`, else `stem-2.jpg`, ….
  /// - Parameters:
  ///   - temporary: the name of the file while it is written; by default one of this stem, which must then belong to one
  ///     writer.
  ///   - permissions: the access rights of the copy; nil leaves them to the umask.
  /// - Returns: the path of the copy.
  /// - Throws: `file_access_denied`, or `storage_full`.
  public func place(
    _ bytes: [UInt8], stem: String, fileExtension: String, temporary: String? = nil, permissions: mode_t? = 0o600
  ) async throws -> String {
    try await DedicatedThread.run {
      try checkNow()
      let temporary = "\(path)/\(temporary ?? ".\(stem).\(fileExtension).partial")"
      defer { unlink(temporary) }
      try write(bytes, to: temporary, permissions: permissions)
      for attempt in 1...10_000 {
        let target = "\(path)/\(stem)\(attempt == 1 ? "" : "-\(attempt)").\(fileExtension)"
        if try give(temporary, name: target) {
          // A copy lost in a power failure is still in the store.
          try? FileSystem.syncDirectory(path)
          return target
        }
      }
      throw AtelierError(
        .fileAccessDenied, "The folder \(path) holds too many pictures of this name already. Choose another folder.")
    }
  }

  /// Removes copies whose generation did not succeed in the end.
  public static func remove(_ paths: [String]) async {
    try? await DedicatedThread.run { for path in paths { unlink(path) } }
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
    try? await DedicatedThread.run {
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

  func checkNow() throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT {
        throw AtelierError(
          .fileAccessDenied, "The output folder \(path) does not exist. Create it, or name another one.")
      }
      throw failure("The output folder cannot be reached", errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw AtelierError(.fileAccessDenied, "\(path) is a file, not a folder. Name a folder for the pictures.")
    }
    guard access(path, W_OK | X_OK) == 0 else { throw failure("The output folder cannot be written to", errno) }
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
  func failure(_ what: String, _ code: Int32) -> AtelierError {
    switch code {
    case ENOSPC, EDQUOT:
      AtelierError(.storageFull, "\(what): the disk of \(path) is full. Make room and try again.")
    case EACCES, EPERM:
      AtelierError(
        .fileAccessDenied,
        "\(what): the permission to write to \(path) is missing. Allow it (chmod u+wx), or name another folder.")
    case EROFS:
      AtelierError(.fileAccessDenied, "\(what): \(path) is on a read-only file system. Name another folder.")
    default:
      AtelierError(.fileAccessDenied, "\(what). \(path): \(String(cString: strerror(code))). Name another folder.")
    }
  }
}
