import Glibc

/// The system calls on files that the store needs, with their failures as errors.
enum FileSystem {
  /// Makes `path` as a directory only its owner may enter.
  /// - Returns: false when something of that name was there before.
  static func makeDirectory(_ path: String) throws(FileFailure) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw FileFailure(operation: "create the directory", path: path, code: errno) }
    return false
  }

  /// Makes the names in the directory `path` survive a power failure.
  static func syncDirectory(_ path: String) throws(FileFailure) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open the directory", path: path, code: errno) }
    defer { close(descriptor) }
    // Some file systems cannot sync a directory and say EINVAL; there is nothing more one can do there.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw FileFailure(operation: "sync the directory", path: path, code: errno)
    }
  }

  /// Writes a new file that only its owner may read, and makes its content survive a power failure.
  /// What was written of it is removed when that fails.
  static func writeDurably(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure(operation: "create", path: path, code: errno) }
    do throws(FileFailure) {
      try write(bytes, to: descriptor, path: path)
      guard fsync(descriptor) == 0 else { throw FileFailure(operation: "sync", path: path, code: errno) }
    } catch {
      close(descriptor)
      unlink(path)
      throw error
    }
    guard close(descriptor) == 0 else {
      let code = errno
      unlink(path)
      throw FileFailure(operation: "close", path: path, code: code)
    }
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileFailure) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileFailure(operation: "write to", path: path, code: count < 0 ? errno : EIO) }
      offset += count
    }
  }

  /// The whole content of the regular file `path`; a symbolic link is refused.
  static func read(_ path: String) throws(FileFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFailure(operation: "open", path: path, code: errno) }
    defer { close(descriptor) }
    let kind = try FileKind(descriptor: descriptor, path: path)
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
  static func link(_ path: String, as second: String) throws(FileFailure) -> Bool {
    if Glibc.link(path, second) == 0 { return true }
    switch errno {
    case EEXIST: return false
    case EPERM, EOPNOTSUPP, EMLINK, ENOSYS:
      guard try FileKind(path: second) == nil else { return false }
      guard rename(path, second) == 0 else { throw FileFailure(operation: "rename", path: path, code: errno) }
      return true
    default: throw FileFailure(operation: "name", path: second, code: errno)
    }
  }

  /// Removes the file `path`; one that is not there is fine.
  static func remove(_ path: String) throws(FileFailure) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw FileFailure(operation: "remove", path: path, code: errno)
    }
  }

  /// Removes the directory `path` and the files in it; one that is not there is fine.
  static func removeFlatDirectory(_ path: String) throws(FileFailure) {
    for name in try names(in: path) { try remove("\(path)/\(name)") }
    guard rmdir(path) == 0 || errno == ENOENT else {
      throw FileFailure(operation: "remove the directory", path: path, code: errno)
    }
  }

  /// The names in the directory `path`, sorted; none when it is not there.
  static func names(in path: String) throws(FileFailure) -> [String] {
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
  static func narrow(_ path: String, to permissions: mode_t) throws(FileFailure) {
    guard chmod(path, permissions) == 0 else {
      throw FileFailure(operation: "take the rights of others from", path: path, code: errno)
    }
  }

  /// True when this process, or the system, may open no more files.
  static var hasNoFreeDescriptor: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else { return close(descriptor) != 0 }
    return errno == EMFILE || errno == ENFILE
  }

  /// True when the file system of `path` has no room left for what an unprivileged process writes.
  static func isFull(_ path: String) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    return status.f_bavail == 0 || (status.f_files > 0 && status.f_favail == 0)
  }
}

/// A system call on a file that failed.
struct FileFailure: Error, Equatable {
  /// What was tried, as in "write to".
  var operation: String
  var path: String
  /// The `errno` of the call.
  var code: Int32

  /// True when there is no space or no quota left.
  var isStorageFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// True when there is nothing of that name.
  var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// The system's words for the code, such as "Permission denied".
  var reason: String { String(cString: strerror(code)) }

  var sentence: String { "Could not \(operation) \(path): \(reason)." }
}

/// What a path names, without following a symbolic link at its end.
struct FileKind: Equatable {
  var type: mode_t
  var permissions: mode_t
  var owner: uid_t
  var bytes: Int
  var inode: UInt64
  var device: UInt64

  var isDirectory: Bool { type == S_IFDIR }
  var isRegularFile: Bool { type == S_IFREG }
  var isSymbolicLink: Bool { type == S_IFLNK }
  /// True when others than the owner may do anything with it.
  var isShared: Bool { permissions & 0o077 != 0 }

  /// - Returns: nil when nothing is there.
  init?(path: String, followingLinks: Bool = false) throws(FileFailure) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      if errno == ENOENT { return nil }
      throw FileFailure(operation: "look at", path: path, code: errno)
    }
    self.init(status)
  }

  /// What the open file `descriptor` is.
  init(descriptor: Int32, path: String) throws(FileFailure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileFailure(operation: "look at", path: path, code: errno)
    }
    self.init(status)
  }

  private init(_ status: stat) {
    type = status.st_mode & S_IFMT
    permissions = status.st_mode & 0o7777
    owner = status.st_uid
    bytes = Int(status.st_size)
    inode = UInt64(status.st_ino)
    device = UInt64(status.st_dev)
  }
}
