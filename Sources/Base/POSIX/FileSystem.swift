import Encodings
import Glibc

/// System calls on files that throw their failures as errors. All of them block.
package enum FileSystem {
  /// Creates the directory `path` with mode 0700.
  /// - Returns: false when `path` already exists.
  package static func makeDirectory(_ path: String) throws(FileFailure) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw FileFailure(operation: "create the directory", path: path, code: errno) }
    return false
  }

  /// Makes the entries of the directory `path` survive a power failure.
  package static func syncDirectory(_ path: String) throws(FileFailure) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open the directory", path: path, code: errno) }
    defer { close(descriptor) }
    // Some file systems cannot sync a directory and fail with EINVAL; nothing more can be done there.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw FileFailure(operation: "sync the directory", path: path, code: errno)
    }
  }

  /// Creates `path` and every missing parent directory, each accessible to its owner only, as the XDG base directory
  /// specification requires, and makes them durable.
  package static func makeDirectories(_ path: String) throws(FileFailure) {
    if try FileStatus(path: path, followingLinks: true) != nil { return }
    var parent = ""
    for component in path.split(separator: "/") {
      let child = "\(parent)/\(component)"
      if try FileStatus(path: child, followingLinks: true) == nil, try makeDirectory(child) {
        try syncDirectory(parent.isEmpty ? "/" : parent)
      }
      parent = child
    }
  }

  /// Writes a new file and makes its content survive a power failure. Removes the incomplete file on failure.
  /// - Parameter permissions: set exactly, regardless of the umask; nil leaves the permissions to the umask.
  package static func writeDurably(
    _ bytes: [UInt8], to path: String, permissions: mode_t? = 0o600
  ) throws(FileFailure) {
    try writeNew(bytes, to: path, permissions: permissions, isDurable: true)
  }

  /// Writes a new file, without waiting for the disk unless `isDurable`. Removes the incomplete file on failure.
  package static func writeNew(
    _ bytes: [UInt8], to path: String, permissions: mode_t? = 0o600, isDurable: Bool = false
  ) throws(FileFailure) {
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions ?? 0o666)
    guard number >= 0 else { throw FileFailure(operation: "create", path: path, code: errno) }
    do throws(FileFailure) {
      if let permissions, fchmod(number, permissions) != 0 {
        throw FileFailure(operation: "protect", path: path, code: errno)
      }
      try write(bytes, to: number, path: path)
      if isDurable { try sync(number, path: path) }
    } catch {
      close(number)
      unlink(path)
      throw error
    }
    guard close(number) == 0 else {
      let code = errno
      unlink(path)
      throw FileFailure(operation: "close", path: path, code: code)
    }
  }

  /// The path of an existing file from the root on, with all symbolic links followed.
  /// - Throws: `FileFailure`, with EILSEQ for a path that is not UTF-8 text.
  package static func resolved(_ path: String) throws(FileFailure) -> String {
    // With no buffer given, `realpath` makes one, which belongs to the caller.
    guard let text = realpath(path, nil) else { throw FileFailure(operation: "resolve", path: path, code: errno) }
    defer { free(text) }
    guard let resolved = String(validatingCString: text) else {
      throw FileFailure(operation: "resolve", path: path, code: EILSEQ)
    }
    return resolved
  }

  /// Replaces the file `path` with `bytes` atomically. Its name is durable once the directory is synced.
  /// - Parameters:
  ///   - temporary: the path written first; a file left there by a process that died is replaced.
  ///   - permissions: as for ``writeDurably(_:to:permissions:)``.
  package static func replace(
    _ path: String, with bytes: [UInt8], temporary: String, permissions: mode_t?
  ) throws(FileFailure) {
    try remove(temporary)
    try writeDurably(bytes, to: temporary, permissions: permissions)
    guard rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      throw FileFailure(operation: "replace", path: path, code: code)
    }
  }

  /// Makes the content of an open file survive a power failure.
  package static func sync(_ descriptor: Int32, path: String) throws(FileFailure) {
    guard fsync(descriptor) == 0 else { throw FileFailure(operation: "sync", path: path, code: errno) }
  }

  package static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileFailure) {
    do throws(BlockingIO.Failure) {
      try BlockingIO.write(bytes, to: descriptor)
    } catch {
      throw FileFailure(operation: "write to", path: path, code: error.code)
    }
  }

  /// The whole content of the regular file `path`; a symbolic link is refused.
  package static func read(_ path: String) throws(FileFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFailure(operation: "open", path: path, code: errno) }
    defer { close(descriptor) }
    let kind = try FileStatus(descriptor: descriptor, path: path)
    guard kind.isRegularFile else { throw FileFailure(operation: "read", path: path, code: EINVAL) }
    var failure: FileFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: kind.bytes) { buffer, count in
      while count < buffer.count {
        let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = FileFailure(operation: "read", path: path, code: errno) }
        if got <= 0 { return }
        count += got
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The text of the regular file `path`, which a person may have saved: UTF-8 to the last byte, without its byte order
  /// mark. A symbolic link is refused.
  /// - Throws: also for a text in another encoding, which is named.
  package static func readText(_ path: String) throws(FileFailure) -> [UInt8] {
    let bytes = try read(path)
    do throws(SavedText.OtherEncoding) {
      return try SavedText.checked(bytes)
    } catch {
      throw FileFailure(path: path, encoding: error)
    }
  }

  /// Creates a hard link `second` to `path`; renames `path` where the file system has no hard links.
  /// - Returns: false when the second name already exists.
  package static func link(_ path: String, as second: String) throws(FileFailure) -> Bool {
    if Glibc.link(path, second) == 0 { return true }
    if errno == EEXIST { return false }
    guard isWithoutLinks(errno) else { throw FileFailure(operation: "name", path: second, code: errno) }
    guard try FileStatus(path: second) == nil else { return false }
    guard rename(path, second) == 0 else { throw FileFailure(operation: "rename", path: path, code: errno) }
    return true
  }

  /// Whether an error of link(2) says that the file system has no hard links.
  package static func isWithoutLinks(_ code: Int32) -> Bool {
    [EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(code)
  }

  /// Creates a file in the directory `folder` and removes it again, to see whether that is possible.
  /// - Parameters:
  ///   - bytes: how much room the file must find; with 0 nothing is written, and nothing waits for the disk.
  ///   - name: of a file that only this process uses.
  package static func tryCreating(in folder: String, name: String, bytes: Int = 0) throws(FileFailure) {
    let path = "\(folder)/\(name)"
    let number = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw FileFailure(operation: "create a file in", path: folder, code: errno) }
    defer {
      close(number)
      unlink(path)
    }
    guard bytes > 0 else { return }
    // Some file systems cannot reserve room; what is written below is tried in any case.
    let code = posix_fallocate(number, 0, off_t(bytes))
    guard code == 0 || code == EOPNOTSUPP || code == EINVAL else {
      throw FileFailure(operation: "write to", path: folder, code: code)
    }
    try write([0], to: number, path: folder)
    try sync(number, path: folder)
    try syncDirectory(folder)
  }

  /// Removes the file `path`; a missing file is no error.
  package static func remove(_ path: String) throws(FileFailure) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw FileFailure(operation: "remove", path: path, code: errno)
    }
  }

  /// Removes the directory `path` and the files in it; a missing directory is no error.
  package static func removeFlatDirectory(_ path: String) throws(FileFailure) {
    for name in try names(in: path) { try remove("\(path)/\(name)") }
    guard rmdir(path) == 0 || errno == ENOENT else {
      throw FileFailure(operation: "remove the directory", path: path, code: errno)
    }
  }

  /// The names in the directory `path`, sorted; empty when the directory is missing.
  package static func names(in path: String) throws(FileFailure) -> [String] {
    guard let stream = opendir(path) else {
      if errno == ENOENT { return [] }
      throw FileFailure(operation: "list", path: path, code: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno == 0 { return names.sorted() }
        throw FileFailure(operation: "list", path: path, code: errno)
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        // `d_name` ends with a zero byte within its 256 bytes (readdir(3)).
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// Removes the access rights of everyone but the owner.
  package static func narrow(_ path: String, to permissions: mode_t) throws(FileFailure) {
    guard chmod(path, permissions) == 0 else {
      throw FileFailure(operation: "take the rights of others from", path: path, code: errno)
    }
  }

  /// True when this process, or the system, cannot open any more files.
  package static var hasNoFreeDescriptor: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else { return close(descriptor) != 0 }
    return SystemError.isOutOfDescriptors(errno)
  }

  /// True when the file system of `path` has no space left for unprivileged processes.
  package static func isFull(_ path: String) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    return status.f_bavail == 0 || (status.f_files > 0 && status.f_favail == 0)
  }
}
