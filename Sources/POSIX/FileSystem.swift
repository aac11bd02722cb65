import Glibc

/// System calls on files, with their failures as errors. All of them block.
package enum FileSystem {
  /// Makes `path` as a directory only its owner may enter.
  /// - Returns: false when something of that name was there before.
  package static func makeDirectory(_ path: String) throws(FileFailure) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw FileFailure(operation: "create the directory", path: path, code: errno) }
    return false
  }

  /// Makes the names in the directory `path` survive a power failure.
  package static func syncDirectory(_ path: String) throws(FileFailure) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open the directory", path: path, code: errno) }
    defer { close(descriptor) }
    // Some file systems cannot sync a directory and say EINVAL; there is nothing more one can do there.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw FileFailure(operation: "sync the directory", path: path, code: errno)
    }
  }

  /// Makes `path` and every directory that is missing on the way to it, each for its owner alone, as the XDG base directory
  /// specification asks, and durable.
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

  /// Writes a new file and makes its content survive a power failure. What was written of it is removed when that fails.
  /// - Parameter permissions: exactly these, whatever the umask is; nil for those the umask gives.
  package static func writeDurably(
    _ bytes: [UInt8], to path: String, permissions: mode_t? = 0o600
  ) throws(FileFailure) {
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions ?? 0o666)
    guard number >= 0 else { throw FileFailure(operation: "create", path: path, code: errno) }
    do throws(FileFailure) {
      if let permissions, fchmod(number, permissions) != 0 {
        throw FileFailure(operation: "protect", path: path, code: errno)
      }
      try write(bytes, to: number, path: path)
      try sync(number, path: path)
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

  /// Puts `bytes` in the place of the file `path`, whole or not at all. Its name is durable once the folder is synced.
  /// - Parameters:
  ///   - temporary: where it is written first; what a process that died left there is replaced.
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
      throw FileFailure(operation: "write to", path: path, code: error.code == 0 ? EIO : error.code)
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

  /// Gives `path` a second name; where the file system knows no second names, the new one only.
  /// - Returns: false when the second name was taken.
  package static func link(_ path: String, as second: String) throws(FileFailure) -> Bool {
    if Glibc.link(path, second) == 0 { return true }
    switch errno {
    case EEXIST: return false
    case EPERM, EOPNOTSUPP, EMLINK, ENOSYS:
      guard try FileStatus(path: second) == nil else { return false }
      guard rename(path, second) == 0 else { throw FileFailure(operation: "rename", path: path, code: errno) }
      return true
    default: throw FileFailure(operation: "name", path: second, code: errno)
    }
  }

  /// Removes the file `path`; one that is not there is fine.
  package static func remove(_ path: String) throws(FileFailure) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw FileFailure(operation: "remove", path: path, code: errno)
    }
  }

  /// Removes the directory `path` and the files in it; one that is not there is fine.
  package static func removeFlatDirectory(_ path: String) throws(FileFailure) {
    for name in try names(in: path) { try remove("\(path)/\(name)") }
    guard rmdir(path) == 0 || errno == ENOENT else {
      throw FileFailure(operation: "remove the directory", path: path, code: errno)
    }
  }

  /// The names in the directory `path`, sorted; none when it is not there.
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
        // `d_name` ends with a zero byte within its 256 (readdir(3)).
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// Takes all rights from everybody but the owner.
  package static func narrow(_ path: String, to permissions: mode_t) throws(FileFailure) {
    guard chmod(path, permissions) == 0 else {
      throw FileFailure(operation: "take the rights of others from", path: path, code: errno)
    }
  }

  /// True when this process, or the system, may open no more files.
  package static var hasNoFreeDescriptor: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else { return close(descriptor) != 0 }
    return errno == EMFILE || errno == ENFILE
  }

  /// True when the file system of `path` has no room left for what an unprivileged process writes.
  package static func isFull(_ path: String) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    return status.f_bavail == 0 || (status.f_files > 0 && status.f_favail == 0)
  }
}
