import AtelierProtocol
import Glibc
import JSONRPC

/// The folder a host wants its pictures in. Nothing in it is ever overwritten.
struct OutputDirectory: Sendable {
  let path: String

  /// - Throws: `file_access_denied` when it is not a folder in which files can be made, saying why and what to do.
  func check() async throws {
    try await DedicatedThread.run { try checkNow() }
  }

  /// Writes a copy durably under a name not yet taken: `stem.jpg`, else `stem-2.jpg`, ….
  /// - Returns: the path of the copy.
  /// - Throws: `file_access_denied`, or `storage_full`.
  func place(_ bytes: [UInt8], stem: String, fileExtension: String) async throws -> String {
    try await DedicatedThread.run {
      try checkNow()
      let temporary = "\(path)/.\(stem).\(fileExtension).partial"
      defer { unlink(temporary) }
      try write(bytes, to: temporary)
      for attempt in 1...10_000 {
        let target = "\(path)/\(stem)\(attempt == 1 ? "" : "-\(attempt)").\(fileExtension)"
        if try give(temporary, name: target) {
          synchroniseFolder()
          return target
        }
      }
      throw AtelierError(
        .fileAccessDenied, "The folder \(path) holds too many pictures of this name already. Choose another folder.")
    }
  }

  /// - Returns: false when a file of that name is there.
  func give(_ temporary: String, name target: String) throws -> Bool {
    // A link, not a rename: it fails where a file of that name lies.
    if link(temporary, target) == 0 { return true }
    switch errno {
    case EEXIST: return false
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
      // Memory sticks and shared folders know no links. Nobody else gives names with this generation's id.
      var status = stat()
      if lstat(target, &status) == 0 { return false }
      if rename(temporary, target) == 0 { return true }
    default: break
    }
    throw failure("The picture could not be put", errno)
  }

  /// Takes back copies whose generation did not end well after all.
  static func remove(_ paths: [String]) async {
    try? await DedicatedThread.run { for path in paths { unlink(path) } }
  }

  func checkNow() throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT {
        throw AtelierError(
          .fileAccessDenied, "The output folder \(path) does not exist. Create it, or name another one.")
      }
      throw failure("The output folder cannot be reached:", errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw AtelierError(.fileAccessDenied, "\(path) is a file, not a folder. Name a folder for the pictures.")
    }
    guard access(path, W_OK | X_OK) == 0 else { throw failure("The output folder cannot be written:", errno) }
  }

  func write(_ bytes: [UInt8], to file: String) throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("The picture could not be put", errno) }
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
      // The buffer is only read, and only for the length of the call.
      let written = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        throw failure("The picture could not be put", errno)
      }
      offset += written
    }
    guard fsync(descriptor) == 0 else { throw failure("The picture could not be put", errno) }
  }

  func synchroniseFolder() {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  func failure(_ what: String, _ code: Int32) -> AtelierError {
    switch code {
    case ENOSPC, EDQUOT:
      AtelierError(.storageFull, "\(what) into \(path): the disk is full. Make room and try again.")
    case EACCES, EPERM:
      AtelierError(
        .fileAccessDenied,
        "\(what) \(path): the permission to write there is missing. Allow it (chmod u+wx), or name another folder.")
    case EROFS:
      AtelierError(.fileAccessDenied, "\(what) \(path): it is on a read-only file system. Name another folder.")
    default:
      AtelierError(.fileAccessDenied, "\(what) \(path): \(String(cString: strerror(code))). Name another folder.")
    }
  }
}
